import type { Platform, PlatformOptions } from '@servicekit/platform'
import { type Browser, browserOn } from './cookie-browser.ts'
import { appUri, origin, password, signIn } from './people.ts'
import { project } from './projects.ts'

const controlToken = 'the-token-of-the-control-routes'

/** Roles for the console, each of a user with its name. */
const consoleRoles = ['manager', 'translator', 'reviewer', 'developer'] as const

const identity = (organizationId: string) => ({
  settings: { consoleRoles: Object.fromEntries(consoleRoles.map((role) => [role, { role }])) },
  organizations: [{ itemId: 'org-other', name: 'Other' }],
  roles: [
    { slug: 'admin', ancestorRoleSlugs: ['member'] },
    { slug: 'member' },
    ...consoleRoles.map((slug) => ({ slug })),
  ],
  permissions: [{ name: 'orders.read', roles: ['member'] }],
  clients: [
    { clientId: 'web', redirectUris: [appUri] },
    { clientId: 'plain', clientSecret: 'secret of plain' },
    { clientId: 'boss', clientSecret: 'secret of boss', roles: ['admin'] },
  ],
  users: [
    { itemId: 'ada', email: 'ada@example.com', password, roles: ['admin'] },
    { itemId: 'bob', email: 'bob@example.com', password, roles: ['member'] },
    { itemId: 'carol', email: 'carol@example.com', roles: ['member'] },
    {
      itemId: 'olga',
      email: 'olga@example.com',
      password,
      organizationId: 'org-other',
      roles: ['admin'],
    },
    ...consoleRoles.map((role) => ({
      itemId: role,
      email: `${role}@example.com`,
      password,
      roles: [role],
    })),
    { itemId: 'zoe', email: 'zoe@example.com', organizationId, roles: ['admin'] },
  ],
})

const schema = {
  schemaName: 'Thing',
  schemaType: 1,
  querySchema: 'Things',
  fields: [{ name: 'Name', type: 'String' }],
}
const oauth = {
  type: 'oauth2',
  grantType: 'AUTHORIZATION_CODE',
  authorizationUrl: 'https://example.org/authorize',
  tokenUrl: 'https://example.org/token',
  clientId: 'c',
  redirectUri: 'https://app.example/tools',
}

/** Caller of the access matrix. */
export interface Actor {
  readonly browser?: Browser
  /** Token that every request carries. */
  readonly bearer?: string
  /** Access token of a signed-in user, for operations that do not accept cookies. */
  readonly accessToken?: string
}

/** Platform of the matrix, or a server in front of it. */
type MatrixPlatform = Pick<Platform, 'fetch' | 'close'>

/** Opens a platform with the given options. */
export type OpenPlatform = (options: PlatformOptions) => Promise<MatrixPlatform>

/** Platform and callers for every cell of the matrix. */
export interface MatrixWorld {
  readonly platform: MatrixPlatform
  readonly send: (actor: Actor, path: string, init?: RequestInit) => Promise<Response>
  /** Sends a request with the control token. */
  readonly control: (method: string, path: string, body?: unknown) => Promise<Response>
  readonly signedIn: (name: string, key?: string) => Promise<Actor>
  readonly actors: Readonly<Record<string, Actor>>
  readonly files: Readonly<Record<'public' | 'private', string>>
  /** Returns all data of project P as text. */
  readonly state: () => Promise<string>
}

async function machine(platform: MatrixPlatform, key: string, clientId: string): Promise<Actor> {
  const response = await platform.fetch(
    new Request(`${origin}/iam/v4/oidc/token`, {
      method: 'POST',
      headers: { 'x-service-key': key, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: `secret of ${clientId}`,
        org_id: 'default',
      }).toString(),
    }),
  )
  const { accessToken } = (await response.json()) as { accessToken: string }
  return { bearer: accessToken }
}

/** Opens the world; the caller closes its platform. */
export async function openMatrixWorld(open: OpenPlatform): Promise<MatrixWorld> {
  const texts = { en: { m: { A: 'a' } } }
  const platform = await open({
    controlToken,
    trustProxy: true,
    suggestionsPerMinute: 1000,
    projects: [
      project('P', texts, { schemas: [schema], identity: identity('org-P') }),
      project('Q', texts, { schemas: [schema], identity: identity('org-Q') }),
    ],
  })
  const control: MatrixWorld['control'] = (method, path, body) =>
    platform.fetch(
      new Request(`${origin}/_platform${path}`, {
        method,
        headers: { authorization: `Bearer ${controlToken}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
  const signedIn: MatrixWorld['signedIn'] = async (name, key = 'P') => {
    const { browser, callback } = await signIn(platform, key, `${name}@example.com`)
    const cookie = callback.headers.getSetCookie().find((line) => line.includes('sk_access_'))
    return { browser, accessToken: /=([^;]*)/.exec(cookie!)![1]! }
  }
  const send: MatrixWorld['send'] = (actor, path, init = {}) => {
    const headers = new Headers(init.headers)
    if (actor.bearer !== undefined) headers.set('authorization', `Bearer ${actor.bearer}`)
    return (actor.browser ?? browserOn(platform)).send(path, { ...init, headers })
  }
  await control('PUT', '/projects/P/tools/oauth', { name: 'T', auth: oauth })
  await control('PUT', '/projects/P/tools/plain', { name: 'T' })
  const user = await signedIn('bob')
  const administrator = await signedIn('ada')
  const withConsoleRoles: Record<string, Actor> = {}
  for (const role of consoleRoles) withConsoleRoles[role] = await signedIn(role)
  const withRole = await machine(platform, 'P', 'boss')
  const upload = async (accessModifier: string): Promise<string> => {
    const presigned = await send(withRole, '/data/v4/Files/GetPreSignedUrlForUpload', {
      method: 'POST',
      headers: { 'x-service-key': 'P' },
      body: JSON.stringify({ name: 'a.txt', accessModifier }),
    })
    const { uploadUrl, fileId } = (await presigned.json()) as Record<string, string>
    const headers = { 'content-type': 'text/plain' }
    await platform.fetch(new Request(uploadUrl!, { method: 'PUT', headers, body: 'a' }))
    return fileId!
  }
  return {
    platform,
    send,
    control,
    signedIn,
    actors: {
      anonymous: {},
      'user, own': user,
      'user, others': user,
      user,
      'other organization': await signedIn('olga'),
      administrator,
      ...withConsoleRoles,
      'session token': { bearer: administrator.accessToken! },
      machine: await machine(platform, 'P', 'plain'),
      'machine with role': withRole,
      'other project': await machine(platform, 'Q', 'boss'),
      'other cookies': { browser: (await signedIn('ada', 'Q')).browser! },
      'control token': { bearer: controlToken },
    },
    files: { public: await upload('Public'), private: await upload('Private') },
    state: async () => (await control('GET', '/projects/P/export?secrets=true')).text(),
  }
}
