import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Responds to one request, instead of the service. */
export type Fault = (response: ServerResponse, request: IncomingMessage) => void

export interface FaultyService {
  readonly baseUrl: string
  /** Translation files by `language/module`, as sent. */
  readonly files: Map<string, string | Buffer>
  languages: readonly string[]
  /** Response to the requests of translation files; `undefined` for the file. */
  fault: Fault | undefined
  /** Fault of the next requests only; afterwards the service works again. */
  readonly failTimes: (times: number, fault: Fault) => void
  /** Project keys of all requests. */
  readonly keys: (string | undefined)[]
}

/** Starts a listener on a free loopback port until the end of the test. */
async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const modules = ['auth', 'cart']

/** Starts a service with two languages and two modules over real HTTP. */
export async function startFaultyService(
  create: (listener: RequestListener) => Server = createServer,
  scheme = 'http',
): Promise<FaultyService> {
  const service: { -readonly [Name in keyof FaultyService]: FaultyService[Name] } = {
    baseUrl: '',
    files: new Map(
      ['en-US', 'de-DE'].flatMap((language) =>
        modules.map((module): [string, string] => [
          `${language}/${module}`,
          JSON.stringify({ TITLE: `${module} in ${language}`, TEXT: 'Text' }),
        ]),
      ),
    ),
    languages: ['en-US', 'de-DE'],
    fault: undefined,
    keys: [],
    failTimes(times, fault) {
      let left = times
      service.fault = (response, request) => {
        if (--left === 0) service.fault = undefined
        fault(response, request)
      }
    },
  }
  const sendJson = (response: ServerResponse, value: unknown): void => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(value))
  }
  const server = create((request, response) => {
    const url = new URL(request.url ?? '/', 'http://service')
    service.keys.push(request.headers['x-service-key']?.toString())
    if (url.pathname.endsWith('/Language/Gets')) {
      const list = service.languages.map((languageCode, index) => ({
        itemId: `l${index}`,
        languageCode,
        languageName: languageCode,
        isDefault: index === 0,
      }))
      return sendJson(response, list)
    }
    if (url.pathname.endsWith('/Module/Gets')) {
      return sendJson(
        response,
        modules.map((moduleName) => ({ moduleName })),
      )
    }
    if (service.fault) return service.fault(response, request)
    const { searchParams } = url
    const file = `${searchParams.get('Language')}/${searchParams.get('ModuleName')}`
    response.setHeader('content-type', 'application/json')
    return void response.end(service.files.get(file) ?? '')
  })
  service.baseUrl = `${scheme}://${await listen(server)}`
  return service
}
