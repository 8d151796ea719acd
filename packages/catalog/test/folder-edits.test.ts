import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  addKeys,
  type CatalogOptions,
  type FolderOptions,
  locateKey,
  openProject,
  openWriter,
} from '../src/index.ts'
import { bytesIn, temporaryFolder } from '@servicekit/testing/folder'

const call = { language: 'en', signal: new AbortController().signal }

async function openFolder(
  files: Readonly<Record<string, string>>,
  from: Omit<FolderOptions, 'folder'> = {},
  options: CatalogOptions = {},
) {
  const root = await temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, 'locales', path)), { recursive: true })
    await writeFile(join(root, 'locales', path), text)
  }
  const project = openProject(
    { root, from: { folder: 'locales', ...from }, ...options },
    { environment: {} },
  )
  return { root, project, read: () => bytesIn(join(root, 'locales')) }
}

describe('YAML of Rails', () => {
  const files = {
    'en.yml': `# Texts of the shop
en:
  # Shown at the top
  title: "Shop" # short

  cart:
    pay: Pay
    terms: |
      First line
      second line
`,
    'de.yml': `de:
  title: Laden
  cart:
    pay: 'Zahlen'
`,
  }
  const layout = { files: '{language}.yml' }

  it('is read with the language at the top, and aliases', async () => {
    const { project } = await openFolder(
      { ...files, 'fr.yml': 'x: &x\n  a: A\nfr:\n  <<: *x\n  no: non\n  n: 1.0\n' },
      layout,
      { syntax: 'percent-brace' },
    )
    const [module] = (await project.load()).catalog.modules
    expect(Object.fromEntries(module!.translations.get('en')!)).toEqual({
      title: 'Shop',
      'cart.pay': 'Pay',
      'cart.terms': 'First line\nsecond line\n',
    })
    expect(Object.fromEntries(module!.translations.get('fr')!)).toEqual({
      'x.a': 'A',
      'fr.a': 'A',
      'fr.no': 'non',
      'fr.n': '1.0',
    })
  })

  it('keeps comments, order, quotes and blank lines when keys are written', async () => {
    const { project, read } = await openFolder(files, layout)
    await addKeys(project, [{ module: 'messages', key: 'cart.total', text: 'Total: 5' }])
    const renames = [{ module: 'messages', from: 'cart.pay', to: 'cart.buy' }]
    expect(await openWriter(project.options).rename!(renames, call)).toBe(true)
    expect(await read()).toEqual({
      'en.yml': files['en.yml']
        .replace('pay: Pay', 'buy: Pay')
        .replace('second line\n', 'second line\n    total: "Total: 5"\n'),
      'de.yml': files['de.yml'].replace('pay', 'buy'),
    })
  })

  it('gives a new file the language at the top', async () => {
    const { project, read } = await openFolder(
      { 'shop.en.yml': 'en:\n  a: A\n', 'shop.de.yml': 'de:\n  a: A\n' },
      { files: '{module}.{language}.yml' },
    )
    await addKeys(project, [{ module: 'cart', key: 'b', text: 'B' }], { newModules: true })
    expect((await read())['cart.en.yml']).toBe('en:\n  b: B\n')
  })

  it('names line and column of a mistake', async () => {
    const { root, project } = await openFolder({ 'en.yml': 'en:\n  a: "A\n  b: B\n' }, layout)
    await expect(project.load()).rejects.toThrow(`${join(root, 'locales/en.yml')}:4:1: `)
  })
})

describe('JSON', () => {
  it('keeps the order of numbers, and escapes of texts that are not edited', async () => {
    const text = '{\n    "b": "\\u00e9",\n    "404": "Not found",\n    "a": ["x",  1]\n}'
    const { project, read } = await openFolder({ 'en/a.json': text })
    await addKeys(project, [{ module: 'a', key: 'c', text: 'C' }])
    expect((await read())['en/a.json']).toBe(
      '{\n    "b": "\\u00e9",\n    "404": "Not found",\n    "a": ["x",  1],\n    "c": "C"\n}',
    )
  })

  it('has a section for each module in one file', async () => {
    const { project, read } = await openFolder(
      { 'en.json': '{\n  "auth": {\n    "in": "In"\n  },\n  "title": "T"\n}\n', 'de.json': '{}\n' },
      { files: '{language}.json#{module}', module: 'app' },
    )
    const names = async () => (await project.load()).modules.map(({ name }) => name)
    expect(await names()).toEqual(['app', 'auth'])
    await addKeys(project, [
      { module: 'auth', key: 'form.out', text: 'Out' },
      { module: 'app', key: 'end', text: 'E' },
    ])
    await addKeys(project, [{ module: 'cart', key: 'pay', text: 'Zahlen' }], {
      newModules: true,
      language: 'de',
    })
    expect(await read()).toEqual({
      'en.json':
        '{\n  "auth": {\n    "in": "In",\n    "form.out": "Out"\n  },\n  "end": "E",\n  "title": "T"\n}\n',
      'de.json': '{\n  "cart": {\n    "pay": "Zahlen"\n  }\n}\n',
    })
    expect(await names()).toEqual(['app', 'auth', 'cart'])
  })

  it('is written to the folder of a name that is no language code', async () => {
    const { project, read } = await openFolder(
      { 'en/a.json': '{"A":"a"}', 'zhtw/a.json': '{"A":"a"}', 'backup/a.json': '{"B":"b"}' },
      { languages: { zhtw: 'zh-TW', backup: false } },
    )
    const { catalog } = await project.load()
    expect(catalog.languages.map(({ code }) => code)).toEqual(['en', 'zh-TW'])
    const draft = { module: 'b', key: 'B', text: 'b' }
    await addKeys(project, [draft], { newModules: true, language: 'zh-TW' })
    expect(Object.keys(await read()).sort()).toEqual([
      'backup/a.json',
      'en/a.json',
      'zhtw/a.json',
      'zhtw/b.json',
    ])
  })

  it('has the place of each key', async () => {
    const { root, project } = await openFolder({
      'en/a.json': '{\n  "form": {\n    "send": "Send"\n  },\n  "z.y": "Z"\n}\n',
    })
    const [module] = (await project.load()).catalog.modules
    const place = (key: string) => locateKey('uilm', module!, 'en', key)
    const path = join(root, 'locales/en/a.json')
    expect(place('form.send')).toEqual({ path, line: 3, column: 5 })
    expect(place('z.y')).toEqual({ path, line: 5, column: 3 })
    expect(place('other')).toBeUndefined()
  })
})

describe('a key that is part of other messages', () => {
  it.each([
    ['double-brace', 'Welcome to $t(name)'],
    ['double-brace', 'Welcome to $t(a:name)'],
    ['vue-i18n', 'Welcome to @:name'],
    ['vue-i18n', "Welcome to @:{'name'}!"],
  ] as const)('is replaced by its text, and not renamed: %s, %s', async (syntax, text) => {
    const { project, read } = await openFolder(
      { 'en/a.json': JSON.stringify({ name: 'Shop', hello: text }) },
      {},
      { syntax },
    )
    const before = await read()
    const [module] = (await project.load()).catalog.modules
    expect(module!.translations.get('en')!.get('hello')).toMatch(/^Welcome to Shop!?$/)
    const renames = [{ module: 'a', from: 'name', to: 'brand' }]
    await expect(openWriter(project.options).rename!(renames, call)).rejects.toThrow(
      'The key name of a is part of other messages',
    )
    expect(await read()).toEqual(before)
  })

  it('stays as it is written in a circle', async () => {
    const { project } = await openFolder({ 'en/a.json': '{"a": "$t(b)", "b": "$t(a)"}' })
    const [module] = (await project.load()).catalog.modules
    expect(Object.fromEntries(module!.translations.get('en')!)).toEqual({ a: '$t(b)', b: '$t(a)' })
  })
})

describe('the option from', () => {
  it.each([
    [{ folder: '' }, 'from.folder must be the path of a folder'],
    [{ folder: 'a', file: 'b' }, 'Unknown from option "file"'],
    [{ folder: 'a', files: 'x.json' }, 'must contain {language} once'],
    [{ folder: 'a', files: '{language}/{module}.txt' }, 'must end with .json, .yml or .yaml'],
    [{ folder: 'a', files: '../{language}.json' }, 'must be inside the folder'],
    [{ folder: 'a', files: '{lang}.json' }, 'must contain {language} once'],
    [{ folder: 'a', files: '{language}/{ns}.json' }, 'may only contain the names'],
    [{ folder: 'a', files: [] }, 'must be a pattern, or a list of patterns'],
    [{ folder: 'a', languages: { zhtw: 'zh TW' } }, 'must be a language code or false'],
    [{ folder: 'a', languages: { '../x': 'de' } }, 'has a name that is no file name'],
    [{ folder: 'a', languages: { '..': 'de' } }, 'has a name that is no file name'],
  ])('%j is refused', (from, message) => {
    expect(() => openProject({ from: from as never }, { environment: {} })).toThrow(message)
  })

  it('names a folder that is no language', async () => {
    const { project } = await openFolder({ 'en/a.json': '{}', 'klingon/a.json': '{}' })
    await expect(project.load()).rejects.toThrow('"klingon" is not a language code')
  })
})

describe.each(['{language}/{module}.json', '{module}/{language}.json', '{module}.{language}.yml'])(
  'a new module in files named %s',
  (files) => {
    const modules =
      'shop/cart .hidden x/.hidden node_modules x/node_modules/y en x.en uilm.keys a/../b con /a a//b'
    it.each(modules.split(' '))('is read again: %j', async (module) => {
      const first = files.replace('{language}', 'en').replace('{module}', 'first')
      const { project } = await openFolder(
        { [first]: first.endsWith('json') ? '{"A": "a"}' : 'A: a\n' },
        { files },
      )
      await addKeys(project, [{ module, key: 'NEW', text: 'New' }], { newModules: true })
      const { modules } = (await project.load()).catalog
      const found = modules.find(({ name }) => name === module)
      expect(found?.translations.get('en')?.get('NEW')).toBe('New')
    })
  },
)
