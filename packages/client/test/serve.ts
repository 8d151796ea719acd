import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Route } from '@servicekit/contract/routes'
import { type ClientOptions, type Core, createCore, fetchTransport } from '../src/index.ts'
import { undiciTransport } from '../src/transport-undici.ts'
import type { Transport } from '../src/transport.ts'

/** Requests and connections of a server started by {@link serve}. */
export interface Served {
  readonly url: string
  readonly requests: readonly IncomingMessage[]
  readonly sockets: readonly Socket[]
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** Starts a real server on a free port until the end of the test; the last response repeats. */
export async function serve(...answers: [Answer, ...Answer[]]): Promise<Served> {
  const requests: IncomingMessage[] = []
  const sockets: Socket[] = []
  const listener: RequestListener = (request, response) => {
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1]!
    answer(response, request)
  }
  const server = createServer(listener)
  server.on('connection', (socket: Socket) => sockets.push(socket))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests, sockets }
}

/** Returns a local URL without a listener. */
export async function freeAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return `http://127.0.0.1:${port}`
}

/** Responds with a status, a body (objects as JSON) and headers. */
export const answer =
  (status: number, body: unknown = '', headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers)
    response.end(typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body))
  }

export const transports: readonly [name: string, transport: Transport][] = [
  ['undici', undiciTransport()],
  ['fetch', fetchTransport()],
]

const base = { method: 'GET', auth: 'project' } as const
/** One route for each effect. */
export const routes = {
  read: { ...base, id: 'test.read', path: '/read', effect: 'read' },
  replace: { ...base, id: 'test.replace', method: 'PUT', path: '/replace', effect: 'replace' },
  create: { ...base, id: 'test.create', method: 'POST', path: '/create', effect: 'create' },
} as const satisfies Record<string, Route>

/** Clock that advances only by pauses, which take no real time and are recorded. */
export function fakeRuntime(random = 1): {
  readonly pauses: number[]
  readonly runtime: NonNullable<ClientOptions['runtime']>
} {
  const pauses: number[] = []
  let now = Date.parse('2030-01-01T00:00:00Z')
  return {
    pauses,
    runtime: {
      now: () => now,
      random: () => random,
      sleep: async (ms) => {
        pauses.push(ms)
        now += ms
      },
    },
  }
}

/** Creates a core for a served URL, without retries by default. */
export const coreFor = (
  { url }: Pick<Served, 'url'>,
  transport: Transport,
  options: Partial<ClientOptions> = {},
): Core =>
  createCore({ baseUrl: url, projectKey: 'P1', transport, retry: { attempts: 1 }, ...options })
