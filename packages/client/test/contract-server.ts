import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Operation, projectHeader } from '@servicekit/contract'

/** Request that the operation's schemas accept; the server responds with 500 to any other. */
interface SeenRequest {
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface ContractServer {
  readonly url: string
  /** Complete requests since the last call of `use`. */
  readonly seen: readonly SeenRequest[]
  /** Problems of requests that do not match the contract. */
  readonly problems: readonly string[]
  /** Number of connections since the last call of `use`. */
  readonly attempts: () => number
  /** Selects the operation to serve, and a fault to inject into its requests. */
  readonly use: (operation: Operation, answer: unknown, fault?: Fault) => void
  readonly close: () => Promise<void>
}

/**
 * Called for every request, with its number from 1. `whole` means that the request is
 * complete. Returns true if it has handled the response.
 */
export type Fault = (
  attempt: number,
  response: ServerResponse,
  stage: 'head' | 'whole',
) => boolean | void

/**
 * Starts a server that serves one operation at a time and accepts only what the contract's
 * schemas accept: path, query, body, content type and project header.
 */
export async function contractServer(): Promise<ContractServer> {
  let seen: SeenRequest[] = []
  let problems: string[] = []
  let attempts = 0
  let current: { operation: Operation; answer: unknown; fault: Fault | undefined } | undefined
  let previous: Operation | undefined
  const server = createServer((request, response) => {
    const chosen = current
    // An attempt that timed out before the server read it.
    const isLate = previous && matchRoute(previous, request) !== undefined
    if (isLate && chosen && !matchRoute(chosen.operation, request)) return response.destroy()
    const attempt = ++attempts
    if (chosen?.fault?.(attempt, response, 'head')) return
    void textOf(request).then((body) => {
      if (!chosen || body === undefined) return
      seen.push({ headers: request.headers, body })
      if (chosen.fault?.(attempt, response, 'whole')) return
      const wrong = check(chosen.operation, request, body)
      problems.push(...wrong)
      const { answer } = chosen
      const isText = typeof answer === 'string'
      response.writeHead(wrong.length > 0 ? 400 : 200, {
        'content-type': isText ? 'text/plain' : 'application/json',
      })
      response.end(isText ? answer : JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get seen() {
      return seen
    },
    get problems() {
      return problems
    },
    attempts: () => attempts,
    use: (operation, answer, fault) => {
      seen = []
      problems = []
      attempts = 0
      previous = current?.operation
      current = { operation, answer, fault }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
  } catch {
    return undefined
  }
  return Buffer.concat(chunks).toString()
}

/** Returns the parameters of a request's path; undefined for another operation. */
function matchRoute({ route }: Operation, request: IncomingMessage) {
  const { pathname } = new URL(request.url!, 'http://host')
  const pattern = route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  const match = new RegExp(`^${pattern}$`).exec(pathname)
  return match && request.method === route.method ? { ...match.groups } : undefined
}

function check(chosen: Operation, request: IncomingMessage, body: string) {
  const { route, ...operation } = chosen
  const problems: string[] = []
  const url = new URL(request.url!, 'http://host')
  const parameters = matchRoute(chosen, request)
  if (!parameters) problems.push(`${request.method} ${url.pathname}`)
  if (!request.headers[projectHeader]) problems.push('no project header')
  const kinds = { json: 'application/json', form: 'application/x-www-form-urlencoded', bytes: '' }
  if (route.body && request.headers['content-type'] !== kinds[route.body]) {
    problems.push(`content-type ${request.headers['content-type']}`)
  }
  if (!route.body && body !== '') problems.push('a body that is not asked for')
  const unknown = [...url.searchParams.keys()].filter((name) => !route.query?.includes(name))
  if (unknown.length > 0) problems.push(`query ${unknown.join()}`)
  const sent =
    route.body === 'form' ? Object.fromEntries(new URLSearchParams(body)) : parseBody(body)
  const parts = [
    operation.path?.safeParse(parameters ?? {}),
    operation.query?.safeParse(Object.fromEntries(url.searchParams)),
    operation.body?.safeParse(sent),
  ]
  for (const part of parts) if (part?.error) problems.push(part.error.message)
  return problems
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
