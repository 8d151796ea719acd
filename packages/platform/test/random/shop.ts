import { operations } from '@servicekit/contract'
import { readFileSync } from 'node:fs'
import { createPlatform, type Platform } from '../../src/index.ts'
import type { Browser } from '@servicekit/testing/cookie-browser'
import { appUri, control, origin, people, signIn } from '@servicekit/testing/people'
import { storefront, storefrontKey } from '@servicekit/testing/projects'
import type { GeneratedRequest, Known } from './generate-request.ts'
import type { Random } from '@servicekit/testing/random'

/** Kind of caller. */
export type Sender = 'administrator' | 'user' | 'machine' | 'anonymous'

/** Sample project with users who can sign in. */
export interface Shop {
  readonly platform: Platform
  readonly known: Known
  readonly send: (sender: Sender, operation: string, request: GeneratedRequest) => Promise<Response>
  /** Records the ids of created entities in a response. */
  readonly learn: (operation: string, text: string) => void
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(`${storefront}/${name}.json`, 'utf8'))

const sample = read('identity') as typeof people
const records = (name: string) =>
  (read(`records/${name}`) as { ItemId: string }[]).map(({ ItemId }) => ItemId)

/** @param seed Makes the same ids and secrets again. */
export async function openShop(seed: number): Promise<Shop> {
  const platform = await createPlatform({
    projects: [storefront],
    seed,
    outgoing: ['loopback'],
    trustProxy: true,
    origins: ['https://app.example'],
    onError: () => undefined,
  })
  const identity = {
    ...sample,
    clients: [...sample.clients, people.clients[0], { ...people.clients[1], roles: ['admin'] }],
    roles: [...sample.roles, { slug: 'member', name: 'Member' }],
    users: [...sample.users, ...people.users],
  }
  const saved = await control(platform, storefrontKey, 'PUT', '/identity', identity)
  if (saved.status !== 204) throw new Error(await saved.text())
  for (const name of ['oauth', 'plain']) {
    await control(platform, storefrontKey, 'PUT', `/tools/${name}`, {
      name,
      ...(name === 'oauth' ? { auth: oauth } : {}),
    })
  }
  const ids = {
    users: sample.users.map((user) => (user as { itemId: string }).itemId),
    organizations: ['default', ...sample.organizations.map(({ itemId }) => itemId)],
    files: [] as string[],
    webhooks: [] as string[],
    categories: records('Category'),
    products: records('Product'),
  }
  const keep = (list: string[], id: unknown): void => {
    if (typeof id === 'string' && list.length < 500) list.push(id)
  }
  const browsers = new Map<Sender, Browser>()
  let token: string | undefined
  let count = 0

  const ask = async (sender: Sender, { method, path, headers, body }: GeneratedRequest) => {
    const init = {
      method,
      headers: {
        'x-service-key': storefrontKey,
        'x-forwarded-for': `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`,
        ...headers,
        ...(sender === 'machine' ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body }),
    }
    const browser = browsers.get(sender)
    return browser
      ? browser.send(path, init)
      : platform.fetch(new Request(new URL(path, origin), init))
  }
  const prepare = async (sender: Sender): Promise<void> => {
    if (sender === 'machine') {
      const body = new URLSearchParams(machine).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const issued = await ask('anonymous', {
        method: 'POST',
        path: '/iam/v4/oidc/token',
        headers,
        body,
      })
      token = ((await issued.json()) as { accessToken: string }).accessToken
    } else if (sender !== 'anonymous') {
      const name = sender === 'administrator' ? 'ada' : 'bob@example.com'
      browsers.set(sender, (await signIn(platform, storefrontKey, name)).browser)
    }
  }
  for (const sender of ['administrator', 'user', 'machine'] as const) await prepare(sender)

  /** One-time codes of users who wait for activation. */
  const codes: string[] = []
  for (let invited = 0; invited < 12; invited++) {
    const email = `invited${invited}@example.com`
    const body = JSON.stringify({ email })
    const headers = { 'content-type': 'application/json' }
    const path = '/iam/v4/iam/users/create'
    const made = await ask('administrator', { method: 'POST', path, headers, body })
    if (made.status !== 200) throw new Error(await made.text())
    const inbox = await control(platform, storefrontKey, 'GET', `/inbox?recipient=${email}`)
    codes.push(((await inbox.json()) as { code?: string }[]).find(({ code }) => code)!.code!)
  }

  return {
    platform,
    send: async (sender, operation, request) => {
      count++
      const response = await ask(sender, request)
      // Some requests end the session of their sender.
      const isOver = response.status === 401 && proofsOf(operation).includes(proofs[sender])
      if (isOver || operation === 'auth.logout') await prepare(sender)
      return response
    },
    learn: (operation, text) => {
      if (
        !/createUser|createOrganization|presignUpload|webhooks/.test(operation) ||
        !text.startsWith('{')
      )
        return
      const { itemId, fileId } = JSON.parse(text) as Record<string, unknown>
      if (operation.endsWith('createUser')) keep(ids.users, itemId)
      if (operation === 'iam.createOrganization') keep(ids.organizations, itemId)
      if (operation === 'webhooks.save') keep(ids.webhooks, itemId)
      keep(ids.files, fileId)
    },
    known: (name, operation, random) => {
      const make = values[name]
      if (operation === 'data.execute' && name === '') return gatewayBody(ids, random, count)
      if (operation === 'storage.presignUpload' && name === 'moduleName') return undefined
      if (operation === 'webhooks.save' && name === 'itemId') {
        return ids.webhooks.length > 0 && random.chance(0.5) ? random.pick(ids.webhooks) : null
      }
      if (operation.endsWith('ctivate') && name === 'code') return codes.pop()
      if (operation.endsWith('reateUser') || operation.endsWith('reateOrganization')) {
        if (name === 'email') return `somebody${count}@example.com`
        if (name === 'userName') return `somebody${count}`
        if (name === 'name') return `Somewhere ${count}`
      }
      return make?.(random, ids)
    },
  }
}

const proofs = {
  administrator: 'session',
  user: 'session',
  machine: 'bearer',
  anonymous: 'none',
} as const satisfies Record<Sender, string>

const proofsOf = (id: string): readonly string[] =>
  operations.find(({ route }) => route.id === id)!.access.proofs

interface Ids {
  readonly users: readonly string[]
  readonly organizations: readonly string[]
  readonly files: readonly string[]
  readonly categories: readonly string[]
  readonly products: readonly string[]
}

const machine = {
  grant_type: 'client_credentials',
  client_id: 'job',
  client_secret: 'the secret of the job',
  org_id: 'default',
}

const oauth = {
  type: 'oauth2',
  grantType: 'AUTHORIZATION_CODE',
  authorizationUrl: 'https://example.org/authorize',
  tokenUrl: 'https://example.org/token',
  clientId: 'c',
  redirectUri: 'https://app.example/tools',
}

const key = (): string => storefrontKey
const user = (random: Random, { users }: Ids): string => random.pick(users)

/** Values of the sample project, by their names in the document. */
const values: Readonly<Record<string, (random: Random, ids: Ids) => unknown>> = Object.assign(
  Object.create(null) as Record<string, (random: Random, ids: Ids) => unknown>,
  {
    'x-service-key': key,
    ProjectKey: key,
    projectKey: key,
    project_key: key,
    clientId: () => 'web',
    redirectUri: () => appUri,
    client_id: () => machine.client_id,
    client_secret: () => machine.client_secret,
    org_id: () => machine.org_id,
    Id: user,
    itemId: user,
    userId: user,
    userIds: (random, ids) => [user(random, ids)],
    organizationId: (random, { organizations }) => random.pick(organizations),
    roles: (random) => random.pick([[], ['member'], ['customer']]),
    permissions: (random) => random.pick([[], ['orders.read']]),
    defaultRoleForMembers: () => ['customer'],
    defaultPermissionsForMembers: () => [],
    slugs: () => ['customer', 'editor'],
    password: () => 'another horse of a battery',
    page: (random) => random.below(3),
    Page: (random) => random.below(3),
    PageNo: (random) => 1 + random.below(3),
    pageSize: (random) => 1 + random.below(20),
    PageSize: (random) => 1 + random.below(20),
    property: (random) => random.pick(['createdDate', 'email', 'firstName', 'name']),
    'Sort.Property': () => 'name',
    Language: (random) => random.pick(['en-US', 'de-DE', 'ja-JP', 'ar-EG']),
    ModuleName: (random) => random.pick(['account', 'auth', 'cart', 'catalog', 'checkout']),
    FileId: (random, { files }) => (files.length > 0 ? random.pick(files) : 'none'),
    accessModifier: (random) => random.pick(['Public', 'Private']),
    configurationName: () => null,
    ConfigurationName: () => 'Default',
    parentDirectoryId: () => null,
    url: () => 'http://127.0.0.1:9/hook',
    isDisabled: (random) => random.chance(0.9),
    tool_id: (random) => random.pick(['oauth', 'plain']),
    agent_id: () => '3f0c2d1e-5a4b-4c6d-8e7f-9a0b1c2d3e4f',
    sourceText: () => 'Save your changes',
    destinationLanguage: () => 'German',
    currentLanguage: () => 'English',
    joinedOn: () => '2026-01-01',
    lastLogin: () => '2026-01-01',
  } satisfies Record<string, (random: Random, ids: Ids) => unknown>,
)

/** Builds gateway documents like those of an application. */
function gatewayBody({ categories, products }: Ids, random: Random, count: number): object {
  const id = random.pick(categories)
  return random.pick([
    {
      query: `{ Products(paging: {pageNo: ${1 + random.below(3)}, pageSize: 5}) { items { ItemId Name } totalCount } }`,
    },
    {
      query:
        'query List($where: ProductFilterInput) { Products(where: $where) { items { ItemId Name Tags } hasNextPage } }',
      variables: { where: { ItemId: { in: [random.pick(products), random.pick(products)] } } },
      operationName: 'List',
    },
    {
      query:
        'query ($id: String) { Categories(where: {ItemId: {eq: $id}}) { items { Name Slug SortOrder IsVisible } } }',
      variables: { id },
    },
    {
      query:
        '{ Orders(order: [{field: "CreatedDate", direction: DESC}]) { items { ItemId Lines { Sku Quantity } } } Customers { totalCount } }',
    },
    {
      query:
        'mutation ($input: CategoryInsertInput) { insertCategory(input: $input) { acknowledged itemId } }',
      variables: { input: { Name: `Category ${count}`, SortOrder: random.below(100) } },
    },
    {
      query:
        'mutation ($id: String, $input: CategoryUpdateInput) { updateCategory(where: {ItemId: {eq: $id}}, input: $input) { acknowledged } }',
      variables: { id, input: { Description: `Text ${count}` } },
    },
    {
      query:
        'mutation ($name: String) { deleteCategory(where: {Name: {eq: $name}}) { acknowledged } }',
      variables: { name: `Category ${random.below(count + 1)}` },
    },
    { query: '{ __schema { queryType { fields { name } } } }' },
  ])
}
