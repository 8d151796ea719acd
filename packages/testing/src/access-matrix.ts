import { operations, type Route, routes } from '@servicekit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMatrix } from './matrix-tables.ts'
import { type Actor, type MatrixWorld, type OpenPlatform, openMatrixWorld } from './matrix-world.ts'
import { appUri, password } from './people.ts'

let world: MatrixWorld
/** Changes the literal segments of paths. */
let changeCase = (segment: string): string => segment

interface Sent {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly form?: Readonly<Record<string, string>>
  readonly path?: Readonly<Record<string, string>>
  /** Status of an allowed request; 200 unless stated. */
  readonly allowed?: number
  readonly headers?: Readonly<Record<string, string>>
}

let count = 0
/** A different client address each time: wrong codes are rate-limited per address. */
const newAddress = () => ({ 'x-forwarded-for': `192.0.2.${++count % 256}` })
const newUser = () => ({ email: `n${++count}@example.com`, userName: `n${count}`, password })
const key = { ProjectKey: 'P' }
const file = { Language: 'en', ModuleName: 'm', ...key }
const page = { page: 0, pageSize: 10 }

/** Request of each row of the matrix; `target` is the affected user. */
const requests: Readonly<Record<string, (target: string) => Sent>> = {
  'auth.initiate': () => ({
    query: { 'x-service-key': 'P', clientId: 'web', redirectUri: appUri },
  }),
  'auth.callback': () => ({ query: { code: 'x', state: 'P.y' }, allowed: 400 }),
  'auth.getSession': () => ({}),
  'auth.issueToken': () => ({
    form: {
      grant_type: 'client_credentials',
      client_id: 'plain',
      client_secret: 'secret of plain',
      org_id: 'default',
    },
  }),
  'auth.activate': () => ({
    body: { code: 'x', password },
    headers: newAddress(),
    allowed: 400,
  }),
  'auth.logout': () => ({ body: {} }),
  'iam.getMe': () => ({}),
  'iam.listOrganizations': () => ({ query: { Page: '0', PageSize: '5' } }),
  'iam.createOrganization': () => ({ body: { name: 'New' } }),
  'iam.listUsers': () => ({ body: page }),
  'iam.getUser': (userId) => ({ path: { userId } }),
  'iam.createUser': () => ({ body: newUser() }),
  'iam.deactivateUser': (userId) => ({ body: { userId } }),
  'iam.listRoles': () => ({ body: page }),
  'iam.listPermissions': () => ({ body: page }),
  'iam.setAccess': (userId) => ({ body: { userId, roles: ['member'], permissions: [] } }),
  'idp.listUsers': () => ({ body: {} }),
  'idp.listAccounts': () => ({ body: {} }),
  'idp.createUser': () => ({ body: newUser() }),
  'idp.updateUser': (itemId) => ({ body: { itemId, firstName: `F${++count}` } }),
  'idp.updateUser roles': (itemId) => ({ body: { itemId, roles: ['admin', 'member'] } }),
  'idp.updateUser permissions': (itemId) => ({ body: { itemId, permissions: ['orders.read'] } }),
  'idp.updateUser memberships': (itemId) => ({
    body: { itemId, memberships: [{ organizationId: 'org-P', roles: ['member'] }] },
  }),
  'idp.updateUser mfaEnabled': (itemId) => ({ body: { itemId, mfaEnabled: false } }),
  'idp.updateUser userMfaType': (itemId) => ({ body: { itemId, userMfaType: 0 } }),
  'idp.getUser': (Id) => ({ query: { Id, ...key } }),
  'idp.getAccount': () => ({}),
  'idp.activate': () => ({ body: { code: 'x', password }, headers: newAddress() }),
  'storage.listConfigurations': () => ({}),
  'storage.presignUpload': () => ({ body: { name: 'b.txt' } }),
  'storage.listFiles': () => ({ body: page }),
  'storage.getFile public': () => ({ query: { FileId: world.files.public } }),
  'storage.getFile private': () => ({ query: { FileId: world.files.private } }),
  'data.listSchemas': () => ({ query: key }),
  'localization.listLanguages': () => ({ query: key }),
  'localization.getFile': () => ({ query: file }),
  'localization.listModules': () => ({ query: key }),
  'uilm.listLanguages': () => ({ query: key }),
  'uilm.getFile': () => ({ query: file }),
  'uilm.listModules': () => ({ query: key }),
  'translation.suggest': () => ({
    body: {
      elementType: 'button',
      elementApplicationContext: 'a',
      elementDetailContext: 'b',
      sourceText: 'Save',
      currentLanguage: 'en',
      destinationLanguage: 'de',
    },
  }),
  'webhooks.save': () => ({
    body: {
      url: 'https://example.org/',
      contentType: 'application/json',
      isDisabled: count++ % 2 === 0,
      projectKey: 'P',
    },
  }),
  'tools.initiateOauth': () => ({ path: { tool_id: 'oauth' } }),
  'tools.saveTutorial': () => ({ path: { tool_id: 'plain' }, body: { tutorial: `${++count}` } }),
  'tools.countAgents': () => ({ path: { tool_id: 'plain' } }),
  'knowledge.add': () => ({
    body: {
      project_key: 'P',
      agent_id: '5c7e1a90-0000-4000-8000-000000000001',
      question: `q${++count}`,
      answer: 'a',
    },
  }),
}

const byId = new Map<string, Route>(
  Object.values(routes).flatMap((one) => (typeof one === 'string' ? [] : [[one.id, one] as const])),
)

/** Sends the request of a row of the matrix. */
async function call(name: string, actor: Actor, target: string) {
  const route = byId.get(name.split(' ')[0]!)!
  const { query, body, form, path = {}, headers, allowed = 200 } = requests[name]!(target)
  const address = route.path
    .split('/')
    .map((part) => (part.startsWith('{') ? path[part.slice(1, -1)]! : changeCase(part)))
    .join('/')
  const content = form ? new URLSearchParams(form).toString() : body && JSON.stringify(body)
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  const response = await world.send(
    actor,
    query ? `${address}?${new URLSearchParams(query)}` : address,
    {
      method: route.method,
      headers: {
        'x-service-key': 'P',
        ...(content === undefined ? {} : { 'content-type': type }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    },
  )
  return { status: response.status, text: await response.text(), allowed }
}

/** Returns the caller of a cell and the user whom the request affects. */
async function casting(name: string, caller: string): Promise<{ actor: Actor; target: string }> {
  const target = caller === 'user, own' ? 'bob' : 'carol'
  const known = world.actors[caller]!
  // A sign-out ends the session, so it needs its own.
  if (name === 'auth.logout' && known.accessToken !== undefined) {
    return { actor: await world.signedIn('bob'), target }
  }
  const actor =
    name === 'webhooks.save' && known.accessToken !== undefined
      ? { bearer: known.accessToken }
      : known
  return { actor, target }
}

const rows = readMatrix('operations')

/** Path and request for rows that name no path. */
const addresses: Readonly<Record<string, () => Promise<readonly [string, string, RequestInit?]>>> =
  {
    'GET object, public': async () => ['GET', `/_platform/objects/P/${world.files.public}/a.txt`],
    'GET object, private': async () => ['GET', `/_platform/objects/P/${world.files.private}/a.txt`],
    'GET object, signed': async () => {
      const { text } = await call('storage.getFile private', world.actors['administrator']!, '')
      const { url } = JSON.parse(text) as { url: string }
      return ['GET', url]
    },
    'PUT object, unsigned': async () => [
      'PUT',
      `/_platform/objects/P/${world.files.public}/a.txt`,
      { body: 'b' },
    ],
    'GET oidc discovery': async () => [
      'GET',
      '/iam/v4/oidc/projects/P/.well-known/openid-configuration',
    ],
    'GET oidc userinfo': async () => ['GET', '/iam/v4/oidc/projects/P/userinfo'],
    'POST oidc token, wrong secret': async () => [
      'POST',
      '/iam/v4/oidc/projects/P/token',
      {
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...newAddress() },
        body: 'grant_type=client_credentials&client_id=plain&client_secret=wrong&org_id=default',
      },
    ],
    'POST oidc forgot': async () => [
      'POST',
      '/iam/v4/oidc/projects/P/forgot',
      {
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...newAddress() },
        // Mails to one account are limited as well.
        body: `username=${crypto.randomUUID()}`,
      },
    ],
    'POST oidc reset, wrong code': async () => [
      'POST',
      '/iam/v4/oidc/projects/P/reset?code=wrong',
      {
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...newAddress() },
        body: `password=${password}`,
      },
    ],
    'POST oidc registration': async () => ['POST', '/iam/v4/oidc/projects/P/reg', { body: '{}' }],
    'POST oidc introspection': async () => [
      'POST',
      '/iam/v4/oidc/projects/P/token/introspection',
      { body: '' },
    ],
  }

/**
 * Declares a test for each cell of the tables in docs/operations/access.md.
 *
 * @param open opens the platform that the requests are sent to.
 * @param isUpperCase sends paths in upper case, which are the same operations.
 */
export function describeAccessMatrix(open: OpenPlatform, isUpperCase = false): void {
  beforeAll(async () => {
    if (isUpperCase) changeCase = (segment) => segment.toUpperCase()
    world = await openMatrixWorld(open)
  })
  afterAll(() => world?.platform.close())

  it('lists every operation of the contract in docs/operations/access.md, with a request for each', () => {
    // The gateway has its own table, by access level and verb.
    const ids = operations.map(({ route }) => route.id).filter((id) => id !== 'data.execute')
    expect([...new Set(rows.map(({ name }) => name.split(' ')[0]))].sort()).toEqual([...ids].sort())
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(requests).sort())
  })

  describe.each(rows.map((row) => [row.name, row.cells] as const))('%s', (name, cells) => {
    it.each(Object.entries(cells))('for %s: %s', async (caller, cell) => {
      const { actor, target } = await casting(name, caller)
      // An allowed request may change data.
      const state = () => (cell === 'yes' ? undefined : world.state())
      const before = await state()
      const { status, text, allowed } = await call(name, actor, target)
      expect({ status, text }).toEqual({ status: cell === 'yes' ? allowed : Number(cell), text })
      expect(await state()).toBe(before)
    })
  })

  describe('the list of users', () => {
    const ids = async (caller: string): Promise<readonly string[]> => {
      const { text } = await call('idp.listUsers', world.actors[caller]!, '')
      const { data } = JSON.parse(text) as { data: { itemId: string }[] }
      return data.map(({ itemId }) => itemId)
    }

    it('shows only users of organizations that the caller administers', async () => {
      expect(await ids('other organization')).toEqual(['olga'])
      expect(await ids('administrator')).toContain('carol')
      expect(await ids('administrator')).not.toContain('olga')
      expect(await ids('machine with role')).not.toContain('olga')
    })
  })

  describe.each(readMatrix('addresses').map((row) => [row.name, row.cells] as const))(
    '%s',
    (name, { why: _, ...cells }) => {
      it.each(Object.entries(cells))('for %s: %s', async (caller, cell) => {
        const [method, path, init] = addresses[name]
          ? await addresses[name]()
          : (name.split(' ') as [string, string])
        const known = world.actors[caller]!
        // The authorization server accepts access tokens but no cookies of a project's
        // session.
        const actor =
          name === 'GET oidc userinfo' && known.accessToken !== undefined
            ? { bearer: known.accessToken }
            : known
        const before = await world.state()
        const response = await world.send(actor, path, {
          method,
          ...(method === 'PUT' && !init ? { body: '{"users":[]}' } : {}),
          ...init,
        })
        const text = await response.text()
        expect({ status: response.status, text }).toEqual({
          status: cell === 'yes' ? (method === 'PUT' ? 204 : 200) : Number(cell),
          text,
        })
        expect(await world.state()).toBe(before)
      })
    },
  )
}
