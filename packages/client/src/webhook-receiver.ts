import { isObject } from '@servicekit/core'
import { readBytes } from './read-bytes.ts'
import { type ReadEvent, readEvents, type WebhookHandlers } from './webhook-events.ts'

/** Options of {@link receive}. */
export interface ReceiverOptions {
  /**
   * Configured secret: the value of `serviceWebhookSecret.secret`. While a secret is replaced,
   * a list of both.
   */
  readonly secret: string | readonly string[]
  /** Header that carries the secret: `serviceWebhookSecret.headerKey`. */
  readonly headerKey: string
  /** Largest body, in bytes. Default: 256 KiB. */
  readonly maxBytes?: number
  /**
   * Stores which events were handled. Default: the last 1,000 events of this process. Pass
   * a shared store if several instances receive events.
   */
  readonly seen?: SeenEvents
  /**
   * Called with errors of a handler or of `seen`. The response is 500, and the event may
   * come again.
   */
  readonly onError?: (error: unknown) => void
}

/**
 * Store of handled events. Instances that share one may both handle an event whose duplicate
 * arrives at the other one in the meantime.
 */
export interface SeenEvents {
  /** Returns true if the event was handled. */
  readonly has: (id: string) => boolean | Promise<boolean>
  /** Adds an event after it was handled. */
  readonly add: (id: string) => unknown
}

/** Request of Node, Express or Fastify. */
interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Body, if the framework has parsed it already. */
  readonly body?: unknown
  /** `false` as long as nobody has read the stream. */
  readonly readableDidRead?: boolean
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
  // Last, because Hono's types infer the response type from the last overload.
  (context: HonoContext, next?: unknown): Promise<Response>
}

/**
 * Creates a handler that receives webhook events (section 6). The secret is compared in
 * constant time before the body is read. Each event is handled once, by its correlation id;
 * an event without an id is handled each time it arrives. A body may have several events.
 *
 * Responds with 200 if the event was handled, was already handled or has no handler; 401
 * for a wrong secret, 405 for a wrong method, 413 for an oversized body, 400 for an invalid
 * event, and 500 if a handler threw or `seen` failed.
 *
 * @throws TypeError if `secret` or `headerKey` is empty.
 */
export function receive(options: ReceiverOptions, handlers: WebhookHandlers): Receiver {
  if (!options.headerKey) throw new TypeError('headerKey must not be empty')
  const handleRequest = requestHandler(options, handlers)
  const receiver = async (
    given: Request | HonoContext | NodeRequest | FastifyRequest,
    reply?: NodeResponse | FastifyReply,
  ): Promise<Response | void> => {
    // The second argument is `next` in Hono and an environment in Fetch servers, where
    // others pass the response.
    if ('req' in given || isFetchRequest(given)) {
      const request = 'req' in given ? given.req.raw : given
      const header = (name: string): string | null => request.headers.get(name)
      const status = await handleRequest(request.method, header, () => request.body)
      return new Response(bodyOf(status), { status })
    }
    const request = 'raw' in given ? given.raw : (given as NodeRequest)
    const { body } = given as NodeRequest | FastifyRequest
    const status = await handleRequest(
      request.method,
      (name) => {
        const value = request.headers[name]
        return typeof value === 'object' ? value[0] : value
      },
      () => (body === undefined || isUnread(request, body) ? request : body),
    )
    const target = reply as NodeResponse | FastifyReply
    if ('code' in target) target.code(status).send(bodyOf(status))
    else {
      target.statusCode = status
      target.end(bodyOf(status))
    }
  }
  return receiver as Receiver
}

/** Express 4 sets the body to `{}` where no parser is for its type, and leaves the stream unread. */
const isUnread = (request: NodeRequest, body: unknown): boolean =>
  request.readableDidRead === false && isObject(body) && Object.keys(body).length === 0

/** Checked by shape: the Request of a polyfill is not an instance of the global one. */
const isFetchRequest = (given: object): given is Request =>
  typeof (given as { headers?: { get?: unknown } }).headers?.get === 'function'

const bodyOf = (status: number): string => (status === 200 ? '{"ok":true}' : '{"ok":false}')

/** Creates the framework-independent part: a request in, a status out. */
function requestHandler(options: ReceiverOptions, handlers: WebhookHandlers) {
  const { maxBytes = 262_144, seen = recentEvents(1000), onError } = options
  const secrets = secretsOf(options)
  const headerKey = options.headerKey.toLowerCase()
  const handleEvent = onceHandler(handlers, seen)
  return async (
    method: string | undefined,
    header: (name: string) => string | null | undefined,
    body: () => unknown,
  ): Promise<number> => {
    if (method !== 'POST') return 405
    const given = header(headerKey) ?? ''
    // Compares with all of them, so that the time does not tell which one matches.
    if (secrets.filter((secret) => isSame(given, secret)).length === 0) return 401
    const length = header('content-length')
    if (Number(length) > maxBytes) return 413
    const parsed = await parse(body(), maxBytes, length == null)
    if (parsed === tooLarge) return 413
    const events = readEvents(parsed)
    if (!events) return 400
    const results = await Promise.allSettled(events.map(handleEvent))
    const failures = results.filter((result) => result.status === 'rejected')
    // An error of the report must not replace the response, nor end the process.
    await Promise.allSettled(failures.map(async ({ reason }) => onError?.(reason)))
    return failures.length === 0 ? 200 : 500
  }
}

/**
 * Returns a function that handles each event with an id once. A duplicate that arrives while
 * its event is being handled has the same outcome. An event is stored after its handler
 * succeeded, so that neither a failure nor the end of the process loses it.
 */
function onceHandler(handlers: WebhookHandlers, seen: SeenEvents) {
  const running = new Map<string, Promise<void>>()
  const run = async ({ id, name, body }: ReadEvent): Promise<void> => {
    if (id !== undefined && (await seen.has(id))) return
    await handlers[name]?.(body as never)
    if (id !== undefined) await seen.add(id)
  }
  return async (event: ReadEvent): Promise<void> => {
    const { id } = event
    // Without an id, a duplicate cannot be told from a second event with the same content.
    if (id === undefined) return run(event)
    const work = running.get(id) ?? run(event).finally(() => running.delete(id))
    running.set(id, work)
    return work
  }
}

/** Returns the accepted secrets. */
function secretsOf({ secret }: ReceiverOptions): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!secrets?.length || !secrets.every((one) => typeof one === 'string' && one !== ''))
    throw new TypeError('secret must not be empty, or anyone could send events')
  return secrets
}

const tooLarge = Symbol('tooLarge')

async function parse(body: unknown, maxBytes: number, isUnmeasured: boolean): Promise<unknown> {
  try {
    const read = isStream(body) ? ((await readBytes(body, maxBytes)) ?? tooLarge) : body
    if (read === tooLarge) return read
    if (read instanceof Uint8Array) return JSON.parse(new TextDecoder().decode(read))
    if (typeof read === 'string') return JSON.parse(read)
    // Without a content-length header, the framework parsed it up to its own limit.
    return isUnmeasured && JSON.stringify(read).length > maxBytes ? tooLarge : read
  } catch {
    return undefined
  }
}

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
  Symbol.asyncIterator in Object(body)

/**
 * Compares in a time that depends only on the length of the given text, not on how much of
 * it matches.
 */
export function isSame(given: string, secret: string): boolean {
  let difference = given.length ^ secret.length
  for (let index = 0; index < given.length; index++) {
    difference |= given.charCodeAt(index) ^ secret.charCodeAt(index % secret.length)
  }
  return difference === 0
}

/** Keeps the last events of this process. */
export function recentEvents(max: number): SeenEvents {
  const ids = new Set<string | undefined>()
  // In a ring: getting the first member of a Set walks over all deleted ones.
  const order: string[] = []
  let next = 0
  return {
    has: (id) => ids.has(id),
    add: (id) => {
      if (ids.has(id)) return
      ids.add(id)
      ids.delete(order[next])
      order[next] = id
      next = (next + 1) % max
    },
  }
}
