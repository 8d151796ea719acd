import { operations } from '@servicekit/contract'
import { sample } from '@servicekit/testing/is-deep'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshMembers, membersOf, oddityOf, requestOf, withMember } from './operations/requests.ts'
import { openWorld, type Sent, type World } from './operations/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.platform.close())

/** Returns a value with the given nesting depth. */
const nested = (depth: number): unknown => {
  let value: unknown = 'x'
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

/** Values that a client may send instead of any member. */
const oddities: readonly (readonly [string, unknown])[] = [
  ['U+0000', 'a\0b'],
  ['half of a surrogate pair', 'a\ud800b'],
  ['U+0000 within JSON within a text', '{"a":"\\u0000","b":{"value":"\\ud800"},"\\u0000":1}'],
  ['U+0000 within a list within a text', '["\\u0000"]'],
  ['a long text', 'ä'.repeat(20_000)],
  ['more than 32 bits', 2 ** 31],
  ['the largest integer', Number.MAX_SAFE_INTEGER],
  ['a large number', 1e308],
  ['a negative number', -1],
  ['a fraction', 1.5],
  ['null', null],
  ['true', true],
  ['an empty text', ''],
  ['an empty list', []],
  ['an empty object', {}],
  ['large codes', [2 ** 31]],
  ['a list of U+0000', ['\0']],
  ['a member named like a prototype', JSON.parse('{"__proto__":{"a":1},"constructor":"\\u0000"}')],
  ['500 levels', nested(500)],
]

describe.each(operations.map((operation) => [operation.route.id, operation] as const))(
  '%s',
  (_id, operation) => {
    it('responds to unexpected input as documented', async () => {
      const sent = await requestOf(world, operation)
      const faults: string[] = []
      const check = async (what: string, changed: Sent): Promise<void> => {
        const fault = await oddityOf(world, operation, changed)
        if (fault) faults.push(`${what}: ${fault}`)
      }
      if (operation.route.body === 'json') {
        const members = [[], ...membersOf(operation.body)]
        for (const [index, member] of members.entries()) {
          for (const [name, value] of sample(oddities, index)) {
            const own = { ...(sent.body as object), ...(await freshMembers(world, operation)) }
            const body = withMember(own, member, value)
            await check(`${member.join('.')} is ${name}`, { ...sent, body })
          }
        }
      }
      for (const name in sent.form) {
        for (const value of ['\0', 'ä'.repeat(20_000), ' ', '']) {
          const form = { ...sent.form, [name]: value }
          await check(`${name} is ${value.slice(0, 20)}`, { ...sent, form })
        }
      }
      for (const name of operation.route.query ?? []) {
        for (const value of ['\0', 'ä'.repeat(2000), '9007199254740991', '-1', '%', '1e300', ' ']) {
          const query = { ...sent.query, [name]: value }
          await check(`${name} is ${value.slice(0, 20)}`, { ...sent, query })
        }
      }
      const path = operation.route.path.indexOf('{')
      if (path >= 0) {
        const end = operation.route.path.replace(/^.*\}/, '')
        for (const id of ['%00', '%ff', '%ED%A0%80', 'a%2fb', 'ä'.repeat(999), '%']) {
          const odd = `${operation.route.path.slice(0, path)}${id}${end}`
          await check(`the path is ${odd.slice(0, 60)}`, { ...sent, path: odd })
        }
      }
      expect(faults).toEqual([])
    }, 120_000)
  },
)

describe('the control routes', () => {
  const call = (method: string, path: string, body?: unknown) =>
    world.platform.fetch(
      new Request(`http://platform.local/_platform${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )

  it.each([
    ['PUT', '/tools/%00', { name: 'T' }],
    ['PUT', '/tools/a', { name: '\0' }],
    ['PUT', '/agents/a', { name: 'A', toolIds: ['\0'] }],
    ['GET', '/tools/%00/token'],
    ['GET', '/files/%00'],
    ['GET', '/keys?search=%00'],
    ['GET', '/keys?page=99999999999999999'],
    ['GET', '/knowledge?agent=%00'],
    ['PUT', '/identity', { roles: [{ slug: '\0', name: 'x' }] }],
  ])(
    'reject values that the database cannot store: %s %s',
    async (method, path, body?: unknown) => {
      const response = await call(method, `/projects/P${path}`, body)
      expect([400, 404], await response.text()).toContain(response.status)
    },
  )

  it('advance the clock no further than the year 9999', async () => {
    for (const advanceMs of [Number.MAX_SAFE_INTEGER, 8e15]) {
      expect((await call('POST', '/clock', { advanceMs })).status).toBe(400)
    }
    expect((await call('GET', '/clock')).status).toBe(200)
  })
})

it('processes or rejects large bodies', async () => {
  const large = 'word '.repeat(2 ** 18)
  const suggestion = {
    elementType: 'button',
    elementApplicationContext: 'a',
    elementDetailContext: 'b',
    sourceText: large,
    currentLanguage: 'en',
    destinationLanguage: 'de',
  }
  const path = '/uilm/v1/Assistant/GetTranslationSuggestion'
  const suggested = await world.send({ path, body: suggestion })
  expect(await suggested.json()).toMatchObject({ suggestions: [] })
  const words = Array.from({ length: 150_000 }, (_, index) => `w${index}`).join(' ')
  const question = { project_key: 'P', agent_id: '5C7E1A90-0000-4000-8000-000000000001' }
  for (const texts of [
    { question: words, answer: 'a' },
    { question: 'q', answer: words },
  ]) {
    const added = await world.send({ path: '/kb/qa', body: { ...question, ...texts } })
    expect(added.status).toBe(400)
  }
  const most = { question: words.slice(0, 20_000), answer: words.slice(0, 100_000) }
  expect((await world.send({ path: '/kb/qa', body: { ...question, ...most } })).status).toBe(200)
  const name = 'x'.repeat(16 * 2 ** 20)
  expect((await world.send({ path: '/kb/qa', body: { ...question, name } })).status).toBe(413)
})

it.each([
  ['/tools/tutorial/plain', 400, (deep: string) => `{"a":${deep}}`],
  ['/data/v4/Files/GetFilesInfo', 400, (deep: string) => `{"filter":{"a":${deep}}}`],
  [
    '/data/v4/Files/GetPreSignedUrlForUpload',
    200,
    (deep: string) => JSON.stringify({ name: 'a', metaData: `{"a":${deep}}` }),
  ],
])('rejects deeply nested values: %s', async (path, status, bodyOf) => {
  const depth = 100_000
  const response = await world.platform.fetch(
    new Request(`http://platform.local${path}`, {
      method: 'POST',
      headers: { 'x-service-key': 'P', authorization: `Bearer ${world.token}` },
      body: bodyOf('['.repeat(depth) + ']'.repeat(depth)),
    }),
  )
  expect(await response.text()).toContain('nests deeper')
  expect(response.status).toBe(status)
})
