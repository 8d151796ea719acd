import type {
  Gateway,
  GatewayFailure,
  GatewayRequest,
  GatewayResponse,
  GatewayResult,
} from './gateway.js'
import type { GatewayAny, GatewayParse, GatewayVariables } from './gateway-types.js'

/**
 * Sends a document with its variables and reads the response. Never rejects.
 *
 * @param parse Reads fields of type Long; JSON.parse by default.
 * @internal
 */
export async function request(
  gateway: Gateway,
  query: string,
  variables: GatewayVariables,
  parse?: GatewayParse,
): Promise<GatewayResult<GatewayAny>> {
  try {
    const body = `{"query":${JSON.stringify(query)},"variables":${printJson(variables, '', [])}}`
    return readResponse(await (gateway.send ?? sendByFetch)({ query, body }, gateway), parse)
  } catch (error) {
    // Errors with a code describe themselves: those of the client, and of invalid values.
    const { message, code } = Object(error) as { readonly message: string; readonly code: unknown }
    if (typeof code === 'string') return failure(message, code, error)
    return failure(`Request failed: ${error}`, 'REQUEST_FAILED', error)
  }
}

/** Sends a document and returns one field of its data, which may not be null. @internal */
export async function requestField(
  gateway: Gateway,
  field: string,
  query: string,
  variables: GatewayVariables,
  parse?: GatewayParse,
): Promise<GatewayResult<GatewayAny>> {
  const result = await request(gateway, query, variables, parse)
  if (!result.ok) return result
  const data = result.data[field]
  return data ? { ok: true, data } : failure(`No ${field} in the response`, 'RESPONSE_INVALID')
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
    throw invalid('Invalid baseUrl or header')
  }
  const response = await (gateway.fetch ?? fetch)(url, {
    credentials: 'include',
    signal: AbortSignal.timeout(30_000),
    // Its credentials and signal replace these.
    ...gateway,
    method: 'POST',
    // A redirect would send key, headers and body to another address.
    redirect: 'error',
    headers,
    body,
  } as RequestInit)
  return { status: response.status, text: await response.text() }
}

/** Reads the response to a document. `errors` takes precedence over `data`. @internal */
export function readResponse(
  { status, text }: GatewayResponse,
  parse: GatewayParse = JSON.parse,
): GatewayResult<GatewayAny> {
  let body: GatewayAny
  try {
    body = parse(text)
  } catch {
    // The error would quote the text, which may contain secrets.
  }
  const { data, errors, Errors: refusal } = Object(body)
  if (errors?.[0]) return { ok: false, errors, partial: data }
  if (data && (errors ?? []).length === 0 && status < 300) return { ok: true, data }
  // A request may be refused before it reaches the gateway.
  return failure(refusal?.Message ?? `No result (HTTP ${status})`, 'RESPONSE_INVALID', { status })
}

/**
 * Prints a value as JSON. JSON.stringify alone would drop undefined, so that a query returns every
 * row, and turn NaN and invalid dates into null, which clears a field. It has no form for a bigint.
 *
 * @param path Path of the value in the variables. Members of `input` may be undefined.
 * @param above Objects and lists that contain the value.
 */
function printJson(given: GatewayAny, path: string, above: readonly unknown[]): string {
  if (typeof given === 'bigint') return `${given}`
  const value: unknown = typeof given?.toJSON === 'function' ? given.toJSON() : given
  if (above.includes(value)) throw invalid(`${path} is circular`)
  const inside = [...above, value]
  if (Array.isArray(value))
    return `[${Array.from(value, (item, index) => printJson(item, `${path}[${index}]`, inside))}]`
  if ({}.toString.call(value) === '[object Object]') {
    const members = Object.entries(value as object).flatMap(([name, member]) =>
      member === undefined && /^input\b/.test(path)
        ? []
        : `${JSON.stringify(name)}:${printJson(member, path ? `${path}.${name}` : name, inside)}`,
    )
    return `{${members}}`
  }
  const text = JSON.stringify(value)
  // Functions have no text, NaN and invalid dates are null, and promises and maps have no members.
  if (!text || text === '{}' || (text === 'null' && given !== null))
    throw invalid(`${path} is ${String(given)}`)
  return text
}

/** @internal */
export function failure(message: string, code: string, cause?: unknown): GatewayFailure {
  return { ok: false, errors: [{ message, extensions: { code }, cause }], partial: undefined }
}

const invalid = (problem: string): Error =>
  Object.assign(new Error(`${problem}. Nothing was sent`), { code: 'VALUE_INVALID' })

/**
 * Adds signals to a gateway for one request, which keeps its time limit.
 *
 * @internal
 */
export function withSignals(gateway: Gateway, ...signals: readonly AbortSignal[]): Gateway {
  const own = 'signal' in gateway ? gateway.signal : AbortSignal.timeout(30_000)
  return { ...gateway, signal: AbortSignal.any(own ? [...signals, own] : [...signals]) }
}
