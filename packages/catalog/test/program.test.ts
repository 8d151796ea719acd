import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createManifest,
  emitProgram,
  inspect,
  openProject,
  sizeOf,
  updateModel,
  writeFiles,
} from '../src/index.ts'
import { filesIn, temporaryFolder } from '@servicekit/testing/folder'
import { fakeService, projectOver } from '@servicekit/testing/translation-service'
import { storefrontSource } from './storefront.ts'

type Messages = Record<string, (args?: object) => string>
type Runtime = { setLanguage: (language: string) => Promise<void>; getLanguage: () => string }

let folder: string
let load: <T>(file: string) => Promise<T>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-program-'))
  const project = openProject({ root: folder }, { source: await storefrontSource() })
  await project.pull()
  await writeFiles(emitProgram(await project.load(), { outDir: folder, storageKey: 'language' }))
  load = (file) => import(pathToFileURL(join(folder, file)).href)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the storefront, compiled to plain modules', () => {
  it('returns messages in each language', async () => {
    const { setLanguage, getLanguage } = await load<Runtime>('runtime.js')
    const auth = await load<Messages>('auth.js')
    const common = await load<Messages>('common.js')
    expect(getLanguage()).toBe('en-US')
    const welcomes: Record<string, string> = {}
    for (const language of ['en-US', 'de-DE', 'fr-FR', 'ar-EG', 'bn-BD', 'ja-JP']) {
      await setLanguage(language)
      welcomes[language] = auth['WELCOME_USER']!({ name: 'Ada' })
    }
    expect(welcomes).toMatchInlineSnapshot(`
      {
        "ar-EG": "مرحبًا يا Ada!",
        "bn-BD": "স্বাগতম, Ada!",
        "de-DE": "Willkommen, Ada!",
        "en-US": "Welcome, Ada!",
        "fr-FR": "Bienvenue, Ada !",
        "ja-JP": "Adaさん、ようこそ！",
      }
    `)
    expect(common['delete$']!()).toBe(common['delete']!())
    await expect(setLanguage('xx')).rejects.toThrow('Unknown language "xx"')
  })

  it('uses the plural forms of each language', async () => {
    const { setLanguage } = await load<Runtime>('runtime.js')
    const cart = await load<Messages>('cart.js')
    await setLanguage('ar-EG')
    const arabic = [0, 1, 2, 3, 11, 100].map((count) => cart['CART_ITEMS']!({ count }))
    expect(new Set(arabic).size).toBe(6)
    await setLanguage('ja-JP')
    expect(cart['CART_ITEMS']!({ count: 1 })).toContain('1')
    await setLanguage('en-US')
    expect([1, 2].map((count) => cart['CART_ITEMS']!({ count }))).toMatchInlineSnapshot(`
      [
        "1 item in your cart",
        "2 items in your cart",
      ]
    `)
  })

  it('contains every translation of every language unchanged', async () => {
    const source = await storefrontSource()
    const { setLanguage } = await load<Runtime>('runtime.js')
    let compared = 0
    for (const [place, translations] of source.translations) {
      const [language, module] = place.split('/') as [string, string]
      await setLanguage(language)
      const messages = await load<Messages>(`${module}.js`)
      for (const [key, text] of Object.entries(translations)) {
        if (typeof text !== 'string' || text === '' || text === '[ KEY MISSING ]') continue
        if (text.includes('{{') || /_(zero|one|two|few|many|other)$/.test(key)) continue
        expect(messages[key]!(), `${place} ${key}`).toBe(text)
        compared++
      }
    }
    expect(compared).toBeGreaterThan(2000)
  })
})

it('finds no problem to report in the sample project', async () => {
  const project = openProject({ root: folder }, { source: await storefrontSource() })
  const model = await project.load()
  expect(sizeOf(model.catalog)).toMatchInlineSnapshot(`
    {
      "keys": 613,
      "languages": 6,
      "modules": 8,
      "translations": 3430,
    }
  `)
  expect(inspect(model).filter(({ severity }) => severity !== 'info')).toEqual([])
})

it('compiles, lists and repacks a pair that is declared to be no plural as two messages', async () => {
  const root = await temporaryFolder()
  const texts = { type_one: 'First type', type_other: 'Another type' }
  const { fetch } = fakeService({ 'en-US/orders': texts })
  const project = projectOver(fetch, { root, noPlural: { orders: ['type'] } })
  await project.pull({ types: true })
  const model = await project.load()
  expect(inspect(model)).toEqual([])
  const declared = join(root, '.servicekit/types/uilm/orders.d.ts')
  expect(await readFile(declared, 'utf8')).toMatch(/export const type_one: Message\n/)
  await writeFiles(emitProgram(model, { outDir: join(root, 'out'), storageKey: 'language' }))
  const file = pathToFileURL(join(root, 'out/orders.js')).href
  const messages = (await import(/* @vite-ignore */ file)) as Messages
  expect([messages['type_one']?.(), messages['type_other']?.()]).toEqual([
    'First type',
    'Another type',
  ])
  expect(messages['type']).toBeUndefined()
  const { options } = createManifest(model, [], () => model.modules[0]!.messages[0]!)
  expect(options).toMatchObject({ noPlural: { orders: ['type'] } })
})

describe('emitProgram after a change', () => {
  const options = { outDir: '/out', storageKey: 'language' }
  const edit = async (change: (translations: Map<string, string | null>) => void) => {
    const root = await mkdtemp(join(tmpdir(), 'servicekit-program-'))
    const project = openProject({ root }, { source: await storefrontSource() })
    await project.pull()
    const before = await project.load()
    await rm(root, { recursive: true, force: true })
    const translations = new Map(before.catalog.modules[0]!.translations.get('de-DE'))
    change(translations)
    const module = before.catalog.modules[0]!.name
    const after = updateModel(before, [{ language: 'de-DE', module, translations }])
    const full = new Map(emitProgram(after, options).map(({ path, text }) => [path, text]))
    const old = new Map(emitProgram(before, options).map(({ path, text }) => [path, text]))
    const part = emitProgram(after, options, before)
    return { full, old, part }
  }

  it.each([
    [
      'a changed translation',
      (translations: Map<string, string | null>) =>
        translations.set([...translations.keys()][0]!, 'x'),
    ],
    ['a new key', (translations: Map<string, string | null>) => translations.set('BRAND_NEW', 'x')],
  ])('emits every changed file and few others: %s', async (_, change) => {
    const { full, old, part } = await edit(change)
    expect(part.length).toBeLessThan(full.size / 2)
    for (const { path, text } of part) {
      expect(text).toBe(full.get(path))
      old.set(path, text)
    }
    expect(old).toEqual(full)
  })
})

describe('compiled adapters', () => {
  const request = new Request('https://shop.example/', { headers: { 'accept-language': 'de' } })
  // oxlint-disable-next-line typescript/no-explicit-any -- adapters have different functions
  type Call = (adapter: any, page: () => Promise<Response>) => Promise<Response>
  const calls: Record<string, Call> = {
    sveltekit: ({ handle }, page) => handle({ event: { request }, resolve: page }),
    astro: ({ onRequest }, page) =>
      onRequest({ request, url: new URL(request.url), locals: {} }, page),
    'react-router': ({ createMiddleware }, page) => createMiddleware()({ request }, page),
  }
  it.each(Object.keys(calls))('render a page in the language of the request: %s', async (name) => {
    const auth = await load<Messages>('auth.js')
    const page = async () => {
      await Promise.resolve()
      return new Response(auth['SIGN_IN']!())
    }
    const response = await calls[name]!(await load(`${name}.js`), page)
    expect(await response.text()).toBe('Anmelden')
    expect(response.headers.get('content-language')).toBe('de-DE')
  })
})

describe('the compiled adapter of Astro', () => {
  /** Responds with a document in parts, as a framework streams it. */
  const respond = async (parts: readonly string[], type = 'text/html') => {
    const adapter = await load<{
      readonly onRequest: (context: object, next: () => Promise<Response>) => Promise<Response>
    }>('astro.js')
    const request = new Request('https://shop.example/', { headers: { 'accept-language': 'de' } })
    const context = { request, url: new URL(request.url), locals: {} }
    const body = new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    })
    const headers = { 'content-type': type, 'content-length': String(parts.join('').length) }
    return adapter.onRequest(context, async () => new Response(body, { headers }))
  }

  it.each([
    [['<!doctype html><html lang="en"><body>', '</body></html>']],
    [['<!doctype html><ht', 'ml lang="en"', '><body></body></html>']],
  ])('sets the language and direction of the document: %j', async (parts) => {
    const response = await respond(parts)
    expect(await response.text()).toBe(
      '<!doctype html><html lang="de-DE" dir="ltr" data-uilm="de-DE"><body></body></html>',
    )
    expect(response.headers.has('content-length')).toBe(false)
  })

  it('renders pages at build time in the language of their address, without a visitor', async () => {
    const { createOnRequest } = await load<{
      readonly createOnRequest: (
        options: object,
      ) => (context: object, next: (path?: string) => Promise<Response>) => Promise<Response>
    }>('astro.js')
    const auth = await load<Messages>('auth.js')
    for (const [path, text] of [
      ['/de-DE/sign-in', 'Anmelden'],
      ['/sign-in', 'Sign in'],
    ] as const) {
      const url = new URL(path, 'https://shop.example')
      const context = {
        isPrerendered: true,
        url,
        locals: {},
        get request() {
          throw new Error('Astro warns about headers')
        },
      }
      const response = await createOnRequest({ strategies: ['path', 'cookie', 'header'] })(
        context,
        // Routes have the language as their parameter.
        async (...args) => new Response(JSON.stringify([auth['SIGN_IN']!(), args[0]])),
      )
      expect(await response.json()).toEqual([text, null])
    }
  })

  it.each([
    [['<p>', 'part</p>'], 'text/html'],
    [['x'.repeat(20_000), '<html lang="en">'], 'text/html'],
    [['<html lang="en">'], 'text/plain'],
  ])('leaves other responses as they are', async (parts, type) => {
    expect(await (await respond(parts, type)).text()).toBe(parts.join(''))
  })
})

describe('a selection of languages', () => {
  const source = {
    'en-US/auth': { SIGN_IN: 'Sign in', ONLY: 'Only English' },
    'de-DE/auth': { SIGN_IN: 'Anmelden' },
    'fr-FR/auth': { SIGN_IN: 'Se connecter' },
  }
  const emit = async (languages: readonly string[], sync: boolean) => {
    const outDir = await temporaryFolder()
    const project = projectOver(fakeService(source).fetch, { root: outDir })
    await project.pull()
    const options = { outDir, storageKey: 'language', languages, sync, i18next: true }
    await writeFiles(emitProgram(await project.load(), options))
    return outDir
  }

  it.each([false, true])('falls back to the others, sync: %s', async (sync) => {
    const outDir = await emit(['fr-FR', 'de-DE'], sync)
    const at = (file: string) => import(pathToFileURL(join(outDir, file)).href)
    const { languages, defaultLanguage, setLanguage } = await at('runtime.js')
    expect([languages, defaultLanguage]).toEqual([['fr-FR', 'de-DE'], 'fr-FR'])
    const { SIGN_IN, ONLY } = await at('auth.js')
    expect([SIGN_IN(), ONLY()]).toEqual(['Se connecter', 'Only English'])
    await setLanguage('de-DE')
    expect(SIGN_IN()).toBe('Anmelden')
    await expect(setLanguage('en-US')).rejects.toThrow('Unknown language "en-US"')
    const { options, load } = await at('i18next.js')
    expect(options.supportedLngs).toEqual(['en-US', 'de-DE', 'fr-FR'])
    expect(await load('en-US', 'auth')).toMatchObject({ ONLY: 'Only English' })
    const types = await readFile(join(outDir, 'runtime.d.ts'), 'utf8')
    expect(types).toContain('export type Language = "fr-FR" | "de-DE"')
    expect((await filesIn(outDir)).filter((file) => file.startsWith('en-US/'))).toEqual([])
  })

  it('keeps the default language if it is selected, and names an unknown one', async () => {
    const outDir = await emit(['de-DE', 'en-US'], false)
    const runtime = await import(pathToFileURL(join(outDir, 'runtime.js')).href)
    expect(runtime.languages).toEqual(['en-US', 'de-DE'])
    await expect(emit(['de'], false)).rejects.toThrow(
      /^Unknown language "de"[^]*Did you mean "de-DE"\?/,
    )
  })
})

describe('pseudo-locales and blank translations', () => {
  it('are generated from the default language, in the program and its types', async () => {
    const root = await mkdtemp(join(tmpdir(), 'servicekit-program-'))
    const project = openProject({ root, pseudo: true }, { source: await storefrontSource() })
    await project.pull()
    const model = await project.load()
    await writeFiles(emitProgram(model, { outDir: root, storageKey: 'language' }))
    const at = (file: string) => import(pathToFileURL(join(root, file)).href)
    const runtime = (await at('runtime.js')) as Runtime & { directionOf: (code: string) => string }
    const auth = (await at('auth.js')) as Messages
    await runtime.setLanguage('en-XA')
    expect(auth['WELCOME_USER']!({ name: 'Ada' })).toMatch(/^⟦Ŵéļçöɱé, Ada! [a-z ]+⟧$/)
    await runtime.setLanguage('ar-XB')
    expect(auth['SIGN_IN']!()).toContain('\u202eSign\u202c')
    expect(runtime.directionOf('ar-XB')).toBe('rtl')
    // Pseudo-locales have no missing translations to report.
    expect(inspect(model).some(({ language }) => language === 'en-XA')).toBe(false)
    await rm(root, { recursive: true, force: true })
  })

  it('count as missing only with blankIsMissing', async () => {
    const source = await storefrontSource()
    for (const [place, translations] of source.translations) {
      if (place === 'de-DE/auth')
        source.translations.set(place, { ...translations, SIGN_IN: ' \n' })
    }
    const root = await mkdtemp(join(tmpdir(), 'servicekit-program-'))
    await openProject({ root }, { source }).pull()
    const gaps = async (blankIsMissing: boolean) =>
      inspect(await openProject({ root, blankIsMissing }, { source }).load()).filter(
        ({ code, language, module, key }) =>
          code === 'MISSING_TRANSLATION' && `${language} ${module} ${key}` === 'de-DE auth SIGN_IN',
      ).length
    expect([await gaps(false), await gaps(true)]).toEqual([0, 1])
    await rm(root, { recursive: true, force: true })
  })
})
