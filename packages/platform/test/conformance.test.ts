import { operations } from '@servicekit/contract'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import type { Browser } from './browser.ts'
import { appUri, control, people, signIn } from './people.ts'
import { project } from './projects.ts'

/** A request, without the header of the project that goes with it. */
interface Sent {
  readonly path: string
  readonly method?: string
  readonly body?: unknown
  readonly form?: Record<string, string>
  readonly headers?: Record<string, string>
  /** Whose cookies go with it. */
  readonly by?: 'ada' | 'bob' | 'gone'
  /** Key in the header; `P` unless stated, null for none. */
  readonly key?: string | null
}
type Case = () => Sent | Promise<Sent>
/** What succeeds, and what is answered with each other documented status. */
interface Cases {
  readonly ok: Case
  readonly others?: Readonly<Record<number, Case>>
}

let platform: Platform
let browsers: Record<NonNullable<Sent['by']>, Browser>
let token = ''
let count = 0
const file = { Language: 'en', ModuleName: 'm', ProjectKey: 'P' }
const text = { elementType: 'button', elementApplicationContext: 'a', elementDetailContext: 'b' }
const suggestion = { ...text, sourceText: 's', currentLanguage: 'en', destinationLanguage: 'de' }
const hook = { url: 'https://example.org/', contentType: 'application/json', isDisabled: true }
const tool = {
  type: 'oauth2',
  grantType: 'AUTHORIZATION_CODE',
  authorizationUrl: 'https://example.org/authorize',
  tokenUrl: 'https://example.org/token',
  clientId: 'c',
  redirectUri: 'https://app.example/tools',
}
const page = { page: 0, pageSize: 10 }
const agent = '5c7e1a90-0000-4000-8000-000000000001'

beforeAll(async () => {
  platform = await createPlatform({
    origins: ['https://app.example'],
    projects: [
      project('P', { en: { m: { A: 'a' } } }),
      project('U', {}, { dialect: { toolErrors: 'unprocessable' } }),
    ],
  })
  const settings = { administratorRoles: ['admin'] }
  await control(platform, 'P', 'PUT', '/identity', { ...people, settings })
  await control(platform, 'P', 'PUT', '/tools/oauth', { name: 'T', auth: tool })
  await control(platform, 'P', 'PUT', '/tools/plain', { name: 'T' })
  const open = async (name: string) => (await signIn(platform, 'P', name)).browser
  browsers = { ada: await open('ada'), bob: await open('bob@example.com'), gone: await open('ada') }
  const issued = await send({ path: '/iam/v4/oidc/token', form: machine })
  token = ((await issued.json()) as { accessToken: string }).accessToken
})
afterAll(() => platform.close())

const machine = {
  grant_type: 'client_credentials',
  client_id: 'job',
  client_secret: 'the secret of the job',
  org_id: 'default',
}

async function send({ path, method, body, form, headers = {}, by, key = 'P' }: Sent) {
  const content = form ? new URLSearchParams(form).toString() : JSON.stringify(body)
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  const init = {
    method: method ?? (body === undefined && !form ? 'GET' : 'POST'),
    headers: {
      ...(key === null ? {} : { 'x-service-key': key }),
      ...(body === undefined && !form ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(body === undefined && !form ? {} : { body: content }),
  }
  if (by) return browsers[by].send(path, init)
  return platform.fetch(new Request(new URL(path, 'http://platform.local'), init))
}

const query = (path: string, values: Record<string, string>) =>
  `${path}?${new URLSearchParams(values)}`
const inbox = async (recipient: string): Promise<string> => {
  const response = await control(platform, 'P', 'GET', query('/inbox', { recipient }))
  const mails = (await response.json()) as { code?: string }[]
  return mails.find(({ code }) => code)!.code!
}
const invited = async (): Promise<string> => {
  const email = `guest${++count}@example.com`
  const body = { email, userName: email, password: '', firstName: 'G', lastName: 'H' }
  await send({ path: '/iam/v4/iam/users/create', body, by: 'ada' })
  return inbox(email)
}
const stored = async (): Promise<string> => {
  const presigned = await send({
    path: '/data/v4/Files/GetPreSignedUrlForUpload',
    body: { name: 'a.txt', projectKey: 'P', accessModifier: 'Public' },
  })
  const { preSignedUrl, fileId } = (await presigned.json()) as Record<string, string>
  const put = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'a' }
  const { pathname, search } = new URL(preSignedUrl!, 'http://platform.local')
  await platform.fetch(new Request(`http://platform.local${pathname}${search}`, put))
  return fileId!
}

const iam = (path: string, body?: unknown): Cases => {
  const sent: Sent = {
    path: `/iam/v4/iam${path}`,
    ...(body === undefined ? {} : { body }),
    by: 'ada',
  }
  const { by: _, ...alone } = sent
  return { ok: () => sent, others: { 401: () => alone, 403: () => ({ ...sent, by: 'bob' }) } }
}
const idp = (path: string, body: unknown): Cases => ({
  ok: () => ({ path: `/idp/v1/Iam${path}`, body }),
})
const uilm = (path: string, values: Record<string, string>): Cases => ({
  ok: () => ({ path: query(path, values) }),
  others: { 401: () => ({ path: query(path, { ...values, ProjectKey: 'none' }), key: 'none' }) },
})
const files = (path: string): Cases => {
  const { ok, others } = uilm(path, file)
  return {
    ok,
    others: {
      ...others,
      304: async () => {
        const etag = (await send({ path: query(path, file) })).headers.get('etag')!
        return { path: query(path, file), headers: { 'if-none-match': etag } }
      },
      400: () => ({ path: query(path, { ...file, ModuleName: 'none' }) }),
      404: () => ({ path: `${path}/nothing` }),
    },
  }
}
const tools = (path: string, body?: unknown, method = 'POST'): Cases => {
  const at = (id: string, key = 'P'): Sent => ({ path: path.replace(':id', id), body, method, key })
  return {
    ok: () => at('oauth'),
    others: { 404: () => at('none'), 422: () => at('none', 'U') },
  }
}

/** How each operation is made to answer each of its documented statuses. */
const cases: Record<string, Cases> = {
  'auth.initiate': {
    ok: () => ({
      path: query('/iam/v4/idp/initiate', {
        'x-service-key': 'P',
        clientId: 'web',
        redirectUri: appUri,
      }),
    }),
    others: {
      400: () => ({
        path: query('/iam/v4/idp/initiate', {
          'x-service-key': 'P',
          clientId: 'x',
          redirectUri: appUri,
        }),
      }),
      404: () => ({
        path: query('/iam/v4/idp/initiate', {
          'x-service-key': 'none',
          clientId: 'web',
          redirectUri: appUri,
        }),
        key: 'none',
      }),
    },
  },
  'auth.callback': {
    ok: () => ({ path: '' }),
    others: {
      400: () => ({ path: '/iam/v4/idp/callback?code=x&state=y' }),
      404: () => ({ path: '/iam/v4/idp/callback?code=x&state=y', key: 'none' }),
    },
  },
  'auth.getSession': {
    ok: () => ({ path: '/iam/v4/oidc/session', by: 'ada' }),
    others: { 401: () => ({ path: '/iam/v4/oidc/session' }) },
  },
  'auth.issueToken': {
    ok: () => ({ path: '/iam/v4/oidc/token', form: machine }),
    others: {
      401: () => ({ path: '/iam/v4/oidc/token', form: { ...machine, client_secret: 'wrong' } }),
    },
  },
  'auth.activate': {
    ok: async () => ({
      path: '/iam/v4/auth/activate',
      body: { code: await invited(), password: 'a horse of a battery' },
    }),
    others: {
      400: () => ({ path: '/iam/v4/auth/activate', body: { code: 'x', password: 'a long one' } }),
    },
  },
  'auth.logout': {
    ok: () => ({ path: '/iam/v4/auth/Logout', body: {}, by: 'gone' }),
    others: { 400: () => ({ path: '/iam/v4/auth/Logout', body: {} }) },
  },
  'iam.getMe': iam('/me'),
  'iam.listOrganizations': iam('/organizations'),
  'iam.createOrganization': iam('/organizations/create', { name: 'New' }),
  'iam.listUsers': iam('/users', page),
  'iam.getUser': iam('/users/bob'),
  'iam.createUser': iam('/users/create', {
    email: 'new@example.com',
    userName: 'new',
    password: '',
  }),
  'iam.deactivateUser': {
    ...iam('/users/deactivate', { userId: 'bob' }),
    ok: async () => {
      const email = `leaver${++count}@example.com`
      const body = { email, userName: email, password: '' }
      const made = await send({ path: '/iam/v4/iam/users/create', body, by: 'ada' })
      const { itemId } = (await made.json()) as { itemId: string }
      return { path: '/iam/v4/iam/users/deactivate', body: { userId: itemId }, by: 'ada' }
    },
  },
  'iam.listRoles': iam('/roles', page),
  'iam.listPermissions': iam('/permissions', page),
  'iam.setAccess': iam('/users/roles-and-permissions', {
    userId: 'ada',
    roles: ['admin'],
    permissions: [],
  }),
  'idp.listUsers': idp('/GetUsers', {}),
  'idp.listAccounts': idp('/GetAccounts', {}),
  'idp.createUser': idp('/Create', {
    email: 'idp@example.com',
    userName: 'idp',
    password: 'a horse of a battery',
  }),
  'idp.updateUser': idp('/Update', { itemId: 'ada', lastName: 'M' }),
  'idp.getUser': { ok: () => ({ path: '/idp/v1/Iam/GetUser?Id=ada&ProjectKey=P' }) },
  'idp.getAccount': {
    ok: () => ({ path: '/idp/v1/Iam/GetAccount', by: 'ada' }),
    others: { 401: () => ({ path: '/idp/v1/Iam/GetAccount' }) },
  },
  'idp.activate': {
    ok: async () => ({
      path: '/idp/v1/Iam/Activate',
      body: { code: await invited(), password: 'a horse of a battery' },
    }),
  },
  'storage.listConfigurations': { ok: () => ({ path: '/logic/v4/Storage/Gets' }) },
  'storage.presignUpload': {
    ok: () => ({
      path: '/data/v4/Files/GetPreSignedUrlForUpload',
      body: { name: 'a', projectKey: 'P' },
    }),
  },
  'storage.listFiles': {
    ok: () => ({ path: '/data/v4/Files/GetFilesInfo', body: { ...page, projectKey: 'P' } }),
  },
  'storage.getFile': {
    ok: async () => ({ path: query('/data/v4/Files/GetFile', { FileId: await stored() }) }),
  },
  'data.listSchemas': { ok: () => ({ path: '/data/v4/schemas?ProjectKey=P' }) },
  'data.execute': { ok: () => ({ path: '/data/v4/gateway', body: { query: '{ __typename }' } }) },
  'localization.listLanguages': {
    ok: () => ({ path: '/localization/v4/Language/Gets?ProjectKey=P' }),
  },
  'localization.getFile': files('/localization/v4/Key/GetUilmFile'),
  'localization.listModules': { ok: () => ({ path: '/localization/v4/Module/Gets?ProjectKey=P' }) },
  'uilm.listLanguages': uilm('/uilm/v1/Language/Gets', { ProjectKey: 'P' }),
  'uilm.getFile': files('/uilm/v1/Key/GetUilmFile'),
  'uilm.listModules': {
    ...uilm('/uilm/v1/Module/Gets', { ProjectKey: 'P' }),
    others: {
      401: () => ({ path: '/uilm/v1/Module/Gets?ProjectKey=none', key: null }),
      404: () => ({ path: '/uilm/v1/Module/Nothing?ProjectKey=P' }),
    },
  },
  'translation.suggest': {
    ok: () => ({ path: '/uilm/v1/Assistant/GetTranslationSuggestion', body: suggestion }),
    others: {
      400: () => ({ path: '/uilm/v1/Assistant/GetTranslationSuggestion', body: text }),
      401: () => ({
        path: '/uilm/v1/Assistant/GetTranslationSuggestion',
        body: suggestion,
        key: null,
      }),
    },
  },
  'webhooks.save': {
    ok: () => ({
      path: '/uilm/v1/Config/SaveWebHook',
      body: { ...hook, projectKey: 'P' },
      headers: { authorization: `Bearer ${token}` },
    }),
    others: {
      400: () => ({
        path: '/uilm/v1/Config/SaveWebHook',
        body: {},
        headers: { authorization: `Bearer ${token}` },
      }),
      401: () => ({ path: '/uilm/v1/Config/SaveWebHook', body: { ...hook, projectKey: 'P' } }),
    },
  },
  'tools.initiateOauth': tools('/tools/:id/initiate-oauth'),
  'tools.saveTutorial': tools('/tools/tutorial/:id', {}),
  'tools.countAgents': tools('/tools/:id/agent-count', undefined, 'GET'),
  'knowledge.add': {
    ok: () => ({
      path: '/kb/qa',
      body: { project_key: 'P', agent_id: agent, question: 'q', answer: 'a' },
    }),
    others: { 422: () => ({ path: '/kb/qa', body: {} }) },
  },
}

/** Statuses that other files test, where a longer story leads to them. */
const elsewhere: Record<string, readonly [file: string, words: string]> = {
  'auth.callback 200': ['sign-in.test.ts', 'iam/v4/idp/callback'],
  'auth.issueToken 423': ['sign-in.test.ts', "[423, 'account_locked']"],
}

/** Statuses that instances are known to answer and this platform has no reason for. */
const unused = new Set(
  ['getMe', 'listOrganizations', 'listUsers', 'getUser', 'listRoles', 'listPermissions'].map(
    // Whoever has a session may read; changes can be kept to administrators.
    (name) => `iam.${name} 403`,
  ),
)

/** What fits every operation: no project key is 400, one that nobody has is 404. */
async function sentFor(id: string, status: number): Promise<Sent> {
  const { ok, others } = cases[id]!
  if (status === 200) return ok()
  const given = others?.[status]
  if (given) return given()
  const sent = await ok()
  const path = sent.path.replace(/ProjectKey=P/, status === 404 ? 'ProjectKey=none' : 'ProjectKey=')
  if (status === 400) return { ...sent, path, key: null }
  if (status === 404) return { ...sent, path, key: 'none' }
  throw new Error(`Nothing says how ${id} answers ${status}.`)
}

it('names a request for every operation, and for nothing else', () => {
  expect(Object.keys(cases).sort()).toEqual(operations.map(({ route }) => route.id).sort())
})

describe.each(operations.map((operation) => [operation.route.id, operation] as const))(
  '%s',
  (id, { answers, route }) => {
    const statuses = Object.keys(answers).map(Number)
    const own = statuses.filter(
      (status) => !(`${id} ${status}` in elsewhere) && !unused.has(`${id} ${status}`),
    )
    it.each(own)('answers %d as it is documented', async (status) => {
      const sent = await sentFor(id, status)
      const response = await send({ method: route.method, ...sent })
      const body = await response.text()
      expect(response.status, body).toBe(status)
      const { schema } = answers[status]!
      if (!schema) return
      const isJson = response.headers.get('content-type')?.includes('json')
      expect(schema.safeParse(isJson ? JSON.parse(body) : body).error?.issues ?? []).toEqual([])
    })
  },
)

it.each(Object.entries(elsewhere))('%s is tested elsewhere', (_, [name, words]) => {
  expect(readFileSync(new URL(name, import.meta.url), 'utf8')).toContain(words)
})
