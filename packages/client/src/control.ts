/**
 * Typed client of the control operations: the administration of a platform and its projects. For
 * servers and tools; applications need no control operation.
 */
import type {
  ControlAddress,
  ControlEffects,
  ControlInput,
  controlPath,
  ControlResult,
} from '@servicekit/contract/control'
import type { Route } from '@servicekit/contract/routes'
import { controlEffects, controlTokenName } from '@servicekit/core'
import { type Core, type CoreResponse, createResolvedCore } from './core.ts'
import { RequestError } from './errors.ts'
import { readHeaders } from './headers.ts'
import { type ClientOptions, type ResolvedClientOptions, resolveSending } from './options.ts'
import type { SendInput } from './send-input.ts'
import { type FetchLike, fetchTransport } from './transport-fetch.ts'

export type { ControlAddress, ControlInput, ControlResult } from '@servicekit/contract/control'

/** Options of {@link createControl}. */
export interface ControlClientOptions extends Pick<
  ClientOptions,
  'timeoutMs' | 'totalTimeoutMs' | 'retry' | 'runtime'
> {
  /** Origin of the platform, such as `https://platform.example`. */
  readonly baseUrl: string
  /** Control token. A platform on this machine may have none. */
  readonly token?: string | undefined
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: FetchLike
  /** Returns headers of each attempt. */
  readonly headers?: () => Readonly<Record<string, string>>
  /** Prints the body of a request; as JSON by default. */
  readonly print?: (body: unknown) => string
  /** Aborts all requests. */
  readonly signal?: AbortSignal | undefined
}

/** Options of one call. */
export interface ControlCall {
  readonly signal?: AbortSignal | undefined
  /** Bytes of a file, for the operation that writes them. They are sent once. */
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
   * @throws ResponseShapeError if the response is not JSON.
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
  readonly query?: NonNullable<SendInput['query']>
  readonly body?: unknown
}

/** Limits by default. An import of a large project takes minutes. */
const limits = { timeoutMs: 5 * 60_000, totalTimeoutMs: 10 * 60_000, retry: { attempts: 3 } }

/** Creates a client of the control operations. */
export function createControl(options: ControlClientOptions): Control {
  const { baseUrl, token, headers, signal: signalOfAll, ...more } = options
  const { fetch = globalThis.fetch, print = JSON.stringify, ...sending } = more
  const client: ResolvedClientOptions = {
    ...resolveSending({
      ...limits,
      ...sending,
      ...(headers && { hooks: { before: headers } }),
      transport: fetchTransport(fetch),
      requestIds: false,
    }),
    baseUrl,
    // The project is part of the path.
    projectKey: '',
    keyHeader: '',
    headers: token ? readHeaders({ authorization: `Bearer ${token}` }) : {},
  }
  const sendOver = (core: Core, address: string, input: AnyInput): Promise<CoreResponse> => {
    const { path = {}, query = {}, body, signal = signalOfAll } = input
    const sent = core.send(routeOf(address, query), {
      intent: 'send the request to the platform',
      path: Object.fromEntries(
        Object.entries(path).map(([name, value]) => [name, String(value ?? '')]),
      ),
      query,
      ...(body !== undefined && { jsonText: print(body) }),
      ...(signal && { signal }),
    })
    return sent.catch(rejectWithReason)
  }
  const core = createResolvedCore(client)
  const send = async (address: string, input: AnyInput = {}): Promise<unknown> =>
    input.bytes
      ? void (await sendStreamed(address, input))
      : (await sendOver(core, address, input)).json()

  /** Sends a request whose bodies are streamed: the core reads only the status of a success. */
  const sendStreamed = async (address: string, input: AnyInput = {}): Promise<Response> => {
    const { bytes, signal = signalOfAll } = input
    let streamed: Response | undefined
    const transport = fetchTransport(async (request) => {
      const init: RequestInit & { duplex?: 'half' } = {
        ...(bytes && { body: bytes, duplex: 'half' }),
        // The signal of the attempt ends with the head of the response.
        ...(signal && { signal }),
      }
      const response = await fetch(new Request(request, init))
      if (!response.ok) return response
      streamed = response
      return new Response()
    })
    const retry = bytes ? { ...client.retry, attempts: 1 } : client.retry
    await sendOver(createResolvedCore({ ...client, transport, retry }), address, input)
    return streamed!
  }
  return { baseUrl, send, fetch: sendStreamed } as Control
}

/** Typed by the contract, whose module also contains validators. */
const basePath: typeof controlPath = '/_platform'

/** Effects that differ from those of the methods. The contract types their list, so none is missing. */
const effects: ControlEffects = {
  'POST /projects/{project}/publish/preview': 'read',
  'POST /projects/{project}/interface/data/v4/Files/GetFilesInfo': 'read',
  'POST /projects/{project}/interface/iam/v4/iam/permissions': 'read',
  'POST /projects/{project}/interface/iam/v4/iam/roles': 'read',
  'POST /projects/{project}/interface/iam/v4/iam/users': 'read',
  'POST /projects/{project}/interface/iam/v4/iam/users/deactivate': 'replace',
  'POST /projects/{project}/interface/iam/v4/iam/users/roles-and-permissions': 'replace',
  'POST /projects/{project}/interface/idp/v1/Iam/GetAccounts': 'read',
  'POST /projects/{project}/interface/idp/v1/Iam/GetUsers': 'read',
  'POST /projects/{project}/interface/idp/v1/Iam/Update': 'replace',
  'POST /projects/{project}/interface/tools/tutorial/{tool_id}': 'replace',
}

function routeOf(address: string, query: NonNullable<AnyInput['query']>): Route {
  const [method, path] = address.split(' ') as [Route['method'], Route['path']]
  return {
    id: address,
    method,
    path: `${basePath}${path}`,
    query: Object.keys(query).filter((name) => query[name] !== null),
    effect: effects[address as keyof ControlEffects] ?? controlEffects[method],
  }
}

/** Rethrows an error with the reason that the platform states, or with how to reach it. */
function rejectWithReason(error: unknown): never {
  if (!(error instanceof RequestError)) throw error
  const { code, status, body, details, cause } = error
  const isUnreachable = status === undefined && code !== 'REQUEST_ABORTED'
  const { title = 'The platform refused the request' } = (body ?? {}) as { title?: string }
  throw new RequestError(status === undefined ? 'Cannot reach the platform' : title, {
    code,
    details: { url: details['url'], status },
    ...(isUnreachable && {
      help: 'Start it with `servicekit dev`, or set its URL with --base-url.',
    }),
    ...((status === 401 || status === 403) && {
      help: `Set ${controlTokenName} to the control token of the platform.`,
    }),
    status,
    body,
    cause,
  })
}
