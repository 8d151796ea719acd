/**
 * A deployed instance as the public sources of such instances describe it: header, envelopes,
 * protected routes, names of queries. Written from TechnicalSpec.md of
 * SELISEdigitalplatforms/blocks-data and blocks-localization, and from blocks-client of
 * SELISEdigitalplatforms/blocks-cli, without regard to the platform of this repository.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deployedGateway } from './gateway.ts'

export const deployed = {
  projectKey: 'Pdeployed0001',
  clientId: 'build',
  clientSecret: 'canary-client-secret',
  accessToken: 'canary-access-token',
} as const

/** Response of a route; without one, the route does not exist. */
interface Answer {
  readonly status?: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

interface Call {
  readonly query: URLSearchParams
  readonly body: string
  readonly isAuthenticated: boolean
  readonly hasSession: boolean
}

interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface DeployedInstance {
  readonly baseUrl: string
  readonly requests: readonly ReceivedRequest[]
  /** Translations by language and module. */
  readonly files: Record<string, Record<string, string>>
  readonly close: () => Promise<void>
}

/** Starts an instance. */
export async function startDeployedInstance(): Promise<DeployedInstance> {
  const requests: ReceivedRequest[] = []
  const files: Record<string, Record<string, string>> = {
    'en-US/common': { APP_TITLE: 'Shop', CHECK_OUT: 'Check out' },
    // A key without a translation is published with this marker.
    'de-DE/common': { APP_TITLE: 'Laden', CHECK_OUT: '[ KEY MISSING ]' },
  }
  const routes = routesOf(files)
  const server = createServer((request, response) => {
    void handle(request, response, routes).then((one) => requests.push(one))
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    files,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => void server.close(done))
    },
  }
}

type Routes = Readonly<Record<string, (call: Call) => Answer | Promise<Answer>>>

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  routes: Routes,
): Promise<ReceivedRequest> {
  const url = new URL(request.url!, 'http://instance')
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const { authorization = '', cookie = '' } = request.headers
  const answer = await answerTo(request, url, routes, {
    query: url.searchParams,
    body,
    isAuthenticated: authorization === `Bearer ${deployed.accessToken}`,
    hasSession: cookie.includes('session=1'),
  })
  response.writeHead(answer.status ?? 200, {
    'content-type': 'application/json',
    ...answer.headers,
  })
  response.end(answer.body === '' ? '' : JSON.stringify(answer.body))
  return { method: request.method!, path: url.pathname, headers: request.headers, body }
}

async function answerTo(
  { method, headers }: IncomingMessage,
  url: URL,
  routes: Routes,
  call: Call,
): Promise<Answer> {
  // ASP.NET routes ignore case.
  const route = routes[`${method} ${url.pathname}`.toLowerCase()]
  const key = headers['x-blocks-key'] ?? url.searchParams.get('x-blocks-key')
  if (key === null && url.pathname.toLowerCase().endsWith('/getuilmfile')) {
    return { status: 401, body: '' }
  }
  if (key === null) return rejection(400, 'The tenant could not be resolved')
  if (key !== deployed.projectKey) return rejection(404, 'The tenant does not exist')
  return route ? route(call) : { status: 404, body: '' }
}

const rejection = (status: number, Message: string): Answer => ({
  status,
  body: { Errors: { Message }, IsSuccess: false },
})

function routesOf(files: DeployedInstance['files']): Routes {
  const codes = () => [...new Set(Object.keys(files).map((name) => name.split('/')[0]!))]
  const modules = () => [...new Set(Object.keys(files).map((name) => name.split('/')[1]!))]
  const { execute, schemas } = deployedGateway()
  return {
    'get /localization/v4/language/gets': () => ({
      body: codes().map((languageCode) => ({
        itemId: languageCode,
        languageName: languageCode,
        languageCode,
        isDefault: languageCode === 'en-US',
      })),
    }),
    'get /localization/v4/module/gets': () => ({
      body: modules().map((moduleName) => ({ itemId: moduleName, moduleName, name: null })),
    }),
    // A file that was not published is an empty body.
    'get /localization/v4/key/getuilmfile': ({ query }) => ({
      body: files[`${query.get('Language')}/${query.get('ModuleName')}`] ?? '',
    }),
    'get /data/v4/schemas': ({ isAuthenticated, query }) =>
      isAuthenticated ? { body: listed(schemas, query) } : { status: 401, body: '' },
    'post /data/v4/gateway': ({ body, isAuthenticated }) => execute(body, isAuthenticated),
    'post /iam/v4/oidc/token': ({ body }) => {
      const form = new URLSearchParams(body)
      const isKnown =
        form.get('grant_type') === 'client_credentials' &&
        form.get('client_id') === deployed.clientId &&
        form.get('client_secret') === deployed.clientSecret
      if (!isKnown) return { status: 400, body: { error: 'invalid_client' } }
      const { accessToken } = deployed
      return { body: { accessToken, tokenType: 'Bearer', expiresIn: 420 } }
    },
    'get /iam/v4/idp/initiate': ({ query }) => ({
      body: {
        redirect_uri: `https://login.example.com/?state=s1&client=${query.get('clientId')}`,
      },
    }),
    'get /iam/v4/idp/callback': ({ query }) =>
      query.get('code') === 'c1'
        ? {
            body: { id_token: 'i', token_type: 'Bearer', expires_in: 419.7, scope: 'openid' },
            headers: { 'set-cookie': 'session=1; HttpOnly; Path=/' },
          }
        : { status: 400, body: { error: 'invalid_grant' } },
    'get /iam/v4/oidc/session': ({ hasSession }) =>
      hasSession
        ? { body: { sessionId: 's', accounts: [{ userId: 'u1', displayName: 'Ada' }] } }
        : { status: 401, body: { error: 'session_not_found' } },
  }
}

function listed(schemas: readonly { readonly schemaName: string }[], query: URLSearchParams) {
  const [page, size] = [Number(query.get('PageNo') ?? 1), Number(query.get('PageSize') ?? 100)]
  const name = query.get('SchemaName')
  const found = schemas.filter(({ schemaName }) => name === null || schemaName === name)
  const items = found.slice((page - 1) * size, page * size)
  const data = { totalCount: found.length, items }
  return { isSuccess: true, message: '', httpStatusCode: 200, errors: null, data }
}
