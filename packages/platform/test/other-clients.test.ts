import { operations, type Route, routes } from '@servicekit/contract'
import type { Browser } from '@servicekit/testing/cookie-browser'
import { people, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canonicalPath } from '../src/http/canonical-path.ts'
import { createPlatform, type Platform } from '../src/index.ts'

/** Requests of clients that were written for deployed instances. */
let platform: Platform
let ada: Browser

beforeAll(async () => {
  const schemas = ['Product', 'Producer', 'Address'].map((schemaName) => ({
    schemaName,
    schemaType: schemaName === 'Address' ? 2 : 1,
    querySchema: `${schemaName}s`,
    fields: [{ name: 'Name', type: 'String', isArray: false, requiredOn: 'None' as const }],
  }))
  const texts = { 'en-US': { m: { A: 'a' } } }
  const changes = { schemas, identity: people as never }
  platform = await createPlatform({
    keyHeader: 'X-Blocks-Key',
    projects: [project('P', texts, changes), project('OTHER')],
  })
  ada = (await signIn(platform, 'P', 'ada')).browser
})
afterAll(() => platform.close())

const send = (path: string, init: RequestInit = {}): Promise<Response> =>
  Promise.resolve(platform.fetch(new Request(`http://platform.local${path}`, init)))
const withKey = { headers: { 'x-blocks-key': 'P' } }
const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'x-blocks-key': 'P', 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

describe('the header of the option keyHeader', () => {
  it.each([
    ['/localization/v4/Language/Gets'],
    ['/localization/v4/Module/Gets'],
    ['/localization/v4/Key/GetUilmFile?Language=en-US&ModuleName=m'],
    ['/data/v4/schemas'],
  ])('names the project, without the parameter ProjectKey: %s', async (path) => {
    expect((await send(path, withKey)).status).toBe(200)
  })

  it('names the project of a sign-in, without the parameter x-service-key', async () => {
    const query = 'clientId=web&redirectUri=https%3A%2F%2Fapp.example%2Fcallback'
    const response = await send(`/iam/v4/idp/initiate?${query}`, withKey)
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('/iam/v4/oidc/projects/P/authorize?client_id=web'),
    ])
  })

  it('does not select another project than a parameter or the header of the interface', async () => {
    const list = (query: string, headers: Record<string, string>) =>
      send(`/localization/v4/Language/Gets${query}`, { headers })
    expect((await list('?ProjectKey=OTHER', { 'x-blocks-key': 'P' })).status).toBe(404)
    const both = await list('', { 'x-blocks-key': 'P', 'x-service-key': 'OTHER' })
    expect(both.status).toBe(400)
    expect(await both.text()).toContain('differs from x-blocks-key')
    const same = await list('', { 'x-blocks-key': 'P', 'x-service-key': 'P' })
    expect(same.status).toBe(200)
  })

  it('is ignored without the option', async () => {
    const plain = await createPlatform({ projects: [project('P')] })
    try {
      const request = new Request('http://platform.local/localization/v4/Language/Gets', withKey)
      expect((await plain.fetch(request)).status).toBe(400)
    } finally {
      await plain.close()
    }
  })

  it('selects the origins that may send requests', async () => {
    const origin = 'https://evil.example'
    const headers = { ...withKey.headers, origin }
    expect((await send('/localization/v4/Language/Gets', { headers })).status).toBe(406)
  })
})

const filled = ({ path }: Route): string => path.replaceAll(/\{\w+\}/g, 'plain')
const upper = (route: Route): string =>
  route.path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? 'plain' : segment.toUpperCase()))
    .join('/')

describe('a path in another case', () => {
  it('is that of the operation, whatever the case and the parameters', () => {
    const route = fc.constantFrom(...operations.map((one) => one.route))
    const value = fc.stringMatching(/^[\w.~%-]{1,12}$/)
    fc.assert(
      fc.property(route, value, fc.infiniteStream(fc.boolean()), ({ path }, id, flips) => {
        const canonical = path.replaceAll(/\{\w+\}/g, id)
        // A value that is the name of another operation is that operation.
        fc.pre(!operations.some((one) => one.route.path.toLowerCase() === canonical.toLowerCase()))
        const flipped = path
          .split('/')
          .map((segment) =>
            segment.startsWith('{')
              ? id
              : [...segment]
                  .map((one) => (flips.next().value ? one.toUpperCase() : one.toLowerCase()))
                  .join(''),
          )
          .join('/')
        expect(canonicalPath(flipped)).toBe(canonical)
      }),
    )
  })

  it('changes no path outside the interface', () => {
    for (const path of [
      '/_PLATFORM/projects',
      '/_platform/Projects',
      '/IAM/v4/oidc/PROJECTS/P',
      '/Console/',
      '/',
    ]) {
      expect(canonicalPath(path)).toBe(path)
    }
  })

  it.each(operations.map(({ route }) => [route.id, route] as const))(
    'gets the same response from %s, for anonymous callers and users',
    async (_, route) => {
      const init = { method: route.method, headers: { 'x-service-key': 'P' } }
      for (const ask of [send, (path: string, given: RequestInit) => ada.send(path, given)]) {
        const [one, other] = [await ask(filled(route), init), await ask(upper(route), init)]
        expect([other.status, other.headers.get('allow')]).toEqual([one.status, null])
      }
    },
  )

  it('counts for the same rate limit', async () => {
    const { path } = routes.translationSuggest
    const limited = await createPlatform({ projects: [project('P')], suggestionsPerMinute: 3 })
    const statuses = []
    try {
      for (const one of [path, path.toUpperCase(), path.toLowerCase(), path.toUpperCase()]) {
        const init = post({}, { 'x-service-key': 'P' })
        statuses.push(
          (await limited.fetch(new Request(`http://platform.local${one}`, init))).status,
        )
      }
    } finally {
      await limited.close()
    }
    expect(statuses).toEqual([400, 400, 400, 429])
  })

  it('opens no control route', async () => {
    const guarded = await createPlatform({ projects: [], controlToken: 'canary-control-token' })
    try {
      const status = async (path: string) =>
        (await guarded.fetch(new Request(`http://platform.local${path}`))).status
      expect(await status('/_platform/projects')).toBe(401)
      expect(await status('/_PLATFORM/projects')).toBe(404)
    } finally {
      await guarded.close()
    }
  })

  it('is refused for the page of an unregistered origin', async () => {
    const headers = { origin: 'https://evil.example' }
    for (const path of [
      '/IAM/v4/idp/Initiate?x-service-key=P',
      '/iam/v4/IDP/callback?state=P.x&code=c',
    ]) {
      expect([path, (await send(path, { headers })).status]).toEqual([path, 406])
    }
  })
})

describe('JSON members in another case', () => {
  it('are those of the interface', async () => {
    const body = { Page: 1, PageSize: 1, Sort: { Property: 'email', IsDescending: true } }
    const list = async (given: object) => {
      const response = await ada.send('/idp/v1/Iam/GetUsers', post(given))
      return [response.status, await response.json()]
    }
    const expected = { page: 1, pageSize: 1, sort: { property: 'email', isDescending: true } }
    expect(await list(body)).toEqual(await list(expected))
    expect((await list({ PageSize: -1 }))[0]).toBe(400)
  })

  it('cannot name another project', async () => {
    for (const name of ['projectKey', 'ProjectKey', 'PROJECTKEY']) {
      const response = await ada.send('/idp/v1/Iam/GetUsers', post({ [name]: 'OTHER' }))
      expect([name, response.status]).toEqual([name, 404])
    }
  })

  it('do not replace a member that has its name', async () => {
    const body = { filter: { email: 'ada@example.com' }, Filter: { email: 'nobody@example.com' } }
    const response = await ada.send('/idp/v1/Iam/GetUsers', post(body))
    expect(await response.json()).toMatchObject({ totalCount: 1 })
  })

  it('are kept where they are data', async () => {
    const query =
      'query ($Name: String) { Products(where: { Name: { eq: $Name } }) { totalCount } }'
    const response = await ada.send(
      '/data/v4/gateway',
      post({ Query: query, Variables: { Name: 'x' } }),
    )
    expect(await response.json()).toEqual({ data: { Products: { totalCount: 0 } } })
  })
})

it('issues a machine token without an organization', async () => {
  const body = 'grant_type=client_credentials&client_id=plain&client_secret=secret+of+plain'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const ask = async (form: string) => (await send('/iam/v4/oidc/token', post(form, headers))).status
  expect(await ask(`${body}&org_id=default`)).toBe(await ask(body))
  expect(await ask(body.replace('secret+of', 'wrong+of'))).toBe(401)
})

describe('the schema listing', () => {
  it.each([
    ['SchemaName=Product', ['Product']],
    ['SchemaName=product', []],
    ['Keyword=PROD', ['Product', 'Producer']],
    ['Keyword=%25', []],
    ['SchemaType=2', ['Address']],
    ['SchemaType=1&Keyword=er', ['Producer']],
    ['SchemaType=0&PageSize=1&PageNo=2', ['Producer']],
  ])('is filtered by %s', async (query, names) => {
    const response = await send(`/data/v4/schemas?${query}`, withKey)
    const { data } = (await response.json()) as { data: { items: { schemaName: string }[] } }
    expect(data.items.map(({ schemaName }) => schemaName)).toEqual(names)
  })
})
