import { afterEach, describe, expect, it, vi } from 'vitest'
import { writeRuntime } from './write-runtime.ts'

type Entries = Record<string | number, string | ((args: never, plural: never) => string)>
type Load = (language: string) => Promise<{ default: Entries }>
interface Runtime {
  readonly languages: readonly string[]
  readonly defaultLanguage: string
  readonly languageName: (language: string) => string
  readonly directionOf: (language: string) => string
  readonly detectLanguage: () => string
  readonly getLanguage: () => string
  readonly setLanguage: (language: string) => Promise<void>
  readonly getChanges: () => number
  readonly subscribe: (listener: () => void) => () => void
  readonly pack: (load: Load) => Promise<object>
  readonly message: (pack: object, index: string | number) => (args?: object) => string
  readonly changed: () => void
  readonly createLocalizer: (language: string) => Promise<{
    readonly translate: (message: (args?: object) => string, args?: object) => string
    readonly run: <T>(work: () => T) => T
  }>
}

const config = {
  languages: [
    { code: 'en-US', name: 'English' },
    { code: 'de-DE', name: 'German "Deutsch" </script>' },
    { code: 'fr-FR', name: 'French' },
    { code: 'ar-EG', name: 'Arabic' },
    { code: 'de_AT', name: 'Austrian' },
  ],
  defaultLanguage: 'en-US',
  storageKey: 'chosen-language',
}

const shared = Symbol.for(`servicekit.${config.storageKey}`)
afterEach(() => void Reflect.deleteProperty(globalThis, shared))

/** Starts a separate runtime with the given globals. */
async function start(
  globals: Record<string, unknown> = {},
  languages = config.languages,
  server = false,
): Promise<Runtime> {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  const variant = server ? 'server-runtime' : 'page-runtime'
  const load = await writeRuntime({ ...config, languages }, variant)
  return (await load('runtime')) as Runtime
}

/** Creates a loader whose requests the test resolves. */
function controlled() {
  const asked: {
    language: string
    resolve: (translations: Entries) => void
    reject: (error: Error) => void
  }[] = []
  const load: Load = (language) =>
    new Promise((resolve, reject) => {
      asked.push({
        language,
        resolve: (translations) => resolve({ default: translations }),
        reject,
      })
    })
  return { load, asked, last: () => asked.at(-1)! }
}
const at = (language: string): Entries => [`text ${language}`] as unknown as Entries
const immediate: Load = async (language) => ({ default: at(language) })
const settle = () => new Promise((resolve) => setImmediate(resolve))

const unhandled: unknown[] = []
const onUnhandled = (reason: unknown): void => void unhandled.push(reason)
process.on('unhandledRejection', onUnhandled)
afterEach(async () => {
  await settle()
  expect(unhandled.splice(0)).toEqual([])
})

describe('setLanguage', () => {
  it('changes the language as soon as its translations are loaded, and notifies subscribers', async () => {
    const runtime = await start()
    const { load, last } = controlled()
    const opening = runtime.pack(load)
    last().resolve(at('en-US'))
    const text = runtime.message(await opening, 0)
    let told = 0
    const stop = runtime.subscribe(() => told++)

    const switching = runtime.setLanguage('de-DE')
    await settle()
    expect([runtime.getLanguage(), text(), told, runtime.getChanges()]).toEqual([
      'en-US',
      'text en-US',
      0,
      0,
    ])
    last().resolve(at('de-DE'))
    await switching
    expect([runtime.getLanguage(), text(), told, runtime.getChanges()]).toEqual([
      'de-DE',
      'text de-DE',
      1,
      1,
    ])

    stop()
    const again = runtime.setLanguage('fr-FR')
    last().resolve(at('fr-FR'))
    await again
    expect(told).toBe(1)
  })

  it.each(['first the first', 'first the last'])(
    'lets the last of two calls win, with responses %s',
    async (order) => {
      const runtime = await start()
      const { load, asked } = controlled()
      const opening = runtime.pack(load)
      asked[0]!.resolve(at('en-US'))
      const text = runtime.message(await opening, 0)
      const calls = [runtime.setLanguage('de-DE'), runtime.setLanguage('fr-FR')]
      const [german, french] = asked.slice(1)
      const answers = [() => german!.resolve(at('de-DE')), () => french!.resolve(at('fr-FR'))]
      for (const answer of order === 'first the first' ? answers : answers.reverse()) {
        answer()
        await settle()
      }
      await Promise.all(calls)
      expect([runtime.getLanguage(), text(), runtime.getChanges()]).toEqual([
        'fr-FR',
        'text fr-FR',
        1,
      ])
    },
  )

  it('can be reverted while translations are being loaded', async () => {
    const runtime = await start()
    const { load, asked } = controlled()
    const opening = runtime.pack(load)
    asked[0]!.resolve(at('en-US'))
    const text = runtime.message(await opening, 0)
    const calls = [runtime.setLanguage('de-DE'), runtime.setLanguage('en-US')]
    asked[1]!.resolve(at('de-DE'))
    asked[2]!.resolve(at('en-US'))
    await Promise.all(calls)
    expect([runtime.getLanguage(), text()]).toEqual(['en-US', 'text en-US'])
  })

  it('changes nothing if a pack cannot be loaded', async () => {
    const runtime = await start()
    const good = controlled()
    const bad = controlled()
    const opening = [runtime.pack(good.load), runtime.pack(bad.load)]
    good.last().resolve(at('en-US'))
    bad.last().resolve(at('en-US'))
    const translations = (await Promise.all(opening)).map((pack) => runtime.message(pack, 0))
    const told: string[] = []
    runtime.subscribe(() => told.push(runtime.getLanguage()))

    const switching = runtime.setLanguage('de-DE')
    good.last().resolve(at('de-DE'))
    bad.last().reject(new Error('offline'))
    await expect(switching).rejects.toThrow('offline')
    expect([runtime.getLanguage(), ...translations.map((text) => text()), ...told]).toEqual([
      'en-US',
      'text en-US',
      'text en-US',
    ])
    // A failed change can be retried.
    const again = runtime.setLanguage('de-DE')
    good.last().resolve(at('de-DE'))
    bad.last().resolve(at('de-DE'))
    await again
    expect(translations.map((text) => text())).toEqual(['text de-DE', 'text de-DE'])
  })

  it('rejects once for several failures', async () => {
    const runtime = await start()
    const packs = [controlled(), controlled(), controlled()]
    const opening = packs.map(({ load }) => runtime.pack(load))
    for (const { last } of packs) last().resolve(at('en-US'))
    await Promise.all(opening)
    const switching = runtime.setLanguage('de-DE')
    for (const { last } of packs) last().reject(new Error('offline'))
    await expect(switching).rejects.toThrow('offline')
  })

  it('rejects an unknown language and lists the known ones', async () => {
    const runtime = await start()
    await expect(runtime.setLanguage('xx')).rejects.toThrow(
      new RangeError('Unknown language "xx". Known languages: en-US, de-DE, fr-FR, ar-EG, de_AT'),
    )
    await expect(runtime.setLanguage('toString')).rejects.toThrow(RangeError)
  })
})

describe('a pack', () => {
  it('registered during a change has the new language', async () => {
    const runtime = await start()
    const first = controlled()
    const late = controlled()
    const opening = runtime.pack(first.load)
    first.last().resolve(at('en-US'))
    await opening
    const switching = runtime.setLanguage('de-DE')
    const arriving = runtime.pack(late.load)
    expect(late.last().language).toBe('en-US')
    first.last().resolve(at('de-DE'))
    await settle()
    late.last().resolve(at('en-US'))
    await settle()
    for (const one of late.asked.slice(1)) one.resolve(at(one.language))
    await switching
    expect(runtime.message(await arriving, 0)()).toBe('text de-DE')
  })

  it('loads the new language before it is registered if the language changes during the load', async () => {
    const runtime = await start()
    const { load, asked } = controlled()
    const arriving = runtime.pack(load)
    await runtime.setLanguage('fr-FR')
    asked[0]!.resolve(at('en-US'))
    await settle()
    let there = false
    void arriving.then(() => (there = true))
    await settle()
    expect([there, asked.length, asked[1]?.language]).toEqual([false, 2, 'fr-FR'])
    asked[1]!.resolve(at('fr-FR'))
    expect(runtime.message(await arriving, 0)()).toBe('text fr-FR')
  })

  it('registered at the moment of the change has the new language', async () => {
    const runtime = await start()
    const first = controlled()
    const late = controlled()
    const opening = runtime.pack(first.load)
    first.last().resolve(at('en-US'))
    await opening
    for (let pause = 0; pause < 8; pause++) {
      const language = pause % 2 ? 'en-US' : 'de-DE'
      const arriving = runtime.pack(late.load)
      const switching = runtime.setLanguage(language)
      const pending = [...first.asked.slice(-1), late.asked.at(-1)!]
      for (const one of pending) {
        one.resolve(at(one.language))
        for (let tick = 0; tick < pause; tick++) await Promise.resolve()
      }
      const answering = setInterval(() => {
        for (const one of [...late.asked, ...first.asked]) one.resolve(at(one.language))
      }, 1)
      const [pack] = await Promise.all([arriving, switching])
      clearInterval(answering)
      expect(runtime.message(pack, 0)()).toBe(`text ${language}`)
    }
  })

  it('that cannot be loaded does not prevent a later change', async () => {
    const runtime = await start()
    const failing = vi.fn<Load>().mockRejectedValue(new Error('offline'))
    await expect(runtime.pack(failing)).rejects.toThrow('offline')
    const text = runtime.message(await runtime.pack(immediate), 0)
    await runtime.setLanguage('de-DE')
    expect(text()).toBe('text de-DE')
    expect(failing).toHaveBeenCalledTimes(1)
  })
})

describe('a message', () => {
  it('inserts its arguments and uses the plural rules of the current language', async () => {
    const runtime = await start()
    const pack = await runtime.pack(async () => ({
      default: [
        'plain',
        (a: { name: string }) => `Hello ${a.name}`,
        (a: { n: number }, p: (n: number, language?: string) => string) =>
          `${p(a.n)} ${p(a.n, 'en-US')}`,
      ] as unknown as Entries,
    }))
    const [plain, hello, count] = [0, 1, 2].map((index) => runtime.message(pack, index))
    expect(plain!()).toBe('plain')
    expect(hello!({ name: 'Ada' })).toBe('Hello Ada')
    expect(count!({ n: 2 })).toBe('other other')
    await runtime.setLanguage('ar-EG')
    expect(count!({ n: 2 })).toBe('two other')
  })
})

/** Creates the browser globals of a visitor. */
function browser(visitor: {
  languages?: string[]
  stored?: string | null
  storage?: 'forbidden'
  /** Language of the server-rendered page. */
  rendered?: string
}) {
  const { rendered } = visitor
  const documentElement = { lang: '', dir: '', dataset: rendered ? { uilm: rendered } : {} }
  const stored = new Map<string, string>()
  if (visitor.stored) stored.set(config.storageKey, visitor.stored)
  const forbid = (): never => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  const localStorage =
    visitor.storage === 'forbidden'
      ? { getItem: forbid, setItem: forbid }
      : {
          getItem: (name: string) => stored.get(name) ?? null,
          setItem: (name: string, value: string) => void stored.set(name, value),
        }
  const navigator = { languages: visitor.languages ?? [] }
  return {
    globals: { document: { documentElement }, localStorage, navigator },
    documentElement,
    stored,
  }
}

describe('detectLanguage', () => {
  it.each([
    ['the one chosen last', { stored: 'fr-FR', languages: ['de-DE'] }, 'fr-FR'],
    [
      'that of what a server rendered before a chosen one',
      { rendered: 'de-DE', stored: 'fr-FR', languages: ['ar-EG'] },
      'de-DE',
    ],
    [
      'the chosen one where a server rendered in a language that is gone',
      { rendered: 'xx-XX', stored: 'fr-FR' },
      'fr-FR',
    ],
    ['one of the browser, exactly', { languages: ['xx', 'de-DE', 'fr-FR'] }, 'de-DE'],
    ['one of the browser, whatever its case', { languages: ['DE-de'] }, 'de-DE'],
    ['a relative of the browser’s', { languages: ['fr-CA'] }, 'fr-FR'],
    ['the bare language', { languages: ['ar'] }, 'ar-EG'],
    ['the default for unknown languages', { languages: ['ja-JP', ''] }, 'en-US'],
    ['the default without languages', { languages: [] }, 'en-US'],
    ['the default if the browser has no languages', {}, 'en-US'],
    ['another than a chosen one that is gone', { stored: 'xx-XX', languages: ['fr'] }, 'fr-FR'],
    [
      'the browser’s where storage is forbidden',
      { storage: 'forbidden', languages: ['de'] },
      'de-DE',
    ],
    [
      'none by a name of Object',
      { stored: 'constructor', languages: ['__proto__', 'toString'] },
      'en-US',
    ],
  ] as const)('finds %s', async (_, visitor, expected) => {
    const { globals, documentElement } = browser({
      ...visitor,
      languages: [...('languages' in visitor ? visitor.languages : [])],
    })
    const runtime = await start(globals)
    expect(runtime.detectLanguage()).toBe(expected)
    expect(runtime.getLanguage()).toBe(expected)
    expect(documentElement.lang).toBe(expected)
  })

  it.each([
    ['nb-NO', ['en-US', 'no'], 'no'],
    ['he-IL', ['en-US', 'iw'], 'iw'],
    ['zh-HK', ['en-US', 'zh-CN', 'zh-TW'], 'zh-TW'],
    ['zh-Hant-TW', ['en-US', 'zh-CN', 'zh-Hant'], 'zh-Hant'],
    ['zh', ['en-US', 'zh-TW', 'zh-CN'], 'zh-CN'],
    ['sr-Latn-RS', ['en-US', 'sr', 'sr-Latn'], 'sr-Latn'],
    ['de-DE', ['en-US', 'de_DE'], 'de_DE'],
    ['constructor', ['en-US', 'no'], 'en-US'],
    ['__proto__', ['en-US', 'no'], 'en-US'],
  ])('reads %s among %j as %s', async (wanted, codes, expected) => {
    const languages = codes.map((code) => ({ code, name: code }))
    const { globals } = browser({ languages: [wanted] })
    const runtime = await start(globals, languages)
    expect(runtime.getLanguage()).toBe(expected)
  })

  it('returns the default language on a server', async () => {
    const forbidden = () => {
      throw new Error('a server was asked')
    }
    const runtime = await start({
      localStorage: { getItem: forbidden, setItem: forbidden },
      navigator: { languages: ['de-DE'] },
    })
    expect(runtime.getLanguage()).toBe('en-US')
    await runtime.setLanguage('fr-FR')
    expect(runtime.getLanguage()).toBe('fr-FR')
  })

  it('stores a selected language, but not a detected one', async () => {
    const { globals, stored, documentElement } = browser({ languages: ['de-DE'] })
    const runtime = await start(globals)
    expect([...stored]).toEqual([])
    await runtime.setLanguage('ar-EG')
    expect([...stored]).toEqual([['chosen-language', 'ar-EG']])
    expect(documentElement).toMatchObject({ lang: 'ar-EG', dir: 'rtl' })
    await runtime.setLanguage('fr-FR')
    expect(documentElement).toMatchObject({ lang: 'fr-FR', dir: 'ltr' })
  })

  it('sets the language of the document as HTML has it', async () => {
    const { globals, documentElement } = browser({ languages: ['de-AT'] })
    const runtime = await start(globals)
    expect(runtime.getLanguage()).toBe('de_AT')
    expect(documentElement).toMatchObject({ lang: 'de-AT' })
  })

  it('changes the language if storage is forbidden', async () => {
    const { globals } = browser({ storage: 'forbidden' })
    const runtime = await start(globals)
    await runtime.setLanguage('de-DE')
    expect(runtime.getLanguage()).toBe('de-DE')
  })
})

describe('the languages of a runtime', () => {
  it('have names and directions', async () => {
    const { languages, languageName, defaultLanguage } = await start()
    expect(languages).toEqual(['en-US', 'de-DE', 'fr-FR', 'ar-EG', 'de_AT'])
    expect(defaultLanguage).toBe('en-US')
    expect(languageName('de-DE')).toBe('German "Deutsch" </script>')
    expect(languageName('xx')).toBe('xx')
  })

  it('have directions', async () => {
    const rtl = [
      'ar',
      'ar-EG',
      'ar_EG',
      'he-IL',
      'fa',
      'ur-PK',
      'ckb',
      'arz',
      'uz-Arab-AF',
      'AR-eg',
    ]
    const ltr = ['en', 'ark', 'arn-CL', 'fat', 'hex', 'uz-Latn', 'ku', 'psx']
    const { directionOf } = await start(
      {},
      [...rtl, ...ltr].map((code) => ({ code, name: code })),
    )
    expect(rtl.filter((code) => directionOf(code) !== 'rtl')).toEqual([])
    expect(ltr.filter((code) => directionOf(code) !== 'ltr')).toEqual([])
  })
})

describe('a localizer', () => {
  const packs: Load = async (language) => ({
    default: [
      `text ${language}`,
      (args: { count: number }, plural: (count: number) => string) =>
        `${language} ${plural(args.count)}`,
    ] as unknown as Entries,
  })
  const pause = (turns: number): Promise<void> =>
    turns === 0 ? Promise.resolve() : settle().then(() => pause(turns - 1))

  it('applies its language to everything that it runs and awaits', async () => {
    const { createLocalizer, message, pack, getLanguage } = await start()
    const entry = await pack(packs)
    const [plain, counted] = [message(entry, 0), message(entry, 1)]
    const seen = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const language = ['de-DE', 'fr-FR', 'en-US'][index % 3]!
        const localizer = await createLocalizer(language)
        return localizer.run(async () => {
          const first = plain()
          await pause(index % 5)
          return [language, first, plain(), counted({ count: 0 }), getLanguage()]
        })
      }),
    )
    for (const [language, first, later, forms, shown] of seen) {
      expect([first, later, shown]).toEqual([`text ${language}`, `text ${language}`, language])
      // In French, zero is in the category `one`.
      expect(forms).toBe(`${language} ${language === 'fr-FR' ? 'one' : 'other'}`)
    }
    expect([getLanguage(), plain()]).toEqual(['en-US', 'text en-US'])
  })

  it('loads the translations of later chunks', async () => {
    const { createLocalizer, message, pack } = await start()
    const localizer = await createLocalizer('de-DE')
    const late = message(await localizer.run(() => pack(packs)), 0)
    expect(localizer.translate(late)).toBe('text de-DE')
    expect(late()).toBe('text en-US')
  })

  it('applies to every copy of the runtime in the process', async () => {
    const [first, second] = [await start(), await start()]
    const here = first.message(await first.pack(packs), 0)
    const other = await start({}, config.languages, true)
    const there = other.message(await other.pack(packs), 0)
    const localizer = await first.createLocalizer('de-DE')
    const late = other.message(await other.pack(packs), 0)
    expect(localizer.run(() => [here(), there(), late(), other.getLanguage()])).toEqual([
      'text de-DE',
      'text de-DE',
      'text de-DE',
      'de-DE',
    ])
    expect(localizer.translate(there)).toBe('text de-DE')
    // Copies for browsers do not follow localizers that they do not create.
    expect(localizer.run(() => second.getLanguage())).toBe('en-US')
    expect([there(), other.getLanguage()]).toEqual(['text en-US', 'en-US'])
  })

  it('does not apply a language that a copy of another project does not have', async () => {
    const german = await start()
    const english = await start({}, [{ code: 'en-US', name: 'English' }], true)
    const plain = english.message(await english.pack(packs), 0)
    const localizer = await german.createLocalizer('de-DE')
    expect(localizer.run(() => [plain(), english.getLanguage()])).toEqual(['text en-US', 'en-US'])
  })

  it('supports only synchronous work without AsyncLocalStorage', async () => {
    // Not `undefined`: the test runner uses the process meanwhile.
    const withoutModules = Object.create(process, {
      getBuiltinModule: { value: undefined },
    }) as object
    const { createLocalizer, message, pack } = await start({ process: withoutModules })
    const plain = message(await pack(packs), 0)
    const [german, french] = await Promise.all(['de-DE', 'fr-FR'].map(createLocalizer))
    expect(german!.run(() => [plain(), french!.translate(plain), plain()])).toEqual([
      'text de-DE',
      'text fr-FR',
      'text de-DE',
    ])
    expect(() => german!.run(async () => plain())).toThrow('run() requires AsyncLocalStorage')
    expect(() =>
      german!.run(() => {
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(plain()).toBe('text en-US')
  })

  it('rejects an unknown language', async () => {
    const { createLocalizer } = await start()
    await expect(createLocalizer('xx')).rejects.toThrow('Unknown language "xx"')
  })
})
