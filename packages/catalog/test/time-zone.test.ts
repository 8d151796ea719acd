import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { emitPack, modelOf } from '../src/index.ts'
import { writeRuntime } from './write-runtime.ts'

interface Localizer {
  readonly translate: (message: (args: object) => string, args: object) => string
  readonly run: <T>(work: () => T) => T
}
interface Runtime {
  readonly pack: (load: () => Promise<object>) => Promise<object>
  readonly message: (pack: object, index: number) => (args: object) => string
  readonly getChanges: () => number
  readonly getTimeZone: () => string | undefined
  readonly setTimeZone: (timeZone?: string) => void
  readonly createLocalizer: (
    language: string,
    options?: { readonly timeZone?: string },
  ) => Promise<Localizer>
  readonly htmlAttributes: () => object
}

const config = {
  languages: [{ code: 'en-US', name: 'English' }],
  defaultLanguage: 'en-US',
  storageKey: 'time-zone',
}
const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`
let copies = 0

/** Starts a separate runtime. @param timeZone that of the server, in the HTML of a page */
async function start(timeZone?: string) {
  if (timeZone !== undefined) {
    const documentElement = { dataset: { uilmTimeZone: timeZone } }
    vi.stubGlobal('document', { documentElement })
    vi.stubGlobal('navigator', { languages: [] })
  }
  const importFile = await writeRuntime(config)
  const runtime = (await importFile('runtime')) as Runtime
  return { runtime, importFile }
}

/** Returns a message of a runtime, as builds emit it. */
async function messageOf(
  runtime: Runtime,
  syntax: 'icu' | 'double-brace',
  text: string,
): Promise<(args: object) => string> {
  const translations = new Map([['en-US', new Map(Object.entries(JSON.parse(text) as object))]])
  const model = modelOf(
    { ...config, modules: [{ name: 'shop', translations }] },
    { syntax, fallback: {}, markup: undefined },
  )
  const [module] = model.modules
  const url = dataUrl(`${emitPack(model, module!.messages, 'en-US')}// ${copies++}`)
  const load = () => import(/* @vite-ignore */ url) as Promise<object>
  return runtime.message(await runtime.pack(load), 0)
}

const zones = ['UTC', 'Europe/Berlin', 'Asia/Tokyo', 'America/St_Johns', 'Pacific/Apia'] as const
const when = new Date(Date.UTC(2026, 6, 1, 16, 30))
const inZone = (timeZone: string | undefined, value: Date = when): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    value,
  )
const shipped = '{"A": "{{when, datetime(dateStyle: medium; timeStyle: short)}}"}'

describe('a date in a message', () => {
  it('is in the time zone of the machine, of the page, or of its own', async () => {
    const { runtime } = await start()
    const message = await messageOf(runtime, 'double-brace', shipped)
    expect(message({ when })).toBe(inZone(undefined))
    for (const zone of [...zones, ...zones]) {
      runtime.setTimeZone(zone)
      expect(message({ when })).toBe(inZone(zone))
    }
    const own = await messageOf(
      runtime,
      'double-brace',
      '{"A": "{{when, datetime(dateStyle: medium; timeStyle: short; timeZone: Asia/Tokyo)}}"}',
    )
    expect(own({ when })).toBe(inZone('Asia/Tokyo'))
    runtime.setTimeZone()
    expect([message({ when }), own({ when })]).toEqual([inZone(undefined), inZone('Asia/Tokyo')])
    expect(runtime.getChanges()).toBe(2 * zones.length + 1)
  })

  it('has the time zone beside choices, plurals and other formats', async () => {
    const { runtime } = await start()
    runtime.setTimeZone('Asia/Tokyo')
    const day = { en: '2' }
    const plural = await messageOf(
      runtime,
      'double-brace',
      '{"A_one": "{{count, number}} on {{when, datetime(day: numeric)}}", "A_other": "{{count, number}} and {{when, datetime(day: numeric)}}"}',
    )
    expect([plural({ count: 1, when }), plural({ count: 3, when })]).toEqual([
      `1 on ${day.en}`,
      `3 and ${day.en}`,
    ])
    const base = await messageOf(
      runtime,
      'double-brace',
      '{"A": "at {{when, datetime(day: numeric)}}", "A_one": "one", "A_other": "{{count}} at {{when, datetime(day: numeric)}}"}',
    )
    expect([base({ when }), base({ count: 2, when })]).toEqual(['at 2', '2 at 2'])
    const choice = await messageOf(
      runtime,
      'icu',
      '{"A": "{n, plural, one {# {when, date, ::d}} other {{when, time, short} {n, selectordinal, two {#nd {when, date, ::d}} other {}}}}"}',
    )
    expect(choice({ n: 1, when })).toBe('1 2')
    expect(choice({ n: 2, when })).toMatch(/^1:30\sAM 2nd 2$/)
  })

  it('is in the time zone of the request, also in concurrent ones and for single calls', async () => {
    const { runtime } = await start()
    const message = await messageOf(runtime, 'double-brace', shipped)
    runtime.setTimeZone('UTC')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(undefined, ...zones), fc.nat({ max: 4 })), {
          minLength: 1,
          maxLength: 20,
        }),
        fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
        async (requests, date) => {
          const shown = await Promise.all(
            requests.map(async ([timeZone, ticks]) => {
              const localizer = await runtime.createLocalizer('en-US', timeZone && { timeZone })
              const once = localizer.translate(message, { when: date })
              return localizer.run(async () => {
                for (let tick = 0; tick < ticks; tick++) await undefined
                return [once, message({ when: date }), runtime.getTimeZone()]
              })
            }),
          )
          expect(shown).toEqual(
            requests.map(([timeZone = 'UTC']) => {
              const text = inZone(timeZone, date)
              return [text, text, timeZone]
            }),
          )
          expect(message({ when: date })).toBe(inZone('UTC', date))
        },
      ),
      { numRuns: 50 },
    )
  })

  it('begins in the time zone of the server on a page, which the root element names', async () => {
    const server = await start()
    expect(server.runtime.htmlAttributes()).not.toHaveProperty('data-uilm-time-zone')
    server.runtime.setTimeZone('Asia/Tokyo')
    expect(server.runtime.htmlAttributes()).toMatchObject({ 'data-uilm-time-zone': 'Asia/Tokyo' })
    const { runtime } = await start('Asia/Tokyo')
    const message = await messageOf(runtime, 'double-brace', shipped)
    expect(message({ when })).toBe(inZone('Asia/Tokyo'))
  })
})

describe('a time zone', () => {
  it('is rejected if it is unknown', async () => {
    const { runtime } = await start()
    expect(() => runtime.setTimeZone('Mars/Olympus')).toThrow(RangeError)
    await expect(runtime.createLocalizer('en-US', { timeZone: 'Mars' })).rejects.toThrow(RangeError)
    expect(runtime.getTimeZone()).toBeUndefined()
  })

  it('has one formatter, whatever the case in which visitors send it', async () => {
    const { runtime } = await start()
    const message = await messageOf(runtime, 'double-brace', shipped)
    message({ when })
    let formatters = 0
    vi.stubGlobal('Intl', {
      ...Intl,
      PluralRules: Intl.PluralRules,
      DateTimeFormat: class extends Intl.DateTimeFormat {
        constructor(...args: ConstructorParameters<typeof Intl.DateTimeFormat>) {
          super(...args)
          // Others read the name of the zone.
          if (args[1]?.dateStyle) formatters++
        }
      },
    })
    for (const timeZone of ['asia/tokyo', 'ASIA/TOKYO', 'Asia/Tokyo', 'aSIA/tOKYO']) {
      const localizer = await runtime.createLocalizer('en-US', { timeZone })
      expect(localizer.translate(message, { when })).toBe('Jul 2, 2026, 1:30 AM')
    }
    expect(formatters).toBe(1)
  })
})

describe('the option timeZone of a server', () => {
  it('sets that of all requests, or of each, for which an unknown one has no effect', async () => {
    const { importFile } = await start()
    const { handleLanguage, setHtmlLanguage } = (await importFile('server')) as {
      handleLanguage: (
        request: Request,
        options?: object,
      ) => Promise<{ readonly timeZone: string | undefined; readonly headers: Headers }>
      setHtmlLanguage: (html: string, language: string) => string
    }
    const request = new Request('http://localhost/', { headers: { cookie: 'zone=asia/tokyo' } })
    expect((await handleLanguage(request)).timeZone).toBeUndefined()
    expect((await handleLanguage(request, { timeZone: 'UTC' })).timeZone).toBe('UTC')
    const strategies = ['header']
    const of = (timeZone: unknown) => handleLanguage(request, { strategies, timeZone })
    const known = await of(({ headers }: Request) => headers.get('cookie')!.slice('zone='.length))
    expect([known.timeZone, known.headers.get('vary')]).toEqual([
      'Asia/Tokyo',
      'Accept-Language, Cookie',
    ])
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
    for (const sent of [undefined, null, '', 'Mars', '"><script>', 7, {}]) {
      expect((await of(async () => sent)).timeZone).toBe(own)
    }
    expect(setHtmlLanguage('<html data-uilm-time-zone="UTC" class="a">', 'en-US')).toBe(
      '<html lang="en-US" dir="ltr" data-uilm="en-US" class="a">',
    )
  })
})
