import type { data } from '@servicekit/contract'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import type { Browser } from '@servicekit/testing/cookie-browser'
import { appUri, control, password, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

/** Row of a table: the request, and the expected outcome for each caller. */
interface Row {
  readonly level: string
  readonly use: string
  readonly expected: Readonly<Record<string, string>>
}

const security = readFileSync(
  new URL('../../../docs/operations/access.md', import.meta.url),
  'utf8',
)
const section = security.slice(
  security.indexOf('<!-- gateway: begin -->'),
  security.indexOf('<!-- gateway: end -->'),
)
/** Tables, in order. */
const tables: readonly (readonly Row[])[] = section
  .split(/\n\n/)
  .filter((part) => part.startsWith('|'))
  .map((part) => {
    const [head, , ...rows] = part.trim().split('\n').map(cellsOf)
    return rows.map(([level = '', use = '', ...cells]) => ({
      level,
      use: use.replaceAll('`', ''),
      expected: Object.fromEntries(cells.map((cell, index) => [head![index + 2]!, cell])),
    }))
  })

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

type Verb = 'read' | 'insert' | 'update' | 'delete'
const memberOf: Readonly<Record<Verb, keyof data.DataSchema>> = {
  read: 'readAccessLevel',
  insert: 'writeAccessLevel',
  update: 'editAccessLevel',
  delete: 'deleteAccessLevel',
}
const isPublic = {
  readAccessLevel: 2,
  writeAccessLevel: 2,
  editAccessLevel: 2,
  deleteAccessLevel: 2,
}
/** Parses a level of the tables: `1 (User)`, or undefined for `absent`. */
const numberOf = (level: string): number | undefined =>
  level === 'absent' ? undefined : Number.parseInt(level, 10)
const field = (name: string, more: object = {}) => ({ name, type: 'String', ...more })
const entity = (name: string, levels: object, fields: object[]) =>
  ({
    schemaName: name,
    schemaType: 1,
    querySchema: `${name}s`,
    ...levels,
    fields,
  }) as data.DataSchema

/** Schemas of the first table: one per row, in which only the row's verb has the level. */
const schemaOf = (level: string, verb: string) => `S${numberOf(level) ?? ''}${verb}`
const leveled = tables[0]!.map(({ level, use }) =>
  entity(schemaOf(level, use), { ...isPublic, [memberOf[use as Verb]]: numberOf(level) }, [
    field('Name'),
  ]),
)
const levels = (level: number) => ({
  readAccessLevel: level,
  writeAccessLevel: level,
  editAccessLevel: level,
  deleteAccessLevel: level,
})
const fields = [0, 1, 2, 3].map((level) => field(`F${level}`, levels(level)))
const mixed = entity('Mixed', isPublic, [
  field('Name'),
  ...fields,
  field('Inner', { type: 'Inner' }),
])
const inner = { schemaName: 'Inner', schemaType: 2, fields }
const all = 'ItemId Name LastUpdatedBy CreatedBy'
const allMixed = `${all} F0 F1 F2 F3 Inner { F0 F1 F2 F3 }`

const clients = [
  { clientId: 'web', redirectUris: [appUri] },
  { clientId: 'job', clientSecret: 'the secret of the job' },
  { clientId: 'boss', clientSecret: 'the secret of the boss', roles: ['admin'] },
]
const identity = {
  clients,
  organizations: [{ itemId: 'org-other', name: 'Other' }],
  roles: [
    { slug: 'admin', name: 'Administrator' },
    { slug: 'member', name: 'Member' },
  ],
  users: [
    { itemId: 'ada', email: 'ada@example.com', password, roles: ['admin'] },
    { itemId: 'bob', email: 'bob@example.com', password, roles: ['member'] },
    {
      itemId: 'eve',
      email: 'eve@example.com',
      password,
      memberships: [{ organizationId: 'org-other', roles: ['admin'], permissions: [] }],
    },
  ],
  settings: { administratorRoles: ['admin'] },
}

/** Credentials of a caller, and the name that records give it. */
interface Caller {
  readonly token?: string
  readonly browser?: Browser
  readonly author: string
}

interface Outcome {
  readonly kind: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it selected
  readonly data: any
}

let platform: Platform
let callers: Readonly<Record<string, Caller>>
beforeAll(async () => {
  platform = await createPlatform()
  for (const key of ['P', 'Q']) {
    await platform.loadProject(project(key, {}, { schemas: [...leveled, mixed, inner] }))
    const put = await control(platform, key, 'PUT', '/identity', identity)
    expect(await put.text()).toBe('')
  }
  const browserOf = async (name: string) =>
    (await signIn(platform, 'P', `${name}@example.com`)).browser
  callers = {
    anonymous: { author: 'anonymous' },
    user: { browser: await browserOf('bob'), author: 'bob' },
    'user of another organization': { browser: await browserOf('eve'), author: 'eve' },
    machine: { token: await tokenOf('P', 'job'), author: 'job' },
    administrator: { browser: await browserOf('ada'), author: 'ada' },
    'machine with `admin`': { token: await tokenOf('P', 'boss'), author: 'boss' },
    'other project': { token: await tokenOf('Q', 'boss'), author: '' },
  }
})
afterAll(() => platform?.close())

async function tokenOf(key: string, clientId: string): Promise<string> {
  const form = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: `the secret of the ${clientId}`,
    org_id: 'default',
  }
  const response = await platform.fetch(
    new Request('http://platform.local/iam/v4/oidc/token', {
      method: 'POST',
      headers: { 'x-service-key': key, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    }),
  )
  return ((await response.json()) as { accessToken: string }).accessToken
}

async function run(by: Caller, query: string, variables?: object): Promise<Outcome> {
  const init = {
    method: 'POST',
    headers: {
      'x-service-key': 'P',
      'content-type': 'application/json',
      ...(by.token === undefined ? {} : { authorization: `Bearer ${by.token}` }),
    },
    body: JSON.stringify({ query, variables }),
  }
  const path = '/data/v4/gateway'
  const response = await (by.browser
    ? by.browser.send(path, init)
    : platform.fetch(new Request(`http://platform.local${path}`, init)))
  const { data, errors } = (await response.json()) as data.GatewayResponseBody
  const code = errors?.[0]?.extensions?.code
  expect(code === undefined ? null : (data ?? null)).toBeNull()
  const kinds = new Map([
    [undefined, 'yes'],
    ['AUTH_NOT_AUTHENTICATED', 'sign in'],
    ['AUTH_NOT_AUTHORIZED', 'no'],
  ])
  expect(response.status).toBe(200)
  return { kind: kinds.get(code) ?? `${code}: ${errors![0]!.message}`, data }
}

/** Returns the records of a schema, as an administrator reads them. */
async function recordsOf(schema: string): Promise<unknown> {
  const selected = schema === 'Mixed' ? allMixed : all
  const { data } = await run(
    callers['machine with `admin`']!,
    `{ found: ${schema}s(paging: {pageNo: 1, pageSize: 1000}) { items { ${selected} } } }`,
  )
  return data.found.items
}

let count = 0
/**
 * Sends the request of a cell; checks that a rejected one changed nothing and an allowed
 * write did.
 */
async function callCell(
  by: Caller,
  schema: string,
  isWrite: boolean,
  query: string,
  variables?: object,
): Promise<string> {
  if (isWrite) {
    await run(
      callers['machine with `admin`']!,
      `mutation { insert${schema}(input: {ItemId: "x", Name: "x"}) { itemId } }`,
    )
  }
  const before = await recordsOf(schema)
  const { kind } = await run(by, query, variables)
  const after = await recordsOf(schema)
  expect(isDeepStrictEqual(after, before), `${query} changes nothing`).toBe(
    !isWrite || kind !== 'yes',
  )
  return kind
}

const outcomes = async (call: (by: Caller) => Promise<string>) => {
  const found: Record<string, string> = {}
  for (const [name, by] of Object.entries(callers)) found[name] = await call(by)
  return found
}
const titled = (rows: readonly Row[]) => rows.map((row) => [row.level, row.use, row] as const)

describe('a schema of the level', () => {
  const schemaQueries: Readonly<Record<Verb, (schema: string) => string>> = {
    read: (schema) => `{ ${schema}s { totalCount } }`,
    insert: (schema) => `mutation { insert${schema}(input: {Name: "n"}) { acknowledged } }`,
    update: (schema) =>
      `mutation { update${schema}(where: {ItemId: {eq: "x"}}, input: {Name: "${++count}"}) { acknowledged } }`,
    delete: (schema) => `mutation { delete${schema}(where: {ItemId: {eq: "x"}}) { acknowledged } }`,
  }
  it.each(titled(tables[0]!))('%s allows callers to %s as documented', async (level, use, row) => {
    const schema = schemaOf(level, use)
    const query = schemaQueries[use as Verb]
    expect(await outcomes((by) => callCell(by, schema, use !== 'read', query(schema)))).toEqual(
      row.expected,
    )
  })
})

describe('a field of the level', () => {
  /** Uses of a field: a query, its variables, and whether it writes. */
  const uses: Readonly<
    Record<string, (name: string) => readonly [string, (object | undefined)?, true?]>
  > = {
    select: (name) => [`{ Mixeds { items { a: ${name} } } }`],
    'select by a fragment': (name) => [
      `{ Mixeds { ...A } } fragment A on MixedResult { items { ...B ...B } } fragment B on Mixed { ${name} }`,
    ],
    'select in a nested object': (name) => [`{ Mixeds { items { Inner { ${name} } } } }`],
    where: (name) => [`{ Mixeds(where: {or: [{and: {${name}: {eq: "a"}}}]}) { totalCount } }`],
    'where by a variable': (name) => [
      'query ($where: [MixedFilterInput]) { Mixeds(where: {or: $where}) { totalCount } }',
      { where: [{ and: [{ [name]: { eq: 'a' } }] }] },
    ],
    filter: (name) => [
      'query ($filter: String) { Mixeds(input: {filter: $filter}) { totalCount } }',
      { filter: JSON.stringify({ $or: [{ [name]: 'a' }] }) },
    ],
    order: (name) => [
      `query ($name: String = "${name}") { Mixeds(order: {field: $name}) { items { ItemId } } }`,
    ],
    sort: (name) => [
      'query ($input: DynamicQueryInput) { Mixeds(input: $input) { totalCount } }',
      { input: { sort: JSON.stringify({ [name]: 1 }) } },
    ],
    insert: (name) => [
      'mutation ($input: MixedInsertInput) { insertMixed(input: $input) { acknowledged } }',
      { input: { [name]: 'a' } },
      true,
    ],
    'insert in a nested object': (name) => [
      `mutation { insertManyMixed(input: {Inner: {${name}: "a"}}) { acknowledged } }`,
      undefined,
      true,
    ],
    update: (name) => [
      `mutation { updateMixed(where: {ItemId: {eq: "x"}}, input: {${name}: "${++count}"}) { acknowledged } }`,
      undefined,
      true,
    ],
    'where of an update': (name) => [
      `mutation { updateManyMixed(where: {${name}: {neq: "none"}}, input: {Name: "${++count}"}) { acknowledged } }`,
      undefined,
      true,
    ],
    'filter of a delete': (name) => [
      'mutation ($filter: String) { deleteManyMixed(filter: $filter) { acknowledged } }',
      { filter: JSON.stringify({ [name]: { $ne: 'none' } }) },
      true,
    ],
  }
  it.each(titled(tables[1]!))('%s allows %s as documented', async (level, use, row) => {
    const cell = (by: Caller) => {
      const [query, variables, isWrite = false] = uses[use]!(`F${numberOf(level)}`)
      return callCell(by, 'Mixed', isWrite, query, variables)
    }
    expect(await outcomes(cell)).toEqual(row.expected)
  })
})

it.each(titled(tables[2]!))('introspection (%s): %s as documented', async (_, use, row) => {
  const queries = new Map([
    ['__schema', '{ __schema { queryType { name } } }'],
    ['__type', '{ ...F } fragment F on Query { __type(name: "Mixed") { name } }'],
    ['__typename', '{ __typename }'],
  ])
  expect(await outcomes(async (by) => (await run(by, queries.get(use)!)).kind)).toEqual(
    row.expected,
  )
})

it('rejects a document before any part of it runs', async () => {
  const before = await recordsOf('Mixed')
  for (const query of [
    'mutation { a: insertMixed(input: {Name: "a"}) { itemId } b: insertMixed(input: {F3: "b"}) { itemId } }',
    'mutation { a: insertMixed(input: {Name: "a"}) { itemId } insertS3insert(input: {Name: "b"}) { itemId } }',
    'mutation A { insertMixed(input: {Name: "a"}) { itemId } } query B { Mixeds { items { F3 } } }',
  ]) {
    const body = JSON.stringify({ query, operationName: 'A' })
    expect((await run(callers['user']!, query)).kind, body).toBe('no')
  }
  expect(await recordsOf('Mixed')).toEqual(before)
})

it('records the caller as the author', async () => {
  for (const [name, by] of Object.entries(callers)) {
    if (name === 'other project') continue
    const insert = 'mutation ($id: String) { insertMixed(input: {ItemId: $id}) { acknowledged } }'
    await run(by, insert, { id: by.author })
    const update =
      'mutation ($id: String) { updateMixed(where: {ItemId: {eq: $id}}, input: {Name: "n"}) { acknowledged } }'
    await run(by, update, { id: by.author })
    await run(callers['anonymous']!, update, { id: `${by.author} ` })
    expect(await recordsOf('Mixed')).toContainEqual(
      expect.objectContaining({
        ItemId: by.author,
        CreatedBy: by.author,
        LastUpdatedBy: by.author,
      }),
    )
  }
})

it('accepts an update by record id if records cannot be read', async () => {
  const levels = { ...isPublic, readAccessLevel: 3 }
  await platform.loadProject(project('R', {}, { schemas: [entity('T', levels, [field('Name')])] }))
  const send = async (query: string) => {
    const init = {
      method: 'POST',
      headers: { 'x-service-key': 'R' },
      body: JSON.stringify({ query }),
    }
    const response = await platform.fetch(
      new Request('http://platform.local/data/v4/gateway', init),
    )
    return (await response.json()) as data.GatewayResponseBody
  }
  const update = (where: string) =>
    send(`mutation { updateT(where: {${where}: {eq: "a"}}, input: {Name: "b"}) { acknowledged } }`)
  expect(await update('ItemId')).toEqual({ data: { updateT: { acknowledged: false } } })
  expect((await update('Name')).errors![0]!.extensions!.code).toBe('AUTH_NOT_AUTHENTICATED')
})

it('applies access levels that the control routes draft and publish', async () => {
  await platform.loadProject(project('D'))
  const read = () =>
    platform
      .fetch(
        new Request('http://platform.local/data/v4/gateway', {
          method: 'POST',
          headers: { 'x-service-key': 'D' },
          body: '{"query": "{ Notes { totalCount } }"}',
        }),
      )
      .then((response) => response.json())
  for (const [readAccessLevel, expected] of [
    [undefined, { errors: [{ extensions: { code: 'AUTH_NOT_AUTHENTICATED' } }] }],
    [2, { data: { Notes: { totalCount: 0 } } }],
    [3, { errors: [{ extensions: { code: 'AUTH_NOT_AUTHENTICATED' } }] }],
  ] as const) {
    const definition = { schemaName: 'Note', readAccessLevel, fields: [field('Text')] }
    expect((await control(platform, 'D', 'PUT', '/schemas/Note', definition)).ok).toBe(true)
    expect((await control(platform, 'D', 'POST', '/schemas/publish')).ok).toBe(true)
    expect(await read()).toMatchObject(expected)
  }
  const wrong = { schemaName: 'Note', readAccessLevel: 'Public' }
  expect((await control(platform, 'D', 'PUT', '/schemas/Note', wrong)).status).toBe(400)
})
