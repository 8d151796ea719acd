import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  addKeys,
  type CatalogOptions,
  inspect,
  type KeyDraft,
  openProject,
  openWriter,
  type Project,
  renameLocally,
} from '../src/index.ts'
import { bytesIn, stampsIn, temporaryFolder } from '@servicekit/testing/folder'
import { type Shop, startShop } from './shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop?.platform.close())

const control: Shop['control'] = (...request) => shop.control(...request)
const call = { language: 'en-US', signal: new AbortController().signal }

async function open(options: CatalogOptions = {}): Promise<{ root: string; project: Project }> {
  const root = await temporaryFolder()
  const project = openProject({ root, ...shop.options, ...options }, { environment: {} })
  await project.pull({ types: true })
  return { root, project }
}
const draft = (key: string, text = `Text of ${key}`): KeyDraft => ({ module: 'cart', key, text })
const textOf = async (project: Project, key: string, language = 'en-US') =>
  (await project.load()).catalog.modules
    .find(({ name }) => name === 'cart')
    ?.translations.get(language)
    ?.get(key)
const typesIn = (root: string) => readFile(join(root, '.servicekit/types/uilm/cart.d.ts'), 'utf8')

describe('keys that are added to the platform', () => {
  it('are drafts there, typed here at once, and written only once', async () => {
    const { root, project } = await open()
    const one = { ...draft('ADDED_ONE', 'Hi {{name}}'), context: 'a greeting', maxLength: 20 }
    expect(await addKeys(project, [one])).toMatchObject({
      added: [one],
      existing: [],
      conflicts: [],
    })
    expect(await typesIn(root)).toContain('ADDED_ONE')
    const before = await stampsIn(root)
    expect(await addKeys(project, [one])).toMatchObject({ added: [], existing: [one] })
    expect(await stampsIn(root)).toEqual(before)
    expect(await control('GET', '/keys?search=ADDED_ONE')).toEqual({
      totalCount: 1,
      items: [
        {
          module: 'cart',
          key: 'ADDED_ONE',
          texts: {},
          drafts: { 'en-US': 'Hi {{name}}' },
          isRemoved: false,
          details: { context: 'a greeting', maxLength: 20 },
          states: {},
        },
      ],
    })
  })

  it('are in the model that a pull returns, as in the one that is read', async () => {
    const { root, project } = await open()
    await addKeys(project, [{ ...draft('ADDED_ZERO'), context: 'nothing', maxLength: 90 }])
    const { model } = await project.pull({ types: true })
    const read = await project.load()
    expect(model?.catalog).toEqual(read.catalog)
    expect(project.declarations(model!)).toEqual(project.declarations(read))
    expect(model?.catalog.details?.get('cart')?.get('ADDED_ZERO')?.maxLength).toBe(90)
    await rm(join(root, 'uilm'), { recursive: true })
    expect((await project.pull({ types: true })).model?.catalog).toEqual(read.catalog)
  })

  it('survive a pull until they are published, and a stale ETag', async () => {
    const { root, project } = await open()
    await addKeys(project, [{ ...draft('ADDED_TWO'), context: 'two' }])
    await project.pull({ types: true })
    expect(await textOf(project, 'ADDED_TWO')).toBe('Text of ADDED_TWO')
    expect(await project.compare()).toEqual([])
    await control('POST', '/publish')
    await project.pull({ types: true })
    expect(await textOf(project, 'ADDED_TWO')).toBe('Text of ADDED_TWO')
    expect(JSON.parse(await readFile(join(root, 'uilm.keys.json'), 'utf8'))).toEqual({
      cart: { ADDED_TWO: { context: 'two' } },
    })
    await control('PUT', '/drafts', [{ module: 'cart', key: 'ADDED_TWO', isRemoved: true }])
    await control('POST', '/publish')
    await project.pull({ types: true })
    expect(await textOf(project, 'ADDED_TWO')).toBeUndefined()
  })

  it('are reported, not overwritten, if they exist with another text', async () => {
    const { root, project } = await open()
    await addKeys(project, [draft('ADDED_THREE', 'first')])
    const before = await bytesIn(root)
    const report = await addKeys(project, [draft('ADDED_THREE', 'second')])
    expect(report).toMatchObject({ added: [], conflicts: [{ text: 'second', existing: 'first' }] })
    expect(await bytesIn(root)).toEqual(before)
  })

  it('can be in a new module, which stays after a pull', async () => {
    const { project } = await open()
    const one = { module: 'fresh', key: 'HELLO', text: 'Hello' }
    await expect(addKeys(project, [one])).rejects.toThrow('Unknown module "fresh"')
    await addKeys(project, [one], { newModules: true })
    await project.pull({ types: true })
    expect((await project.load()).modules.map(({ name }) => name)).toContain('fresh')
    await control('DELETE', '/modules/fresh')
  })

  it('are rejected if a name clashes or the text is too long', async () => {
    const { project } = await open()
    await expect(addKeys(project, [draft('a-b'), draft('a-b', 'other')])).resolves.toMatchObject({
      conflicts: [{ existing: 'Text of a-b' }],
    })
    await expect(
      addKeys(project, [{ ...draft('LONG', 'abc{{name}}'), maxLength: 2 }]),
    ).rejects.toThrow('The text of "LONG" has 3 characters, more than its maximum length 2')
    await expect(addKeys(project, [draft('')])).rejects.toThrow('The key "" cannot be blank')
    await expect(addKeys(project, [draft('X')], { language: 'xx' })).rejects.toThrow(
      'Unknown language "xx"',
    )
  })

  it('can be renamed and removed, served ones by drafts', async () => {
    const { project } = await open()
    const writer = openWriter(project.options)
    await addKeys(project, [draft('RENAME_ME', 'text')])
    const renames = [{ module: 'cart', from: 'RENAME_ME', to: 'RENAMED' }]
    expect(await writer.rename!(renames, call)).toBe(true)
    expect(await writer.rename!(renames, call)).toBe(true)
    await renameLocally(project, renames)
    await project.pull({ types: true })
    expect(await textOf(project, 'RENAMED')).toBe('text')
    expect(await textOf(project, 'RENAME_ME')).toBeUndefined()

    const served = [{ module: 'cart', from: 'TITLE', to: 'HEADING' }]
    expect(await writer.rename!(served, call)).toBe(true)
    await renameLocally(project, served)
    await project.pull({ types: true })
    expect(await textOf(project, 'HEADING', 'de-DE')).toBeTruthy()
    await control('POST', '/publish')
    await project.pull({ types: true })
    expect(await textOf(project, 'HEADING', 'de-DE')).toBeTruthy()
    expect(await textOf(project, 'TITLE')).toBeUndefined()
    const taken = [{ module: 'cart', from: 'HEADING', to: 'RENAMED' }]
    expect(await writer.rename!(taken, call)).toBe(false)
    await writer.remove!([{ module: 'cart', key: 'RENAMED' }], call)
    expect((await writer.list(call)).map(({ key }) => key)).not.toContain('RENAMED')
  })
})

/** Creates a project over a folder of translations. */
async function openFolder(files: Record<string, string>, options: CatalogOptions = {}) {
  const root = await temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, 'locales', path, '..'), { recursive: true })
    await writeFile(join(root, 'locales', path), text)
  }
  const project = openProject({ root, from: 'locales', ...options }, { environment: {} })
  await project.pull({ types: true })
  return { root, project, read: (path: string) => readFile(join(root, 'locales', path), 'utf8') }
}

describe('keys that are added to a folder', () => {
  const files = {
    'en/cart.json': '{\n    "cart": {\n        "PAY": "Pay"\n    }\n}',
    'de/cart.json': '{\n    "cart": {\n        "PAY": "Zahlen"\n    }\n}',
  }

  it('are written in its format', async () => {
    const { root, project, read } = await openFolder(files)
    const one = { module: 'cart', key: 'cart.TOTAL', text: 'Total', context: 'sum' }
    await addKeys(project, [one])
    expect(await read('en/cart.json')).toBe(
      '{\n    "cart": {\n        "PAY": "Pay",\n        "TOTAL": "Total"\n    }\n}',
    )
    expect(await read('de/cart.json')).toBe(files['de/cart.json'])
    expect(await read('uilm.keys.json')).toBe(
      '{\n  "cart": {\n    "cart.TOTAL": {"context":"sum"}\n  }\n}\n',
    )
    expect(await addKeys(project, [one])).toMatchObject({ added: [], existing: [one] })
    expect(await textOf(project, 'cart.TOTAL', 'en')).toBe('Total')
    // Nothing beside the folder but the types.
    expect(await readdir(root)).toEqual(['.servicekit', 'locales'])
  })

  it('are refused if a translation has a parameter that the message does not have', async () => {
    const { project, read } = await openFolder({
      'en/cart.json': '{"ITEMS_one": "One", "ITEMS_other": "{{count}} items"}',
      'de/cart.json': '{"ITEMS_one": "Eins", "ITEMS_other": "{{count}} Artikel"}',
    })
    const one = { module: 'cart', key: 'ITEMS_zero', text: 'Kein {{ding}}' }
    await expect(addKeys(project, [one], { language: 'de' })).rejects.toThrow(
      'The text of "ITEMS" (de) uses the unknown parameter ding',
    )
    expect(await read('de/cart.json')).not.toContain('ITEMS_zero')
    await addKeys(project, [{ ...one, text: 'Nichts' }], { language: 'de' })
    expect(await read('de/cart.json')).toContain('Nichts')
  })

  it('can be renamed and removed in every language', async () => {
    const { project, read } = await openFolder(files)
    const writer = openWriter(project.options)
    const renames = [{ module: 'cart', from: 'cart.PAY', to: 'cart.BUY' }]
    expect(await writer.rename!(renames, call)).toBe(true)
    expect(JSON.parse(await read('de/cart.json'))).toEqual({ cart: { BUY: 'Zahlen' } })
    await addKeys(project, [{ module: 'cart', key: 'cart.NEXT', text: 'Next' }])
    expect(
      await writer.rename!([{ module: 'cart', from: 'cart.BUY', to: 'cart.NEXT' }], call),
    ).toBe(false)
    await writer.remove!([{ module: 'cart', key: 'cart.BUY' }], call)
    expect(JSON.parse(await read('de/cart.json'))).toEqual({})
    expect(JSON.parse(await read('en/cart.json'))).toEqual({ cart: { NEXT: 'Next' } })
  })

  it('are renamed in the languages that an interrupted run left', async () => {
    const { project, read } = await openFolder({
      'en/cart.json': '{"BUY": "Pay"}',
      'de/cart.json': '{"PAY": "Zahlen"}',
    })
    const renames = [{ module: 'cart', from: 'PAY', to: 'BUY' }]
    expect(await openWriter(project.options).rename!(renames, call)).toBe(true)
    expect(JSON.parse(await read('en/cart.json'))).toEqual({ BUY: 'Pay' })
    expect(JSON.parse(await read('de/cart.json'))).toEqual({ BUY: 'Zahlen' })
  })

  it('take over the lock of a process that was killed', async () => {
    const { root, project } = await openFolder(files)
    const lock = join(root, `locales/lock-${2 ** 22 + 1}-1-a`)
    await writeFile(lock, '')
    expect((await addKeys(project, [draft('A', 'a')])).added).toHaveLength(1)
    await expect(readFile(lock)).rejects.toThrow('ENOENT')
  })
})

describe('other targets', () => {
  it('hands keys to a function once', async () => {
    const calls: unknown[] = []
    const { root, project } = await openFolder(
      { 'en/cart.json': '{}' },
      { writeTo: (drafts, { language }) => void calls.push({ drafts, language }) },
    )
    await addKeys(project, [draft('A', 'a')])
    await addKeys(project, [draft('A', 'a')])
    await project.pull()
    await addKeys(project, [draft('A', 'a')])
    expect(calls).toEqual([{ drafts: [draft('A', 'a')], language: 'en' }])
    expect(await readFile(join(root, 'uilm.keys.json'), 'utf8')).toContain('"text":"a"')
    await writeFile(join(root, 'locales/en/cart.json'), '{"A": "from the other tool"}')
    await project.pull()
    await expect(readFile(join(root, 'uilm.keys.json'))).rejects.toThrow('ENOENT')
    expect(await textOf(project, 'A', 'en')).toBe('from the other tool')
  })

  it('sends keys to the import route of an instance', async () => {
    const requests: { url: string; headers: unknown; body: string }[] = []
    let status = 200
    const server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        requests.push({ url: request.url!, headers: request.headers, body })
        response.writeHead(status).end()
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { project } = await openFolder(
      { 'en/cart.json': '{}' },
      {
        projectKey: 'P1',
        baseUrl: `http://127.0.0.1:${port}`,
        writeTo: {
          import: {
            url: '{baseUrl}/uilm/import?key={projectKey}',
            headers: { authorization: 'x' },
          },
        },
      },
    )
    await addKeys(project, [draft('A', 'a')])
    expect(requests).toMatchObject([
      {
        url: '/uilm/import?key=P1',
        headers: { 'x-service-key': 'P1', authorization: 'x', 'content-type': 'application/json' },
        body: JSON.stringify([{ module: 'cart', key: 'A', text: 'a', language: 'en' }]),
      },
    ])
    status = 403
    await expect(addKeys(project, [draft('B')])).rejects.toThrow(
      'The import route refused the new keys',
    )
  })

  it.each([
    ['platfrom', "writeTo must be 'platform', {folder}"],
    [{ folder: '' }, 'writeTo.folder must be the path of a folder'],
    [{ folder: 'x', file: 'y' }, 'Unknown writeTo option "file"'],
    [{ import: {} }, 'writeTo.import.url is required'],
    [{ import: { url: 'x', methd: 'PUT' } }, 'Did you mean "method"?'],
    [{ list: () => [] }, 'received an object with list'],
  ])('rejects the option %j', (writeTo, message) => {
    expect(() => openProject({ writeTo: writeTo as never }, { environment: {} })).toThrow(message)
  })

  it('requires the option writeTo for a deployed instance', async () => {
    const { options } = openProject({ baseUrl: 'https://api.example.com', projectKey: 'P1' })
    expect(() => openWriter(options)).toThrow('writeTo is required to write new keys')
  })
})

it('reports translations that are longer than their maximum length', async () => {
  const { root, project } = await openFolder({
    'en/cart.json': '{"PAY": "Pay {{sum}}"}',
    'de/cart.json': '{"PAY": "Bezahlen {{sum}}"}',
  })
  await writeFile(join(root, 'uilm.keys.json'), '{"cart": {"PAY": {"maxLength": 6}}}')
  const problems = inspect(await project.load()).filter(({ code }) => code === 'TOO_LONG')
  expect(problems).toMatchObject([
    { language: 'de', message: 'has 9 characters, more than its maximum length 6' },
  ])
})

it.each([
  ['[]', 'it is not a JSON object'],
  ['<<<<<<< HEAD', 'it is not a JSON object'],
  ['{"cart": []}', 'module "cart" is not an object'],
  ['{"cart": {"A": {"maxLength": "5"}}}', 'the entry of cart A has unknown or wrong properties'],
  ['{"cart": {"A": {"txt": "5"}}}', 'the entry of cart A has unknown or wrong properties'],
])('names the mistake in the key file %s', async (text, message) => {
  const { root, project } = await openFolder({ 'en/cart.json': '{}' })
  await writeFile(join(root, 'uilm.keys.json'), text)
  await expect(project.load()).rejects.toThrow(message)
  await rm(join(root, 'uilm.keys.json'))
  await expect(project.load()).resolves.toBeDefined()
})
