import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import fc from 'fast-check'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** Behavior of the server for every request of one call. */
export interface Plan {
  readonly status: number
  readonly body: BodyKind
  readonly framing: Framing
  readonly encoding: Encoding
  readonly retryAfter: string | undefined
  /** Number of requests to handle this way before responding as documented. */
  readonly times: number
  readonly seed: number
}

const bodies = [
  'right',
  'mutated',
  'odd',
  'html',
  'empty',
  'binary',
  'truncated',
  'huge',
  'echo',
  'echoJson',
  'echoForm',
  'counts',
  'deep',
  'refusal',
] as const
type BodyKind = (typeof bodies)[number]
const framings = [
  'length',
  'chunked',
  'close',
  'tooLong',
  'tooShort',
  'badChunk',
  'both',
  'reset',
  'resetLater',
  'hang',
  'hangLater',
  'nonsense',
  'early',
  'hugeHeader',
  'badHeader',
] as const
type Framing = (typeof framings)[number]
const encodings = [
  'none',
  'gzip',
  'cutGzip',
  'falseGzip',
  'br',
  'falseBr',
  'many',
  'unknown',
] as const
type Encoding = (typeof encodings)[number]

const often = <T>(value: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, fc.constantFrom(...others))

export const plans: fc.Arbitrary<Plan> = fc.record({
  status: fc.oneof(
    fc.constant(200),
    fc.constantFrom(201, 204, 206, 299, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 408),
    fc.constantFrom(406, 409, 416, 422, 423, 425, 429, 451, 500, 501, 502, 503, 504, 599, 999),
  ),
  body: fc.constantFrom(...(bodies as readonly BodyKind[])),
  framing: often<Framing>('length', ...(framings as readonly Framing[])),
  encoding: often<Encoding>('none', ...encodings),
  retryAfter: fc.constantFrom(undefined, undefined, '0', '1', '99999', 'soon', '-1'),
  times: fc.constantFrom(1, 2, 1000),
  seed: fc.nat(),
})

const odd = [
  'null',
  '7',
  '"x"',
  '[]',
  '{}',
  '[[]]',
  'true',
  '1e999',
  '[null]',
  '{"data":null}',
  '{"__proto__":{"isSuccess":false}}',
  '{"data":{"toString":5}}',
  '{"items":[1,"x",null]}',
  '"\\ud800"',
  '{"errors":{"toString":1}}',
  '{"error":[[["x"]]]}',
  '{"data":[],"errors":7}',
  '{"redirect_uri":{"toString":1}}',
  '{"url":"http://["}',
  '{"errors":[null]}',
  '{"":""}',
] as const
const strange: readonly unknown[] = [
  null,
  7,
  '',
  'x',
  true,
  [],
  {},
  [null],
  { toString: 5 },
  -1,
  1e300,
  [[]],
  'http://[',
]

/** Replaces some of the values. */
function mutate(value: unknown, random: () => number): unknown {
  if (random() < 0.15) return strange[Math.floor(random() * strange.length)]
  if (Array.isArray(value)) return value.map((one) => mutate(one, random))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mutate(one, random)]))
}

function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const page = (text: string): string => `<!doctype html><html><title>${text}</title>${text}</html>`

function bodyOf(
  { body, seed }: Plan,
  right: unknown,
  request: IncomingMessage,
  sent: string,
): Buffer {
  const random = generator(seed)
  const text = typeof right === 'string' ? right : JSON.stringify(right)
  const headers = JSON.stringify(request.headers)
  switch (body) {
    case 'mutated':
      return Buffer.from(JSON.stringify(mutate(right, random)))
    case 'odd':
      return Buffer.from(odd[seed % odd.length]!)
    case 'html':
      return Buffer.from(page('502 Bad Gateway'))
    case 'empty':
      return Buffer.alloc(0)
    case 'binary':
      return Buffer.from(Array.from({ length: 300 }, () => Math.floor(random() * 256)))
    case 'truncated':
      return Buffer.from(text.slice(0, Math.ceil(text.length * random())))
    case 'huge':
      return Buffer.from(`[${'"x",'.repeat(100_000)}1]`)
    case 'echo':
      return Buffer.from(page(`${headers} ${sent} ${request.url}`))
    case 'echoJson':
      return Buffer.from(
        JSON.stringify({ isSuccess: false, message: sent, errors: request.headers }),
      )
    case 'echoForm':
      return Buffer.from(
        String(
          new URLSearchParams([
            ['error', headers],
            ['sent', sent],
          ]),
        ),
      )
    case 'counts': {
      const totalCount = [-1, 0, 1e9, 'x', 2.5][seed % 5]
      const rows = [{ itemId: 'a' }, { itemId: 'b' }]
      return Buffer.from(
        JSON.stringify({ data: rows, items: rows, organizations: rows, totalCount }),
      )
    }
    case 'deep':
      return Buffer.from(
        seed % 2
          ? '['.repeat(20_000) + ']'.repeat(20_000)
          : '{"data":'.repeat(5000) + '1' + '}'.repeat(5000),
      )
    case 'refusal':
      return Buffer.from(
        JSON.stringify({
          ...(typeof right === 'object' ? right : {}),
          isSuccess: false,
          success: false,
          is_success: false,
          errors: [{ message: 'no', extensions: { code: 'AUTH_NOT_AUTHENTICATED' } }],
        }),
      )
    default:
      return Buffer.from(text)
  }
}

function encoded(encoding: Encoding, body: Buffer): readonly [Buffer, string | undefined] {
  if (encoding === 'gzip') return [gzipSync(body), 'gzip']
  if (encoding === 'cutGzip') return [gzipSync(body).subarray(0, -9), 'gzip']
  if (encoding === 'falseGzip') return [body, 'gzip']
  if (encoding === 'br') return [brotliCompressSync(body), 'br']
  if (encoding === 'falseBr') return [body, 'br']
  if (encoding === 'many') return [body, 'gzip, '.repeat(50) + 'gzip']
  if (encoding === 'unknown') return [body, 'x-other']
  return [body, undefined]
}

function respond(socket: Socket, plan: Plan, payload: Buffer, location: string): void {
  const { framing, status, retryAfter } = plan
  const [body, encoding] = encoded(plan.encoding, payload)
  const head = (...lines: readonly string[]): string =>
    [
      `HTTP/1.1 ${status} X`,
      'content-type: application/json',
      `location: ${location}`,
      'set-cookie: session=canary-cookie; Path=/',
      ...(encoding === undefined ? [] : [`content-encoding: ${encoding}`]),
      ...(retryAfter === undefined ? [] : [`retry-after: ${retryAfter}`]),
      'connection: close',
      ...lines,
      '\r\n',
    ].join('\r\n')
  const length = `content-length: ${body.length}`
  const half = body.subarray(0, body.length / 2)
  const send = (...parts: readonly (string | Buffer)[]): void =>
    void socket.end(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
  const chunk = (part: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
  if (framing === 'reset') socket.resetAndDestroy()
  else if (framing === 'hang') return
  else if (framing === 'nonsense') send('220 smtp.test ESMTP\r\n')
  else if (framing === 'resetLater') {
    socket.write(Buffer.concat([Buffer.from(head(length)), half]), () => socket.resetAndDestroy())
  } else if (framing === 'hangLater') socket.write(Buffer.concat([Buffer.from(head(length)), half]))
  else if (framing === 'tooLong') send(head(`content-length: ${body.length + 10}`), body)
  else if (framing === 'tooShort') send(head(`content-length: ${half.length}`), body)
  else if (framing === 'badChunk') send(head('transfer-encoding: chunked'), 'zz\r\n', body)
  else if (framing === 'both') send(head(length, 'transfer-encoding: chunked'), chunk(body))
  else if (framing === 'close') send(head(), body)
  else if (framing === 'early')
    send('HTTP/1.1 103 X\r\nlink: </a>\r\n\r\n'.repeat(3), head(length), body)
  else if (framing === 'hugeHeader') send(head(`x-huge: ${'h'.repeat(100_000)}`, length), body)
  else if (framing === 'badHeader') send(head('x bad: \u0000', length), body)
  else if (framing === 'chunked') {
    const end = chunk(Buffer.alloc(0))
    const parts = [half, body.subarray(half.length)].filter((part) => part.length > 0).map(chunk)
    send(head('transfer-encoding: chunked'), ...parts, end)
  } else send(head(length), body)
}

/** A call with its plan and its documented response. */
interface Scripted {
  readonly plan: Plan
  readonly answer: unknown
  readonly hasStorage: boolean
  requests: number
}

/** Returns true if a plan makes calls time out. */
export const hangs = ({ framing }: Plan): boolean => framing.startsWith('hang')

/** Server on loopback that responds to each call according to its plan. */
export async function hostileServer() {
  const scripts = new Map<string, Scripted>()
  let leaks = 0
  const server = createServer((request, response) => {
    const { socket } = response
    request.socket.on('error', () => undefined)
    const chunks: Buffer[] = []
    request.on('error', () => undefined)
    request.on('data', (part: Buffer) => chunks.push(part))
    request.on('end', () => {
      if (!socket || socket.destroyed) return
      const [, id = '', ...rest] = request.url!.split('/')
      const script = scripts.get(id)
      if (rest[0] === 'leak') leaks++
      if (!script) return void response.end()
      const { plan } = script
      const own = `http://${request.headers.host}/${id}`
      // Signed URLs point to this server too.
      const right: unknown = JSON.parse(
        JSON.stringify(script.answer).replaceAll(/https?:\/\/(?:storage|s)\.test/g, own),
      )
      const isStorage = /^\/\w+\/(?:blob|multipart)/.test(request.url!)
      // For every second file, only the storage is hostile.
      const isSpared = plan.seed % 2 === 1 && script.hasStorage && !isStorage
      const isHostile = !isSpared && script.requests++ < plan.times
      const isToken = request.url!.endsWith('/oidc/token')
      const answer =
        isHostile || !isToken ? right : { access_token: 'canary-token', expires_in: 60 }
      const hostile = isHostile ? plan : { ...plan, ...harmless }
      const payload = bodyOf(hostile, answer, request, Buffer.concat(chunks).toString())
      respond(socket, hostile, payload, `${own}/leak?key=canary`)
    })
  })
  server.on('clientError', (_, socket) => socket.destroy())
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let last = 0
  return {
    /** Returns the URL of a service that follows the plan. */
    serve: (plan: Plan, answer: unknown): { readonly url: string; readonly end: () => void } => {
      const id = `c${last++}`
      const hasStorage = JSON.stringify(answer).includes('storage.test')
      scripts.set(id, { plan, answer, hasStorage, requests: 0 })
      return { url: `${origin}/${id}`, end: () => void scripts.delete(id) }
    },
    /** Number of requests that followed a redirect. */
    leaks: () => leaks,
    close: () =>
      new Promise<unknown>((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

const harmless = {
  status: 200,
  body: 'right',
  framing: 'length',
  encoding: 'none',
  retryAfter: undefined,
} as const
