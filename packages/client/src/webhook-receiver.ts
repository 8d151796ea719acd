import { readBytes } from './read-bytes.ts'
import { type ReadEvent, readEvent, type WebhookHandlers } from './webhook-events.ts'

/** Who may send events, and how they are taken. */
export interface ReceiverOptions {
  /** As configured: the value of `serviceWebhookSecret.secret`. */
  readonly secret: string
  /** Header that carries it: `serviceWebhookSecret.headerKey`. */
  readonly headerKey: string
  /** Largest body, in bytes; 256 KiB by default. */
  readonly maxBytes?: number
  /**
   * Remembers which events were handled. The last 1,000 of this process by
   * default; give one over a store that instances share.
   */
  readonly seen?: SeenEvents
  /** Milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number
  /** Told of what a handler or `seen` throws; it is answered by 500, and the event may come again. */
  readonly onError?: (error: unknown) => void
}

/** Which events were handled. */
export interface SeenEvents {
  /** Notes an event; false where it was noted before. */
  readonly add: (id: string) => boolean | Promise<boolean>
  /** Forgets one whose handler failed. */
  readonly delete: (id: string) => unknown
}

/** A request as Node, Express and Fastify have it. */
interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** What a parser of the framework made of the body, where it ran before. */
  readonly body?: unknown
}
interface NodeResponse {
  statusCode: number
  readonly end: (text?: string) => unknown
}
interface HonoContext {
  readonly req: { readonly raw: Request }
}
interface FastifyRequest {
  readonly raw: NodeRequest
  readonly body?: unknown
}
interface FastifyReply {
  readonly code: (status: number) => { readonly send: (text: string) => unknown }
}

/**
 * One handler for every kind of server:
 *
 * ```ts
 * const hook = receive({ secret, headerKey: 'x-hook' }, { TranslateAllEvent: pullAgain })
 * serve({ fetch: hook })                 // Fetch: Request in, Response out
 * app.post('/hook', hook)                // Hono, Express, Fastify
 * createServer(hook)                     // node:http
 * ```
 */
export interface Receiver {
  (request: Request): Promise<Response>
  (request: NodeRequest, response: NodeResponse, next?: unknown): Promise<void>
  (request: FastifyRequest, reply: FastifyReply): Promise<void>
  // The last, since it is the last that Hono's types take an answer's type from.
  (context: HonoContext, next?: unknown): Promise<Response>
}

/**
 * Receives what the service sends to a webhook (section 6). The secret is
 * compared in constant time before a byte of the body is read; an event is
 * handled once, by its correlation id. One of a known kind without an id is handled once for
 * the same content within ten minutes.
 *
 * It answers 200 for an event that was handled, was handled before or concerns
 * nobody; 401 for the secret, 405 for a method, 413 for a body, 400 for what is
 * no event, and 500 where a handler threw.
 *
 * @throws TypeError where secret or headerKey is empty.
 */
export function receive(options: ReceiverOptions, handlers: WebhookHandlers): Receiver {
  if (!options.secret) throw new TypeError('secret is empty: everybody could send events')
  if (!options.headerKey) throw new TypeError('headerKey is empty')
  const take = taker(options, handlers)
  const receiver = async (
    given: Request | HonoContext | NodeRequest | FastifyRequest,
    reply?: NodeResponse | FastifyReply,
  ): Promise<Response | void> => {
    // Hono hands over what comes next, and Fetch servers what they know, where others have a reply.
    if ('req' in given || reply === undefined || isFetchRequest(given)) {
      const request = 'req' in given ? given.req.raw : (given as Request)
      const header = (name: string): string | null => request.headers.get(name)
      const status = await take(request.method, header, () => request.body ?? [])
      return new Response(said(status), { status })
    }
    const request = 'raw' in given ? given.raw : (given as NodeRequest)
    const { body } = given as NodeRequest | FastifyRequest
    const status = await take(
      request.method,
      (name) => {
        const value = request.headers[name]
        return typeof value === 'object' ? value[0] : value
      },
      () => body ?? request,
    )
    if ('code' in reply) reply.code(status).send(said(status))
    else {
      reply.statusCode = status
      reply.end(said(status))
    }
  }
  return receiver as Receiver
}

/** By its form: the Request of a polyfill is no instance of ours. */
const isFetchRequest = (given: object): given is Request =>
  typeof (given as { headers?: { get?: unknown } }).headers?.get === 'function'

const said = (status: number): string => (status === 200 ? '{"ok":true}' : '{"ok":false}')

/** The part that all servers have in common: a request in, a status out. */
function taker(options: ReceiverOptions, handlers: WebhookHandlers) {
  const { secret, maxBytes = 262_144, seen = recentEvents(1000), now = Date.now } = options
  const { onError } = options
  const headerKey = options.headerKey.toLowerCase()
  return async (
    method: string | undefined,
    header: (name: string) => string | null | undefined,
    body: () => unknown,
  ): Promise<number> => {
    if (method !== 'POST') return 405
    if (!isSame(header(headerKey) ?? '', secret)) return 401
    const length = header('content-length')
    if (Number(length) > maxBytes) return 413
    const parsed = await parse(body(), maxBytes, length == null)
    if (parsed === tooLarge) return 413
    const event = readEvent(parsed)
    if (!event) return 400
    try {
      const ids = await idsOf(event, now())
      for (const id of ids) if (!(await seen.add(id))) return 200
      try {
        await handlers[event.name]?.(event.body as never)
        return 200
      } catch (error) {
        onError?.(error)
        for (const id of ids) await seen.delete(id)
      }
    } catch (error) {
      // What remembers events may be down; on node:http nobody would take what is thrown.
      onError?.(error)
    }
    return 500
  }
}

/** How long the same content without an id counts as one event: this long at least, at most twice. */
const repeatMs = 600_000

/** What an event is remembered by. One without an id is known by its content, for a while. */
async function idsOf({ id, name, body }: ReadEvent, nowMs: number): Promise<readonly string[]> {
  if (id !== undefined) return [id]
  // Of an unknown kind, two of the same content may well be two events.
  if (name === 'other') return []
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const content = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const period = Math.floor(nowMs / repeatMs)
  // The earlier one first: a repeat must not be remembered as a new event.
  return [period - 1, period].map((one) => `${name}:${content}:${one}`)
}

const tooLarge = Symbol('tooLarge')

async function parse(body: unknown, maxBytes: number, isUnmeasured: boolean): Promise<unknown> {
  try {
    const text =
      typeof body === 'string' || body instanceof Uint8Array ? body : await streamed(body, maxBytes)
    if (text === tooLarge) return text
    if (text instanceof Uint8Array) return JSON.parse(new TextDecoder().decode(text))
    if (typeof text !== 'object') return JSON.parse(text as string)
    // What came without a length was parsed up to the limit of whoever parsed it.
    return isUnmeasured && JSON.stringify(text).length > maxBytes ? tooLarge : text
  } catch {
    return undefined
  }
}

/** Bytes of a stream; what a framework has parsed already is left as it is. */
const streamed = async (body: unknown, maxBytes: number): Promise<unknown> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body
    ? ((await readBytes(body as AsyncIterable<Uint8Array>, maxBytes)) ?? tooLarge)
    : body

/** Compares in a time that depends on the given text alone, and not on how much of it is right. */
export function isSame(given: string, secret: string): boolean {
  let difference = given.length ^ secret.length
  for (let index = 0; index < given.length; index++) {
    difference |= given.charCodeAt(index) ^ secret.charCodeAt(index % secret.length)
  }
  return difference === 0
}

/** The last events of this process. */
export function recentEvents(max: number): SeenEvents {
  const ids = new Set<string>()
  // In a ring, since to ask a Set for its first member is to walk over all that were deleted.
  const order: (string | undefined)[] = []
  let next = 0
  return {
    add: (id) => {
      if (ids.has(id)) return false
      ids.add(id)
      const oldest = order[next]
      if (oldest !== undefined) ids.delete(oldest)
      order[next] = id
      next = (next + 1) % max
      return true
    },
    delete: (id) => {
      if (ids.delete(id)) order[order.indexOf(id)] = undefined
    },
  }
}
