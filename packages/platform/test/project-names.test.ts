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
