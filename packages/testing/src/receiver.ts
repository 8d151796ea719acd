import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Request that a receiver got. */
interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Server that records the requests it receives. */
export interface Receiver {
  readonly address: string
  /** Waits for a number of requests and removes them from the record. */
  readonly take: (count: number) => Promise<readonly Received[]>
  /** Returns the number of requests that were not taken. */
  readonly waiting: () => number
  /** Sets the statuses of the next responses; 200 after those. */
  readonly answer: (...statuses: readonly number[]) => void
  readonly close: () => Promise<void>
}

/** Starts a receiver on a free port of this machine. */
export async function receiver(): Promise<Receiver> {
  let received: Received[] = []
  let statuses: number[] = []
  let arrived = (): void => {}
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(statuses.shift() ?? 200, { location: '/elsewhere' }).end()
      arrived()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: async (count) => {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      }
      const taken = received
      received = []
      return taken
    },
    waiting: () => received.length,
    answer: (...given) => {
      statuses = [...given]
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
