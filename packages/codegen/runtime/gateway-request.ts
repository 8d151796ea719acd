import type {
  Gateway,
  GatewayFailure,
  GatewayRequest,
  GatewayResponse,
  GatewayResult,
} from './gateway.js'
import type { GatewayAny, GatewayJson, GatewayVariables } from './gateway-types.js'

/**
 * Sends a document with its variables and reads the response. Never rejects.
 *
 * @param json Prints and reads values of type Long.
 * @param field Field of the data to return, which may not be null; all of them by default.
 * @internal
 */
export async function request(
  gateway: Gateway,
  query: string,
  variables: GatewayVariables,
  json: GatewayJson = JSON,
  field?: string,
): Promise<GatewayResult<GatewayAny>> {
  let body: string
  try {
    // Printing fails for circular values, so the check ends.
    body = json.stringify({ query, variables })
    checkValue(variables, '')
  } catch (error) {
    // Besides what the check refuses: a circular value, and a bigint in a schema without Longs.
    return failure(`${(error as Error).message}. Nothing was sent`, 'VALUE_INVALID', error)
  }
  try {
    const response = await (gateway.send ?? sendByFetch)({ query, body }, gateway)
    return readResponse(response, json, field)
  } catch (error) {
    // Errors with a code describe themselves: those of the client, and of invalid options.
    const { message, code } = Object(error) as { readonly message: string; readonly code: unknown }
    if (typeof code === 'string') return failure(message, code, error)
    return failure(`Request failed: ${error}`, 'REQUEST_FAILED', error)
  }
}

/** Sends a request through the gateway's `fetch`, or the global one. @internal */
export async function sendByFetch(
  { body }: GatewayRequest,
  gateway: Gateway,
): Promise<GatewayResponse> {
  const url = `${gateway.baseUrl}/data/v4/gateway`
  const headers = {
    'content-type': 'application/json',
    [gateway.keyHeader ?? 'x-service-key']: gateway.projectKey,
    ...gateway.headers,
  }
  try {
    void new Request(new URL(url, 'http://a'), { headers })
  } catch {
    // No cause: its message quotes the header, or a password in the URL.
    throw Object.assign(new Error('Invalid baseUrl or header'), { code: 'VALUE_INVALID' })
  }
  const { signal = AbortSignal.timeout(30_000) } = gateway
  const read = async (): Promise<GatewayResponse> => {
    const response = await (gateway.fetch ?? fetch)(url, {
      credentials: 'include',
      ...gateway,
      signal,
      method: 'POST',
      // A redirect would send key, headers and body to another address.
      redirect: 'error',
      headers,
      body,
    } as RequestInit)
    return { status: response.status, text: await response.text() }
  }
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    // In Node, a signal no longer ends the body once the request has been garbage-collected.
    signal.addEventListener('abort', stop)
    read()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Reads the response to a document. `errors` takes precedence over `data`. */
function readResponse(
  { status, text }: GatewayResponse,
  json: Pick<GatewayJson, 'parse'>,
  field?: string,
): GatewayResult<GatewayAny> {
  let body: GatewayAny
  try {
    body = json.parse(text)
  } catch {
    // The error would quote the text, which may contain secrets.
  }
  const { data, errors, Errors: refusal } = Object(body)
  if (Array.isArray(errors) && errors[0]) return { ok: false, errors, partial: data }
  const result = field ? data?.[field] : data
  if (result && (errors ?? []).length === 0 && status < 300) return { ok: true, data: result }
  // A request may be refused before it reaches the gateway.
  const message = refusal?.Message ?? `No ${field ?? 'data'} in the response (HTTP ${status})`
  return failure(message, 'RESPONSE_INVALID', { status })
}

/**
 * Checks that JSON has a form for a value. JSON.stringify drops undefined, so that a query would
 * return every row, turns NaN and invalid dates into null, which clears a field, and prints maps
 * and typed arrays as other objects.
 *
 * @param path Path of the value in the variables. Members of `input` may be undefined.
 */
function checkValue(given: GatewayAny, path: string): void {
  // That of an invalid date returns null.
  const value = given?.toJSON?.() ?? given
  const isScalar =
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    typeof value === 'bigint' ||
    Number.isFinite(value)
  if (Array.isArray(value)) {
    // Its entries include holes.
    for (const [index, item] of value.entries()) checkValue(item, `${path}[${index}]`)
  } else if ({}.toString.call(value) === '[object Object]') {
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined && /^input\b/.test(path)) continue
      checkValue(member, path ? `${path}.${name}` : name)
    }
  } else if (!isScalar) {
    throw new Error(`${path} is ${String(given)}`)
  }
}

/** @internal */
export function failure(message: string, code: string, cause?: unknown): GatewayFailure {
  return { ok: false, errors: [{ message, extensions: { code }, cause }], partial: undefined }
}

/**
 * Calls an operation with signals besides that of the gateway, or its time limit. Not with
 * `AbortSignal.any`, which some browsers do not have, and whose signals Node 20 garbage-collects.
 *
 * @internal
 */
export async function withSignals<T>(
  gateway: Gateway,
  signals: readonly AbortSignal[],
  operation: (gateway: Gateway) => Promise<T>,
): Promise<T> {
  const own = 'signal' in gateway ? gateway.signal : AbortSignal.timeout(30_000)
  const sources = own ? [...signals, own] : signals
  const end = new AbortController()
  const stop = (): void => end.abort(sources.find(({ aborted }) => aborted)?.reason)
  if (sources.some(({ aborted }) => aborted)) stop()
  for (const source of sources) source.addEventListener('abort', stop)
  try {
    return await operation({ ...gateway, signal: end.signal })
  } finally {
    for (const source of sources) source.removeEventListener('abort', stop)
  }
}
