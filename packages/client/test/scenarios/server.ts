import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type Echo, escapes } from './escapes.ts'
import type { Answer } from './scenario.ts'
import { scenarios } from './table.ts'

/** Server of the table, with a page for browsers at its root. */
export interface ScenarioServer {
  readonly origin: string
  /** Returns the number of requests of a build for a scenario. */
  readonly requestsOf: (build: string, index: number) => number
  readonly close: () => void
}

/** Starts the server. A path begins with the name of the build and the index of the scenario. */
export async function startServer(): Promise<ScenarioServer> {
  const counts = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const [, build, index] = request.url!.split('/')
    const scenario = scenarios[Number(index)]
    if (!index || !scenario) {
      response.writeHead(index ? 404 : 200, { 'content-type': 'text/html' })
      return void response.end('<!doctype html><link rel="icon" href="data:,"><title>x</title>')
    }
    const place = `${build}/${index}`
    const count = (counts.get(place) ?? 0) + 1
    counts.set(place, count)
    const body = await textOf(request)
    const { answers } = scenario
    answer(answers[Math.min(count, answers.length) - 1] ?? {}, request, body, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestsOf: (build, index) => counts.get(`${build}/${index}`) ?? 0,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function answer(
  { status = 200, headers, body = {}, bytes, echo, encoding, fault }: Answer,
  request: IncomingMessage,
  sent: string,
  response: ServerResponse,
): void {
  if (fault === 'reset') return void response.destroy()
  if (fault === 'hang') return
  if (fault === 'continue') response.writeContinue()
  if (fault === 'hints') response.writeEarlyHints({ link: '</a.css>; rel=preload' })
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const echoed = echo ? text.replaceAll('{{request}}', () => echoOf(request, sent, echo)) : text
  const plain = bytes === undefined ? Buffer.from(echoed) : Buffer.from(bytes, 'latin1')
  const zipped = gzipSync(plain)
  const whole =
    encoding === 'gzip'
      ? zipped
      : encoding === 'cut gzip'
        ? zipped.subarray(0, zipped.length / 2)
        : encoding === 'empty gzip'
          ? Buffer.alloc(0)
          : plain
  const hasBody = status !== 204 && status !== 304
  const type = typeof body === 'string' ? 'text/plain' : 'application/json'
  response.writeHead(status, {
    'content-type': type,
    ...(encoding && { 'content-encoding': 'gzip' }),
    ...(hasBody && { 'content-length': String(fault === 'cut' ? whole.length + 5 : whole.length) }),
    ...headers,
  })
  if (fault === 'cut') {
    response.write(whole, () => setImmediate(() => response.destroy()))
  } else if (fault === 'slow') {
    for (const byte of whole) response.write(Buffer.of(byte))
    response.end()
  } else response.end(hasBody ? whole : undefined)
}

/** Returns the secret of a request, escaped: a member of its JSON, or a header. */
function echoOf({ headers }: IncomingMessage, sent: string, echo: Echo): string {
  const { secret } = (sent ? JSON.parse(sent) : { secret: headers['authorization'] }) as {
    secret: string
  }
  return escapes[echo](secret)
}
