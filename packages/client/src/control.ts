/**
 * Typed client of the control operations: the administration of a platform and its projects. For
 * servers and tools; applications need no control operation.
 */
import type { ControlAddress, ControlInput, ControlResult } from '@servicekit/contract/control'
import { controlTokenName, parseJson, rejectOnAbort } from '@servicekit/core'
import { RequestError } from './errors.ts'
import type { FetchLike } from './transport-fetch.ts'

export type { ControlAddress, ControlInput, ControlResult } from '@servicekit/contract/control'

/** Options of {@link createControl}. */
export interface ControlClientOptions {
  /** Origin of the platform, such as `https://platform.example`. */
  readonly baseUrl: string
  /** Control token. A platform on this machine may have none. */
  readonly token?: string | undefined
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: FetchLike
  /** Returns headers of a request. */
  readonly headers?: () => Readonly<Record<string, string>>
  /** Prints the body of a request; as JSON by default. */
  readonly print?: (body: unknown) => string
  /** Aborts all requests. */
  readonly signal?: AbortSignal | undefined
}

/** Options of one call. */
export interface ControlCall {
  readonly signal?: AbortSignal | undefined
  /** Bytes of a file, for the operation that writes them. */
  readonly bytes?: ReadableStream<Uint8Array> | undefined
}

type Arguments<Input> = {} extends Input
  ? [input?: Input & ControlCall]
  : [input: Input & ControlCall]

/** Client of the control operations of one platform. */
export interface Control {
  readonly baseUrl: string
  /**
   * Calls an operation.
   *
   * ```ts
   * const { items } = await control.send('GET /projects/{project}/keys', {
   *   path: { project: 'shop' },
   *   query: { missing: 'de-DE' },
   * })
   * ```
   *
   * @throws RequestError if the platform cannot be reached or refuses the request.
   */
  readonly send: <A extends ControlAddress>(
    address: A,
    ...input: Arguments<ControlInput<A>>
  ) => Promise<ControlResult<A>>
  /** Calls an operation, and returns a response whose body is not read. @throws RequestError */
  readonly fetch: <A extends ControlAddress>(
    address: A,
    ...input: Arguments<ControlInput<A>>
  ) => Promise<Response>
}

/** Parameters and body of any operation. */
interface AnyInput extends ControlCall {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** Creates a client of the control operations. */
export function createControl(options: ControlClientOptions): Control {
  const { baseUrl, token, fetch = globalThis.fetch, headers, print = JSON.stringify } = options
  const signalOf = (input: AnyInput = {}) => input.signal ?? options.signal
  const request = async (address: string, input: AnyInput = {}): Promise<Response> => {
    const { path = {}, query = {}, body, bytes } = input
    const signal = signalOf(input)
    const [method, template] = address.split(' ') as [string, string]
    const url = `${baseUrl}/_platform${fill(template, path)}${queryString(query)}`
    const init: RequestInit & { duplex?: 'half' } = {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers?.(),
      },
      // A redirect could lead to another origin, which must not receive the token.
      redirect: 'manual',
      ...(signal && { signal }),
      ...(body !== undefined && { body: print(body) }),
      ...(bytes && { body: bytes, duplex: 'half' }),
    }
    const sent = (async () => fetch(new Request(url, init)))()
    const response = await sent.catch((cause: unknown) => {
      throw new RequestError('Cannot reach the platform', {
        code: signal?.aborted ? 'REQUEST_ABORTED' : 'REQUEST_FAILED',
        details: { url },
        help: 'Start it with `servicekit dev`, or set its URL with --base-url.',
        cause,
      })
    })
    if (response.ok) return response
    throw await refusalOf(response, url, signal)
  }
  const send = async (address: string, input?: AnyInput): Promise<unknown> => {
    const response = await request(address, input)
    if (response.status === 204) return undefined
    const text = await readBody(response, signalOf(input))
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw unreadable(response, 'RESPONSE_INVALID', cause)
    }
  }
  return { baseUrl, send, fetch: request } as Control
}

/** Reads a body. In Node, its signal does not end it once the request is garbage-collected. */
function readBody(response: Response, signal: AbortSignal | undefined): Promise<string> {
  const text = response.text()
  return (signal ? rejectOnAbort(signal, text) : text).catch((cause: unknown) => {
    throw unreadable(response, signal?.aborted ? 'REQUEST_ABORTED' : 'RESPONSE_INVALID', cause)
  })
}

const unreadable = (
  { url }: Response,
  code: 'REQUEST_ABORTED' | 'RESPONSE_INVALID',
  cause: unknown,
): RequestError =>
  new RequestError('Cannot read the response of the platform', { code, details: { url }, cause })

async function refusalOf(
  response: Response,
  url: string,
  signal: AbortSignal | undefined,
): Promise<RequestError> {
  const { status } = response
  const text = await readBody(response, signal).catch((error: RequestError) => {
    if (error.code === 'REQUEST_ABORTED') throw error
    return ''
  })
  const body = parseJson(text) as { title?: string } | undefined
  return new RequestError(body?.title ?? 'The platform refused the request', {
    code: 'REQUEST_REFUSED',
    details: { url, status },
    ...(status === 401 || status === 403
      ? { help: `Set ${controlTokenName} to the control token of the platform.` }
      : {}),
    status,
    body,
  })
}

const fill = (template: string, values: Readonly<Record<string, unknown>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(values[name] ?? ''))
    // An empty segment, or one of dots, would address another operation.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} cannot be "${value}"`)
    return value
  })

function queryString(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
