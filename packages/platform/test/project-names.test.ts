import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPlatform, type Platform, projectFiles } from '../src/index.ts'
import { parseExactJson } from '@servicekit/core/exact-json'
import { control } from '@servicekit/testing/people'

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform({ projects: [] })
})
afterAll(() => platform?.close())

const language = { itemId: 'l', languageName: 'English', languageCode: 'en', isDefault: true }

/** Sends a project, as JSON text: an object literal cannot have an own member `__proto__`. */
async function load(projectKey: string, modules: readonly string[], texts = '{}') {
  const list = modules.map((moduleName, index) => ({ itemId: `m${index}`, moduleName }))
  const head = JSON.stringify({ projectKey, name: 'P', languages: [language], modules: list })
  const sent = await platform.fetch(
    new Request('http://platform.local/_platform/projects', {
      method: 'POST',
      body: `${head.slice(0, -1)},"texts":${texts}}`,
    }),
  )
  return { status: sent.status, text: await sent.text() }
}

it.each(Object.getOwnPropertyNames(Object.prototype))(
  'imports and exports a module named %s, with and without translations',
  async (name) => {
    expect(await load('Without', [name], '{"en":{}}')).toMatchObject({ status: 200 })
    expect(await load('With', [name], `{"en":{"${name}":{"A":"a"}}}`)).toMatchObject({
      status: 200,
    })
    const exported = await (await control(platform, 'With', 'GET', '/export')).text()
    const files = projectFiles(parseExactJson(exported) as never)
    expect(files.find(({ path }) => path === `uilm/en/${name}.json`)?.text).toContain('"A": "a"')
  },
)

it.each([
  ['İ', 'i̇'],
  ['K', '\u212a'],
  ['Ä', 'ä'],
  ['CON', 'con'],
  [`${'Ä'.repeat(90)}a`, `${'ä'.repeat(90)}a`],
])('refuses the modules %s and %s, whose generated files would clash', async (one, other) => {
  const { status, text } = await load('P', [one, other])
  expect([status, text]).toEqual([400, expect.stringContaining('would have the same file name')])
})

it.each(['.', '..'])('refuses the project key %s, which no address can contain', async (key) => {
  const { status, text } = await load(key, ['m'])
  expect([status, text]).toEqual([400, expect.stringContaining('which no address can contain')])
})

it.each([
  ['PUT', '/drafts', (one: object) => [one, { ...one, key: 'A' }]],
  ['POST', '/imports', (one: object) => ({ drafts: [one, { ...one, key: 'A' }] })],
])('refuses half a surrogate pair in any member of a draft: %s %s', async (method, path, body) => {
  expect(await load('Halves', ['m'])).toMatchObject({ status: 200 })
  const draft = { module: 'm', key: 'B', language: 'en', value: 'b', expected: null }
  for (const member of Object.keys(draft)) {
    const changed = { ...draft, [member]: 'half \ud800' }
    const sent = await control(platform, 'Halves', method, path, body(changed))
    expect([member, sent.status, await sent.text()]).toEqual([
      member,
      400,
      expect.stringContaining('contains half of a surrogate pair'),
    ])
  }
})

it.each([
  ['PUT', '/identity', { roles: [{ slug: 'half \ud800' }] }],
  ['PUT', '/identity', { users: [{ email: 'half\ud800@example.com' }] }],
  ['POST', '/clients', { clientId: 'half \ud800' }],
  ['POST', '/languages', { languageCode: 'de', languageName: 'half \ud800' }],
  ['POST', '/publish', { reason: 'nothing \0' }],
])(
  'refuses half a surrogate pair, which would be stored as another character: %s %s',
  async (method, path, body) => {
    expect(await load('Halves', ['m'])).toMatchObject({ status: 200 })
    const sent = await control(platform, 'Halves', method, path, body)
    expect([sent.status, await sent.text()]).toEqual([
      400,
      expect.stringMatching(/surrogate pair|U\+0000/),
    ])
  },
)
