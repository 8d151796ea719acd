import { afterEach, describe, expect, it, vi } from 'vitest'
import { writeRuntime } from './write-runtime.ts'

type Address = (hash: string, base?: string) => string | URL
interface Runtime {
  readonly languages: readonly string[]
  readonly defaultLanguage: string
  readonly getLanguage: () => string
  readonly setLanguage: (language: string) => Promise<void>
  readonly livePack: (
    load: (addressOf: Address) => Promise<object>,
    size: number,
  ) => Promise<object>
  readonly message: (pack: object, index: number) => () => string
}

/** Pack as a server sends it. */
type Module = Promise<object> | object

afterEach(() => vi.unstubAllGlobals())

/** Starts a page of a build with English and German, and the server of its newer packs. */
async function start({ preferred = 'de' } = {}) {
  const files = new Map<string, Module>([
    ['uilm-built.en.js', { default: ['built en', 'more en'] }],
    ['uilm-built.de.js', { default: ['built de', 'more de'] }],
  ])
  const root = { dataset: {}, baseURI: 'http://shop.test/', lang: '', dir: '' }
  const server: { pointer: string | Promise<string> } = { pointer: '' }
  const navigation = new EventTarget()
  const stubs = {
    document: { documentElement: root, cookie: '' },
    navigator: { languages: [preferred] },
    localStorage: { getItem: () => null, setItem: () => undefined },
    fetch: async () => new Response(await server.pointer),
    navigation,
  }
  for (const [name, value] of Object.entries(stubs)) vi.stubGlobal(name, value)
  const publish = (languages: readonly string[], hash = 'newer'): void => {
    server.pointer = JSON.stringify({
      version: 1,
      languages: Object.fromEntries(languages.map((code) => [code, code])),
      rtl: [],
      packs: { built: hash },
    })
  }
  const importFile = await writeRuntime({
    languages: ['en', 'de'].map((code) => ({ code, name: code })),
    defaultLanguage: 'en',
    storageKey: 'language',
    live: { url: 'http://live.test/current.json', check: 'navigation', waitMs: 1000 },
  })
  const { livePack } = (await importFile('live')) as Pick<Runtime, 'livePack'>
  const runtime = (await importFile('runtime')) as Omit<Runtime, 'livePack'>
  let onLoad = (_address: string): unknown => undefined
  const load = async (addressOf: Address): Promise<object> => {
    onLoad(String(addressOf('built')))
    const file = String(addressOf('built')).split('/').at(-1)!
    const found = files.get(file)
    if (!found) throw new TypeError(`404 ${file}`)
    return found
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0))
  return {
    runtime,
    root,
    files,
    server,
    publish,
    open: () => livePack(load, 2),
    onLoad: (given: typeof onLoad) => void (onLoad = given),
    async navigate() {
      navigation.dispatchEvent(new Event('currententrychange'))
      await settle()
      await settle()
    },
  }
}

const broken: readonly (readonly [string, object])[] = [
  ['is empty', {}],
  ['has no default export', { messages: ['new'] }],
  ['has too few messages', { default: ['new'] }],
  ['has an object instead of a list', { default: { 0: 'new', 1: 'new' } }],
  ['has something else than messages', { default: ['new', null] }],
  ['exports undefined', { default: undefined }],
]

describe.each(broken)('a newer pack that %s', (_, module) => {
  it('does not replace the messages of a page, nor its languages', async () => {
    const page = await start()
    page.publish(['en', 'de'], 'built')
    const show = page.runtime.message(await page.open(), 1)
    expect(show()).toBe('more de')
    page.files.set('uilm-newer.de.js', module).set('uilm-newer.en.js', module)
    page.publish(['en', 'de', 'fr'])
    await page.navigate()
    expect(show()).toBe('more de')
    expect(page.runtime.languages).toEqual(['en', 'de'])
    page.files.set('uilm-newer.de.js', { default: ['new de', 'new more de'] })
    await page.navigate()
    expect(show()).toBe('new more de')
    expect(page.runtime.languages).toEqual(['en', 'de', 'fr'])
  })

  it('is replaced by that of the build when a page starts', async () => {
    const page = await start()
    page.files.set('uilm-newer.de.js', module)
    page.publish(['en', 'de'])
    expect(page.runtime.message(await page.open(), 1)()).toBe('more de')
    expect(page.root.lang).toBe('de')
  })

  it('never shows another language than the page says', async () => {
    const page = await start({ preferred: 'fr' })
    page.files.set('uilm-newer.fr.js', module)
    page.publish(['en', 'de', 'fr'])
    const show = page.runtime.message(await page.open(), 0)
    expect([show(), page.root.lang, page.runtime.getLanguage()]).toEqual(['built en', 'en', 'en'])
    expect(page.runtime.languages).toEqual(['en', 'de'])
  })
})

describe('a switch to newer packs', () => {
  it('changes languages and messages in one step, after every pack was loaded', async () => {
    const page = await start()
    page.publish(['en', 'de'], 'built')
    const show = page.runtime.message(await page.open(), 0)
    const pack = deferred()
    page.files.set('uilm-newer.fr.js', pack.promise)
    page.publish(['fr'])
    await page.navigate()
    const seen = () => [
      show(),
      page.root.lang,
      page.runtime.defaultLanguage,
      ...page.runtime.languages,
    ]
    expect(seen()).toEqual(['built de', 'de', 'en', 'en', 'de'])
    pack.resolve({ default: ['new fr', 'new fr'] })
    await page.navigate()
    expect(seen()).toEqual(['new fr', 'fr', 'fr', 'fr'])
  })

  it('includes a language that the user selects meanwhile', async () => {
    const page = await start()
    page.publish(['en', 'de'], 'built')
    const show = page.runtime.message(await page.open(), 0)
    const pack = deferred()
    page.files.set('uilm-newer.de.js', pack.promise)
    page.files.set('uilm-newer.en.js', { default: ['new en', 'new en'] })
    page.publish(['en', 'de'])
    await page.navigate()
    await page.runtime.setLanguage('en')
    expect(show()).toBe('built en')
    pack.resolve({ default: ['new de', 'new de'] })
    await page.navigate()
    expect([show(), page.root.lang]).toEqual(['new en', 'en'])
  })

  it('is not undone by an older pointer that arrives later', async () => {
    const page = await start()
    page.publish(['en', 'de'], 'built')
    const show = page.runtime.message(await page.open(), 0)
    page.files.set('uilm-older.de.js', { default: ['older de', 'older de'] })
    page.files.set('uilm-newer.de.js', { default: ['newer de', 'newer de'] })
    page.publish(['en', 'de'], 'older')
    const late = page.server.pointer as string
    let send = (_pointer: string): void => undefined
    page.server.pointer = new Promise((resolve) => (send = resolve))
    await page.navigate()
    page.publish(['en', 'de'])
    await page.navigate()
    expect(show()).toBe('newer de')
    send(late)
    await page.navigate()
    expect(show()).toBe('newer de')
  })

  it('is not undone by older packs that arrive later', async () => {
    const page = await start()
    page.publish(['en', 'de'], 'built')
    const show = page.runtime.message(await page.open(), 0)
    const pack = deferred()
    page.files.set('uilm-older.de.js', pack.promise)
    page.files.set('uilm-newer.de.js', { default: ['newer de', 'newer de'] })
    page.publish(['en', 'de'], 'older')
    await page.navigate()
    page.publish(['en', 'de'])
    await page.navigate()
    expect(show()).toBe('newer de')
    pack.resolve({ default: ['older de', 'older de'] })
    await page.navigate()
    expect(show()).toBe('newer de')
  })

  it('happens after a language that the user selected could not be loaded', async () => {
    const page = await start()
    page.publish(['en', 'de'], 'built')
    const show = page.runtime.message(await page.open(), 0)
    page.files.delete('uilm-built.en.js')
    await expect(page.runtime.setLanguage('en')).rejects.toThrow('404 uilm-built.en.js')
    page.files.set('uilm-newer.de.js', { default: ['new de', 'new de'] })
    page.publish(['en', 'de'])
    await page.navigate()
    expect([show(), page.root.lang]).toEqual(['new de', 'de'])
  })

  it.each([['', '{}', '[]', 'null', '<!doctype html>', '{"languages":{"fr":"fr"}}']].flat())(
    'does not follow the pointer %j',
    async (pointer) => {
      const page = await start({ preferred: 'fr' })
      page.server.pointer = pointer
      const show = page.runtime.message(await page.open(), 0)
      expect([show(), page.root.lang, ...page.runtime.languages]).toEqual([
        'built en',
        'en',
        'en',
        'de',
      ])
    },
  )
})

const valid = { packs: { built: 'newer' }, languages: { fr: 'français' }, rtl: [] }

it.each(['../evil', 'x/../../evil', 'x.js?', '//evil.test/x', 'x#', '%2e%2e/x', ''])(
  'never loads the pack %j, which is no name of a file',
  async (hash) => {
    const page = await start()
    const asked: string[] = []
    page.publish(['en', 'de'], 'built')
    await page.open()
    page.onLoad((address) => asked.push(address))
    page.publish(['en', 'de'], hash)
    await page.navigate()
    page.publish(['en', `/../${hash}`], 'newer')
    await page.navigate()
    expect(asked).toEqual([])
    expect(page.runtime.languages).toEqual(['en', 'de'])
  },
)

it.each([
  { ...valid, rtl: 5 },
  { ...valid, rtl: {} },
  { ...valid, packs: [] },
  { ...valid, packs: { built: 5 } },
  { ...valid, languages: ['fr'] },
  { ...valid, languages: 'fr' },
  { ...valid, languages: { fr: 5 } },
  { ...valid, languages: {} },
])('a pointer that is damaged changes no language: %j', async (pointer) => {
  const page = await start({ preferred: 'de' })
  page.publish(['en', 'de'], 'built')
  const show = page.runtime.message(await page.open(), 0)
  for (const name of ['newer.fr', 'newer.0', '5.fr', 'undefined.fr', 'built.fr']) {
    page.files.set(`uilm-${name}.js`, { default: ['nouveau', 'nouveau'] })
  }
  page.server.pointer = JSON.stringify(pointer)
  await page.navigate()
  expect([show(), page.root.lang, ...page.runtime.languages]).toEqual([
    'built de',
    'de',
    'en',
    'de',
  ])
  page.server.pointer = JSON.stringify(valid)
  await page.navigate()
  expect([show(), page.root.lang, ...page.runtime.languages]).toEqual(['nouveau', 'fr', 'fr'])
})

function deferred() {
  let resolve!: (module: object) => void
  const promise = new Promise<object>((done) => (resolve = done))
  return { promise, resolve }
}
