import { readText } from '@servicekit/core/node'
import { timingSafeEqual } from 'node:crypto'

/** Webhook that the test receiver received. */
interface ReceivedRequest {
  readonly at: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Status of the response. */
  readonly status: number
}

const maxRequests = 20
/** Longer bodies are cut, in characters. */
const maxBody = 64 * 1024
const path = '/receiver/'

/** Receiver of webhooks for tests, which keeps the last requests in memory. */
export interface Receiver {
  /** Path below that of the console. Only who may use the control routes learns it. */
  readonly path: string
  readonly requests: readonly ReceivedRequest[]
  /** Status with which it responds from now on. */
  status: number
  /** Returns true for its own path. */
  readonly matches: (path: string) => boolean
  readonly receive: (request: Request) => Promise<Response>
}

/** Creates a receiver with a path that nobody can guess. */
export function createReceiver(): Receiver {
  const token = Buffer.from(crypto.randomUUID())
  let requests: readonly ReceivedRequest[] = []
  const receiver: Receiver = {
    path: `${path}${String(token)}`,
    get requests() {
      return requests
    },
    status: 204,
    matches: (given) => {
      const sent = Buffer.from(given.startsWith(path) ? given.slice(path.length) : '')
      return sent.length === token.length && timingSafeEqual(sent, token)
    },
    receive: async (request) => {
      const { status } = receiver
      const body = (await readText(request)).slice(0, maxBody)
      const headers = Object.fromEntries(request.headers)
      const received = { at: new Date().toISOString(), headers, body, status }
      requests = [received, ...requests].slice(0, maxRequests)
      return new Response(null, { status })
    },
  }
  return receiver
}
