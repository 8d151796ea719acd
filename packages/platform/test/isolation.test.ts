import { operations } from '@servicekit/contract'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Platform } from '../src/index.ts'
import type { Browser } from '@servicekit/testing/cookie-browser'
import { onEachEngine } from '@servicekit/testing/engines'
import { isDeep } from '@servicekit/testing/is-deep'
import { send } from './gateway-client.ts'
import { appUri, control, people, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

/** Included in all data of project A, and in nothing that is sent. */
const canary = 'canary'
/** Ids of A's data; B may request them but has nothing with these ids. */
const idsOfA = ['user-a', 'tool-a', 'agent-a', 'thing-a', 'org-a', 'org-A', 'file-a', 'role-a']
const runs = isDeep ? 3000 : 150

const schemas = [
  {
    schemaName: 'Thing',
    schemaType: 1,
    querySchema: 'Things',
    fields: [{ name: 'Name', type: 'String' }],
  },
]

onEachEngine((engine) => {
  let platform: Platform
  let browser: Browser
  let token = ''
  beforeAll(async () => {
    platform = await engine.open({ origins: ['https://app.example'] })
    await platform.loadProject(
      project(
        'A',
        { en: { m: { KEY: `${canary} text` } } },
        { schemas, records: { Thing: [{ ItemId: 'thing-a', Name: `${canary} record` }] } },
      ),
    )
    await platform.loadProject(project('B', { en: { m: { OWN: 'b' } } }, { schemas }))
    await control(platform, 'A', 'PUT', '/identity', {
      organizations: [{ itemId: 'org-a', name: `${canary} org` }],
      roles: [{ slug: 'role-a', name: `${canary} role` }],
      clients: [{ clientId: 'client-a', redirectUris: [`https://${canary}.example/`] }],
      users: [
        { itemId: 'user-a', email: `${canary}@example.com`, password: 'a horse of a battery' },
      ],
    })
    await control(platform, 'A', 'PUT', '/tools/tool-a', { name: `${canary} tool` })
    await control(platform, 'A', 'PUT', '/agents/agent-a', { name: canary, toolIds: ['tool-a'] })
    await control(platform, 'A', 'PUT', '/webhook', {
      url: `https://${canary}.example/`,
      contentType: 'application/json',
      isDisabled: false,
      projectKey: 'A',
    })
    await control(platform, 'B', 'PUT', '/identity', people)
    browser = (await signIn(platform, 'B')).browser
    const form = {
      grant_type: 'client_credentials',
      client_id: 'job',
      client_secret: 'the secret of the job',
      org_id: 'default',
    }
    const issued = await platform.fetch(
      new Request('http://platform.local/iam/v4/oidc/token', {
        method: 'POST',
        headers: { 'x-service-key': 'B', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      }),
    )
    token = ((await issued.json()) as { accessToken: string }).accessToken
  })
  const exportOfA = async () => (await control(platform, 'A', 'GET', '/export?secrets=true')).text()

  const id = fc.constantFrom(...idsOfA)
  const keyInside = fc.constantFrom('A', 'B')
  const graphql = fc.constantFrom(
    '{ Things { totalCount items { ItemId Name } } }',
    '{ Things(where: {ItemId: {eq: "thing-a"}}) { items { Name } } }',
    'mutation { updateThing(where: {ItemId: {eq: "thing-a"}}, input: {Name: "x"}) { acknowledged } }',
    'mutation { deleteManyThing(where: {ItemId: {neq: null}}) { totalImpactedData } }',
    'mutation { insertThing(input: {ItemId: "thing-a", Name: "b"}) { acknowledged message } }',
  )
  /** Union of all bodies' members; an operation reads those that it knows. */
  const body = fc.record({
    query: graphql,
    itemId: id,
    userId: id,
    name: id,
    email: fc.constantFrom('x@example.com', 'y@example.com'),
    userName: id,
    password: fc.constantFrom('', 'a long enough one'),
    organizationId: id,
    roles: fc.array(id, { maxLength: 2 }),
    permissions: fc.constant([]),
    parentDirectoryId: id,
    code: id,
    page: fc.constantFrom(0, 1),
    pageSize: fc.constant(100),
    filter: fc.record({ userIds: fc.array(id, { maxLength: 2 }), organizationId: id, org_id: id }),
    projectKey: keyInside,
    project_key: keyInside,
    agent_id: fc.constant('5c7e1a90-0000-4000-8000-000000000001'),
    question: fc.constant('q'),
    answer: fc.constant('a'),
    elementType: fc.constant('button'),
    elementApplicationContext: fc.constant('a'),
    elementDetailContext: fc.constant('b'),
    sourceText: fc.constantFrom('text', 'record'),
    currentLanguage: fc.constant('en'),
    destinationLanguage: fc.constant('de'),
    url: fc.constant('https://example.org/'),
    contentType: fc.constant('application/json'),
    isDisabled: fc.boolean(),
  })
  const query = fc.record({
    ProjectKey: keyInside,
    project_key: keyInside,
    'x-service-key': keyInside,
    Language: fc.constantFrom('en', 'key'),
    ModuleName: fc.constant('m'),
    Id: id,
    FileId: id,
    organizationId: id,
    clientId: fc.constantFrom('client-a', 'web'),
    redirectUri: fc.constant(appUri),
    code: id,
    state: id,
  })
  // A sign-out would only end the session that all other requests use.
  const operation = fc.constantFrom(...operations.filter(({ route }) => route.id !== 'auth.logout'))

  it('neither shows nor changes data of project A for callers of project B', async () => {
    const before = await exportOfA()
    expect(before).toContain(canary)
    await fc.assert(
      fc.asyncProperty(operation, id, body, query, async ({ route }, pathId, sent, asked) => {
        const values = Object.entries(asked).filter(([name]) => route.query?.includes(name))
        const path = route.path.replaceAll(/\{\w+\}/g, pathId)
        const response = await browser.send(`${path}?${new URLSearchParams(values)}`, {
          method: route.method,
          headers: {
            'x-service-key': 'B',
            authorization: `Bearer ${token}`,
            ...(route.body ? { 'content-type': 'application/json' } : {}),
          },
          ...(route.body ? { body: JSON.stringify(sent) } : {}),
        })
        expect(await response.text()).not.toContain(canary)
        expect(response.status).not.toBe(500)
      }),
      { numRuns: runs },
    )
    expect(await exportOfA()).toBe(before)
    const own = await send(platform, 'A', '{ Things { items { Name } } }')
    expect(own.data.Things.items).toEqual([{ Name: `${canary} record` }])
  }, 300_000)
})
