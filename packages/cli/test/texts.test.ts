import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StartedPlatform, startPlatform } from '@servicekit/platform/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { run } from './run.ts'

const fixtures = join(import.meta.dirname, '../../formats/test/fixtures')
const projectKey = 'Ptexts'
let folder: string
let platform: StartedPlatform
const url = (path: string) => `${platform.baseUrl}/_platform/projects/${projectKey}${path}`
const get = async (path: string) => (await fetch(url(path))).json() as Promise<never>
const post = (path: string, body: object) =>
  fetch(url(path), { method: 'POST', body: JSON.stringify(body) })

interface Listed {
  readonly states: Readonly<Record<string, string>>
  readonly module: string
  readonly key: string
  readonly drafts: Readonly<Record<string, string>>
  readonly details?: object
}
const keys = async (): Promise<readonly Listed[]> =>
  ((await get('/keys?pageSize=1000')) as { items: readonly Listed[] }).items

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-texts-'))
  platform = await startPlatform({ port: 0 })
})
afterAll(async () => {
  await platform?.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  vi.stubEnv('SERVICEKIT_PROJECT_KEY', projectKey)
  vi.stubEnv('SERVICEKIT_URL', platform.baseUrl)
  const empty = { projectKey, name: 'Texts', languages: [], modules: [] }
  const created = await fetch(`${platform.baseUrl}/_platform/projects`, {
    method: 'POST',
    body: JSON.stringify(empty),
  })
  expect(await created.text()).toContain(projectKey)
})
afterEach(async () => {
  await fetch(`${platform.baseUrl}/_platform/projects/${projectKey}`, { method: 'DELETE' })
})

describe('servicekit import FILE...', () => {
  it('creates languages, modules and keys of an export of Tolgee, but nothing if one has a problem', async () => {
    const args = ['import', join(fixtures, 'tolgee/en.json'), join(fixtures, 'tolgee/de.json')]
    const refused = await run(args)
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain(
      'de.json:6: placeholder: tolgee greeting (de) uses the unknown',
    )
    expect(refused.stderr).toMatch(/^Nothing was imported\. .*--skip-problems/)
    expect([await keys(), await get('/languages'), await get('/modules')]).toEqual([[], [], []])

    const checked = await run([...args, '--skip-problems', '--check'])
    expect(checked.stdout).toContain('would be saved as drafts')
    expect(await keys()).toEqual([])

    const saved = await run([...args, '--skip-problems', '--map', 'module:tolgee=shop'])
    expect(saved).toMatchObject({ code: 0, stderr: '' })
    expect(saved.stdout).toContain(
      'Ptexts: 9 translations, 5 new keys, new modules: shop, new languages: en, de; saved as drafts',
    )
    const found = await keys()
    expect(found.map(({ module, key, drafts }) => [module, key, drafts])).toEqual([
      ['shop', 'cart.checkout', { en: 'Check out', de: 'Zur Kasse' }],
      ['shop', 'cart.empty', { en: 'Your cart is empty.', de: 'Ihr Warenkorb ist leer.' }],
      ['shop', 'greeting', { en: 'Hello {{name}}!' }],
      ['shop', 'items_one', { en: '{{count}} item', de: '{{count}} Artikel' }],
      ['shop', 'items_other', { en: '{{count}} items', de: '{{count}} Artikel' }],
    ])
    expect(await get('/languages')).toMatchObject([
      { languageCode: 'en', isDefault: true },
      { languageCode: 'de', isDefault: false },
    ])
  })

  it('maps the names of XLIFF of Crowdin to those of the project', async () => {
    await post('/languages', { languageCode: 'en-US', isDefault: true })
    await post('/languages', { languageCode: 'de-DE' })
    const args = ['import', join(fixtures, 'crowdin/shop-de.xliff'), '--json']
    const { code, stdout } = await run([...args, '--skip-unreviewed', '--prefix', 'web.'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      saved: true,
      languages: { en: 'en-US', de: 'de-DE' },
      modules: { '/main/shop.json': 'shop' },
      newLanguages: [],
      newModules: ['shop'],
      untranslated: 1,
      unreviewed: 2,
      reviewed: 1,
    })
    const found = await keys()
    expect(found.map(({ key, drafts, details }) => [key, drafts, details])).toEqual([
      [
        'web.cart.checkout',
        { 'en-US': 'Check out', 'de-DE': 'Zur Kasse' },
        { context: 'Button in the cart' },
      ],
      ['web.cart.empty', { 'en-US': 'Your cart is empty.' }, undefined],
      ['web.cart.note', { 'en-US': '<b>Free</b> delivery' }, { maxLength: 20 }],
      ['web.cart.total', { 'en-US': 'Total: {{amount}}' }, undefined],
    ])
    expect(found.map(({ states }) => states)).toEqual([{ 'de-DE': 'reviewed' }, {}, {}, {}])
  })

  it('reads a folder of Android, and keeps what someone else changed unless it may replace', async () => {
    const copy = join(folder, 'android')
    await cp(join(fixtures, 'android'), copy, { recursive: true })
    const refused = await run(['import', copy])
    expect(refused.stderr).toMatch(/^Some files do not name their language\n[^]*--default-language/)
    expect((await run(['import', copy, '--default-language', 'en'])).code).toBe(0)
    const path = join(copy, 'values-de/strings.xml')
    await writeFile(path, (await readFile(path, 'utf8')).replace('Zur Kasse', 'Kasse'))
    const kept = await run(['import', copy])
    expect(kept.stdout).toContain('conflict: common cart_checkout (de) differs from')
    expect(kept.stdout).toContain('0 translations')
    const replaced = await run(['import', copy, '--replace'])
    expect(replaced.stdout).toContain('1 translation')
    const found = await keys()
    expect(found.find(({ key }) => key === 'cart_checkout')?.drafts['de']).toBe('Kasse')
  })

  it('names the encoding that it read a file in if that is not UTF-8', async () => {
    const path = join(folder, 'windows.csv')
    await writeFile(path, Buffer.from('key,de\nA,Gr\u00fc\u00dfe\n', 'latin1'))
    const map = ['--default-language', 'de']
    const { code, stdout } = await run(['import', path, ...map, '--check'])
    expect(code).toBe(0)
    expect(stdout).toContain('windows.csv: not UTF-8; read as windows-1252, check the accents\n')
    await writeFile(path, 'key,de\nA,Gr\u00fc\u00dfe\n')
    expect((await run(['import', path, ...map, '--check'])).stdout).not.toContain('UTF-8')
  })

  it('reports duplicates with their lines, and imports neither', async () => {
    const path = join(folder, 'locales/de.json')
    await mkdir(join(folder, 'locales'))
    await writeFile(path, '{\n  "A": "x",\n  "A": "y",\n  "B": "z"\n}\n')
    const refused = await run(['import', path])
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain('de.json:2: duplicate: common A (de) occurs several times')
    expect(refused.stdout).toContain('de.json:3: duplicate: common A (de) differs from line 2')
    await run(['import', path, '--skip-problems'])
    expect((await keys()).map(({ key }) => key)).toEqual(['B'])
  })

  it('says what is wrong with its arguments and files', async () => {
    const path = join(fixtures, 'tolgee/en.json')
    const errors = await Promise.all(
      [
        ['import', path, '--map', 'fr=fr-FR'],
        ['import', path, '--map', 'fr'],
        ['import', path, '--from', folder],
        ['import'],
        ['import', join(folder, 'missing.json')],
      ].map((args) => run(args)),
    )
    expect(errors.map(({ code, stderr }) => [code, stderr.split('\n')[0]])).toEqual([
      [2, 'Unknown name "fr". Known names: en, tolgee.'],
      [2, '--map must be NAME=VALUE (received "fr")'],
      [2, 'Cannot use --from together with files'],
      [2, 'Files or --from are required'],
      [2, `Cannot read ${join(folder, 'missing.json')}`],
    ])
  })
})

describe('servicekit export --format', () => {
  it('writes what an import reads back without changes', async () => {
    await run([
      'import',
      join(fixtures, 'tolgee/en.json'),
      join(fixtures, 'tolgee/de.json'),
      '--skip-problems',
    ])
    for (const format of [
      'json',
      'i18next',
      'xliff',
      'csv',
      'xlsx',
      'po',
      'android',
      'apple',
      'rails',
    ]) {
      const out = join(folder, `out-${format}`)
      const { code, stdout } = await run(['export', '--format', format, '--out', out])
      expect([code, stdout]).toEqual([0, expect.stringContaining(`of the format ${format} in`)])
      expect((await readdir(out)).length).toBeGreaterThan(0)
      const again = await run(['import', out, '--json'])
      expect(JSON.parse(again.stdout)).toMatchObject({
        translations: 0,
        unchanged: expect.any(Number),
      })
      expect(JSON.parse(again.stdout).unchanged).toBeGreaterThanOrEqual(9)
    }
  })

  it('writes nothing if a format cannot contain a key, and names it', async () => {
    const path = join(folder, 'en.json')
    await writeFile(path, '{"a": "x", "a.b": "y"}')
    await run(['import', path])
    const out = join(folder, 'nested')
    const { code, stderr } = await run(['export', '--format', 'json-nested', '--out', out])
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      'Nested JSON cannot contain the message "a.b": a part of its name is a message as well',
    ])
    await expect(readdir(out)).rejects.toThrow('ENOENT')
  })
})
