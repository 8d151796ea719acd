import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { createInstance } from 'i18next'
import { createTranslator } from 'use-intl'
import { describe, expect, it } from 'vitest'
import { createI18n } from 'vue-i18n'
import { detectFolder, emitProgram, openProject, writeFiles } from '../src/index.ts'
import { temporaryFolder } from '@servicekit/testing/folder'

type Tree = { readonly [name: string]: string | Tree }
type Args = Readonly<Record<string, unknown>>

/** Compiles a folder, and returns a function that shows a message in a language. */
async function compile(
  files: Readonly<Record<string, Tree | string>>,
  dependencies: readonly string[],
) {
  const root = await temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, 'locales', path)), { recursive: true })
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
    await writeFile(join(root, 'locales', path), text)
  }
  const detected = detectFolder(join(root, 'locales'), { dependencies })
  if ('unknown' in detected) throw new Error('a language is unknown')
  const { from, syntax, notTaken } = detected
  const project = openProject(
    { root, from: { ...from, folder: 'locales' }, syntax },
    { environment: {} },
  )
  const model = await project.load()
  const out = join(root, 'messages')
  await writeFiles(emitProgram(model, { outDir: out, storageKey: 'language' }))
  const runtime = (await import(pathToFileURL(join(out, 'runtime.js')).href)) as {
    setLanguage: (language: string) => Promise<void>
  }
  return {
    notTaken,
    syntax,
    async show(language: string, module: string, key: string, args?: Args): Promise<string> {
      await runtime.setLanguage(language)
      const found = (await import(pathToFileURL(join(out, `${module}.js`)).href)) as Record<
        string,
        (args?: Args) => string
      >
      const name = model.modules
        .find((one) => one.name === module)!
        .messages.find((one) => one.key === key)!.name
      return String(found[name]!(args))
    },
  }
}

const counts = [0, 1, 2, 3, 4, 5, 10, 11, 14, 21, 22, 25, 100, 101, 111, 1_000_000]

/** Text without characters that have a meaning in one of the syntaxes. */
const word = fc.stringMatching(/^[A-Za-zÀ-ÿ .,!?:;-]{0,12}$/)

describe('i18next', () => {
  const forms = (name: string, all: Readonly<Record<string, string>>): Tree =>
    Object.fromEntries(Object.entries(all).map(([form, text]) => [`${name}_${form}`, text]))
  const files = {
    'en/cart.json': {
      title: 'Cart of {{name}}',
      nested: { deep: { text: 'Deep {{ name }}!' } },
      unescaped: '<b>{{- name}}</b> & co',
      app: 'Shop',
      welcome: 'Welcome to $t(app), $t(common:friend)',
      price: '{{value, number(minimumFractionDigits: 2)}}',
      ...forms('item', { one: '{{count}} item', other: '{{count}} items' }),
      ...forms('place_ordinal', {
        one: '{{count}}st',
        two: '{{count}}nd',
        few: '{{count}}rd',
        other: '{{count}}th',
      }),
    },
    'ru/cart.json': {
      title: 'Корзина: {{name}}',
      app: 'Магазин',
      welcome: 'Вас приветствует $t(app)',
      ...forms('item', {
        one: '{{count}} товар',
        few: '{{count}} товара',
        many: '{{count}} товаров',
        other: '{{count}} товара',
      }),
    },
    'ar/cart.json': {
      title: 'سلة {{name}}',
      ...forms('item', {
        zero: 'لا شيء',
        one: 'عنصر',
        two: 'عنصران',
        few: '{{count}} عناصر',
        many: '{{count}} عنصرًا',
        other: '{{count}} عنصر',
      }),
    },
    'ja/cart.json': { title: '{{name}}のカート', ...forms('item', { other: '{{count}}点' }) },
    'en/common.json': { friend: 'dear {{name}}' },
  } satisfies Record<string, Tree>
  const resources = () => {
    const found: Record<string, Record<string, Tree>> = {}
    for (const [path, content] of Object.entries(files)) {
      const [language = '', file = ''] = path.split('/')
      found[language] = { ...found[language], [file.replace('.json', '')]: content }
    }
    return found
  }

  it('shows the same texts for the same files, plurals included', async () => {
    const ours = await compile(files, ['i18next'])
    expect(ours).toMatchObject({ syntax: 'double-brace', notTaken: [] })
    const peer = createInstance()
    await peer.init({
      resources: resources(),
      fallbackLng: 'en',
      defaultNS: 'cart',
      interpolation: { escapeValue: false },
    })
    for (const lng of ['en', 'ru', 'ar', 'ja']) {
      for (const key of ['title', 'nested.deep.text', 'unescaped', 'app', 'welcome']) {
        const args = { name: 'Ada <3' }
        expect([lng, key, await ours.show(lng, 'cart', key, args)]).toEqual([
          lng,
          key,
          peer.t(key, { lng, ...args }),
        ])
      }
      for (const count of counts) {
        expect([lng, count, await ours.show(lng, 'cart', 'item', { count })]).toEqual([
          lng,
          count,
          peer.t('item', { lng, count }),
        ])
      }
    }
    expect(await ours.show('en', 'cart', 'price', { value: 3.5 })).toBe(
      peer.t('price', { lng: 'en', value: 3.5 }),
    )
    for (const count of counts) {
      expect(await ours.show('en', 'cart', 'place_ordinal', { count })).toBe(
        peer.t('place', { lng: 'en', count, ordinal: true }),
      )
    }
  })

  it('has the texts that are not taken named', async () => {
    const { notTaken } = await compile(
      {
        'en.json': {
          item: 'item',
          item_plural: 'items',
          girls: '$t(item, {"count": {{girls}} })',
          list: 'x',
        },
      },
      ['i18next'],
    )
    expect(notTaken.join('\n')).toMatch(
      /messages item_plural: is a plural of i18next before version 21/,
    )
    expect(notTaken.join('\n')).toMatch(/messages girls \(en\): refers to another message/)
  })
})

describe('next-intl', () => {
  const en = {
    auth: {
      title: 'Sign in',
      hello: 'Hello {name}!',
      form: {
        quoted: "It''s '{'fine'}'",
        items: '{n, plural, =0 {nothing} one {# item} other {# items}}',
      },
    },
    cart: {
      who: '{gender, select, female {She} male {He} other {They}} paid {amount, number}',
      rank: '{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}',
    },
  }
  const pl = {
    auth: {
      title: 'Zaloguj się',
      hello: 'Cześć {name}!',
      form: {
        items:
          '{n, plural, =0 {nic} one {# rzecz} few {# rzeczy} many {# rzeczy!} other {# rzeczy?}}',
      },
    },
  }

  it('shows the same texts for the same files, plurals included', async () => {
    const ours = await compile({ 'en.json': en, 'pl.json': pl }, ['next-intl'])
    expect(ours).toMatchObject({ syntax: 'icu', notTaken: [] })
    const peerOf = (locale: string, messages: object) => {
      const t = createTranslator({ locale, messages } as never) as unknown as (
        key: string,
        args?: Args,
      ) => string
      return t
    }
    for (const [language, messages] of [
      ['en', en],
      ['pl', { ...pl, cart: en.cart }],
    ] as const) {
      const t = peerOf(language, messages)
      expect(await ours.show(language, 'auth', 'title')).toBe(t('auth.title'))
      expect(await ours.show(language, 'auth', 'hello', { name: 'Ada' })).toBe(
        t('auth.hello', { name: 'Ada' }),
      )
      for (const n of counts) {
        expect([n, await ours.show(language, 'auth', 'form.items', { n })]).toEqual([
          n,
          t('auth.form.items', { n }),
        ])
      }
    }
    const t = peerOf('en', en)
    expect(await ours.show('en', 'auth', 'form.quoted')).toBe(t('auth.form.quoted'))
    for (const gender of ['female', 'male', 'x']) {
      const args = { gender, amount: 1234.5 }
      expect(await ours.show('en', 'cart', 'who', args)).toBe(t('cart.who', args))
    }
    for (const n of counts) {
      expect(await ours.show('en', 'cart', 'rank', { n })).toBe(t('cart.rank', { n }))
    }
  })
})

describe('vue-i18n', () => {
  const files = {
    'en.json': {
      hello: 'Hello {name}',
      list: '{0} and {1}',
      email: "me{'@'}example.com",
      pipe: "a {'|'} b",
      brand: { name: 'Shop', the: 'the @:brand.name' },
      about: "About @:brand.the , @.upper:brand.name and @:{'brand.name'}",
      car: 'car | cars',
      apple: 'no apples | one apple | {count} apples',
      banana: 'no bananas | {n} banana | {n} bananas',
    },
    'de.json': { hello: 'Hallo {name}', car: 'Auto | Autos', about: 'Über @:brand.name' },
  }

  const peerOf = (messages: object) => {
    const { t } = (createI18n as (options: object) => { global: { t: unknown } })({
      legacy: false,
      locale: 'en',
      fallbackLocale: 'en',
      missingWarn: false,
      fallbackWarn: false,
      messages: messages as never,
    }).global
    return t as unknown as (key: string, ...rest: readonly unknown[]) => string
  }

  it('shows the same texts for the same files, plurals and links included', async () => {
    const ours = await compile(files, ['vue-i18n'])
    expect(ours).toMatchObject({ syntax: 'vue-i18n', notTaken: [] })
    const peer = peerOf({ en: files['en.json'], de: files['de.json'] })
    const show = (key: string, args?: Args, language = 'en') =>
      ours.show(language, 'messages', key, args)
    for (const locale of ['en', 'de']) {
      for (const key of ['email', 'pipe', 'brand.the', 'about']) {
        expect([locale, key, await show(key, undefined, locale)]).toEqual([
          locale,
          key,
          peer(key, {}, { locale }),
        ])
      }
      expect(await show('hello', { name: 'Ada' }, locale)).toBe(
        peer('hello', { name: 'Ada' }, { locale }),
      )
      for (const count of counts) {
        expect([locale, count, await show('car', { count }, locale)]).toEqual([
          locale,
          count,
          peer('car', count, { locale }),
        ])
      }
    }
    expect(await show('list', { 0: 'a', 1: 'b' })).toBe(peer('list', ['a', 'b']))
    for (const count of counts) {
      expect(await show('apple', { count })).toBe(peer('apple', count))
      expect(await show('banana', { n: count })).toBe(peer('banana', count))
    }
  })

  it('shows the same texts for random cases', async () => {
    const text = fc
      .array(fc.oneof(word, fc.constantFrom('{n}', "{'|'}", "{'@'}", "{'{'}", '{ n }')), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.join(''))
      // Text of only white space is a case that its compiler refuses.
      .filter((one) => one.trim() !== '')
    const cases = fc.array(text, { minLength: 1, maxLength: 3 })
    const all = fc.sample(cases, { numRuns: 60, seed: 1 }).map((one) => one.join(' | '))
    const messages = Object.fromEntries(all.map((one, index) => [`key${index}`, one]))
    const ours = await compile({ 'en.json': { ...messages, link: '@:key0' } }, ['vue-i18n'])
    const peer = peerOf({ en: messages })
    for (const [key, written] of Object.entries(messages)) {
      for (const n of [0, 1, 2, 7]) {
        const shown = await ours.show('en', 'messages', key, { n, count: n })
        expect([written, n, shown]).toEqual([written, n, peer(key, { n }, n)])
      }
    }
  })
})
