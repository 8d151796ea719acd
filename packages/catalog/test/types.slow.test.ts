import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { beforeEach, describe, expect, it } from 'vitest'
import { entryNames, openProject } from '../src/index.ts'
import { hostile } from './arbitrary.ts'
import { filesIn, stampsIn, temporaryFolder } from '@servicekit/testing/folder'
import { fakeService, projectOver } from '@servicekit/testing/translation-service'
import { storefrontSource } from './storefront.ts'
import {
  diagnosticsOf,
  figuresOf,
  startEditor,
  tsconfig,
  writeApplication,
} from '@servicekit/testing/type-check'

/**
 * Creates an application with the declarations of these translations. The first language
 * is the default.
 */
async function application(files: Record<string, unknown>): Promise<string> {
  const root = await temporaryFolder()
  const project = projectOver(fakeService(files).fetch, { root })
  await project.pull()
  await project.writeTypes(await project.load())
  return root
}

const storefront = async (): Promise<string> => {
  const root = await temporaryFolder()
  const project = openProject({ root }, { source: await storefrontSource() })
  await project.pull()
  await project.writeTypes(await project.load())
  return root
}

const consumer = `
import { setLanguage, getLanguage, languages, type Language } from '~uilm'
import { SIGN_IN, WELCOME_USER } from '~uilm/auth'
import * as auth from '~uilm/auth'
import { CART_ITEMS } from '~uilm/cart'
import { delete$, 'delete' as remove } from '~uilm/common'
import { useLanguage } from '~uilm/react'
import { messages, type Key, type PlainKey } from '~uilm/auth/messages'

export const texts: string[] = [
  SIGN_IN(),
  WELCOME_USER({ name: 'Ada' }),
  WELCOME_USER({ name: 7 }),
  CART_ITEMS({ count: 3 }),
  delete$(),
  remove(),
  auth.SIGN_IN(),
  messages.SIGN_IN(),
  messages['WELCOME_USER']({ name: 'Ada' }),
]
const key: Key = 'WELCOME_USER'
export const anyMessage = messages[key as Key]
export const plain = (name: PlainKey): string => messages[name]()
// @ts-expect-error a message with parameters is called otherwise
export const wrong: PlainKey = 'WELCOME_USER'
// @ts-expect-error there is no such key
export const none: Key = 'SIGN_INN'
void setLanguage('de-DE')
export const language: 'en-US' | 'de-DE' | 'fr-FR' | 'ar-EG' | 'bn-BD' | 'ja-JP' = getLanguage()
export const all: readonly Language[] = languages
const [current, change] = useLanguage()
void change(current)

// @ts-expect-error a key that does not exist
import { SIGN_INN } from '~uilm/auth'
// @ts-expect-error a module that does not exist
import { X } from '~uilm/nowhere'
// @ts-expect-error a key that does not exist, by its module
auth.SIGN_INN()
// @ts-expect-error a text is a function: it is not the same in every language
export const text: string = SIGN_IN
// @ts-expect-error the parameter is missing
WELCOME_USER()
// @ts-expect-error the parameter is missing, in an object
WELCOME_USER({})
// @ts-expect-error the parameter has another name
WELCOME_USER({ user: 'Ada' })
// @ts-expect-error one parameter too many
WELCOME_USER({ name: 'Ada', title: 'Dr' })
// @ts-expect-error a parameter is a text or a number
WELCOME_USER({ name: undefined })
// @ts-expect-error a text without parameters takes none
SIGN_IN({ name: 'Ada' })
// @ts-expect-error a plural needs its number
CART_ITEMS()
// @ts-expect-error a plural needs a number, not a text
CART_ITEMS({ count: '3' })
// @ts-expect-error a language that the project does not have
void setLanguage('xx-XX')
// @ts-expect-error nobody may change what is exported
auth.SIGN_IN = () => ''
`

describe.each(['nodenext', 'bundler'] as const)(
  'the declarations of the storefront, %s',
  (resolution) => {
    it('accept correct calls and reject wrong ones', async () => {
      const root = await storefront()
      await writeApplication(root, resolution, { 'src/page.ts': consumer })
      expect(diagnosticsOf(root)).toEqual([])
    })

    it('reject an unexpected mistake', async () => {
      const root = await storefront()
      const page = `import { SIGN_IN, GONE } from '~uilm/auth'\nSIGN_IN(1)\nGONE()\n`
      await writeApplication(root, resolution, { 'src/page.ts': page })
      expect(diagnosticsOf(root)).toEqual([
        `src/page.ts:1 Module '"~uilm/auth"' has no exported member 'GONE'.`,
        'src/page.ts:2 Expected 0 arguments, but got 1.',
      ])
    })
  },
)

describe('declarations', () => {
  const isolated = { isolatedModules: true, verbatimModuleSyntax: true }

  it('support any key, translation and parameter', async () => {
    const translations = Object.fromEntries([
      ...hostile.filter((key) => key !== '').map((key) => [key, key]),
      ...['Message', 'MessageWith', 'PluralMessage_one', 'PluralMessage_other'].map((key) => [
        key,
        '{{a}} x',
      ]),
      ['PLAIN', 'x'],
      ['MANY_one', '{{count}} {{x y}}'],
      ['MANY_other', '{{count}} {{x y}}'],
      ['ODD_PARAMETERS', '{{"}} {{\\}} {{*/}} {{</script>}} {{`}} {{\n}} {{a"b}} {{__proto__}}'],
    ])
    const body = JSON.stringify(translations)
    // A computed key is the only way to create an own `__proto__` property.
    const root = await application({
      'en-US/odd': `${body.slice(0, -1)},"__proto__":"x"}`,
      'de-DE/odd': body,
    })
    const page = `
      import { Message, MessageWith, PLAIN, MANY, ODD_PARAMETERS, __proto__ } from '~uilm/odd'
      import { 'a/b' as path, '-1' as minus } from '~uilm/odd'
      export const texts = [Message({ a: 1 }), MessageWith({ a: 1 }), PLAIN(), __proto__(), path(), minus()]
      MANY({ count: 1, 'x y': 2 })
      // @ts-expect-error a parameter is missing
      MANY({ count: 1 })
      ODD_PARAMETERS({ '"': 1, '\\\\': 1, '*/': 1, '</script>': 1, '\`': 1, 'a"b': 1, ['__proto__']: 1 })
    `
    await writeApplication(root, 'bundler', { 'src/page.ts': page }, isolated)
    expect(diagnosticsOf(root)).toEqual([])
  })

  it('are modules even without keys', async () => {
    const root = await application({ 'en-US/none': {} })
    await writeApplication(
      root,
      'nodenext',
      {
        'src/page.ts': `import * as none from '~uilm/none'\nexport const keys: never = undefined as never as keyof typeof none\n`,
      },
      isolated,
    )
    expect(diagnosticsOf(root)).toEqual([])
  })

  it('are written once', async () => {
    const files = { 'en-US/odd': Object.fromEntries(hostile.map((key) => [`K${key}`, key])) }
    const root = await application(files)
    const before = await stampsIn(root)
    const project = projectOver(fakeService(files).fetch, { root })
    const report = await project.writeTypes(await project.load())
    expect(report).toMatchObject({ files: entryNames.length + 5, written: 0 })
    expect(await stampsIn(root)).toEqual(before)
  })
})

describe('a project', () => {
  const page = `import { SIGN_IN } from '~uilm/auth'
    import { setLanguage } from '~uilm'
    import { useLanguage as react } from '~uilm/react'
    import { useLanguage as solid } from '~uilm/solid'
    import { Markup, useLanguage as vue } from '~uilm/vue'
    import { language } from '~uilm/svelte'
    import { createLocalizer, matchLanguage } from '~uilm/server'
    import { load, options } from '~uilm/i18next'
    const localizer = await createLocalizer(matchLanguage('de'))
    export const text: string = localizer.translate(SIGN_IN)
    export const types: 'auth' | 'cart' = null as unknown as Parameters<typeof load>[1] & ('auth' | 'cart')
    const codes: readonly ('en-US' | 'de-DE' | 'fr-FR' | 'ar-EG' | 'bn-BD' | 'ja-JP')[] =
      [react()[0], solid()[0](), vue().value, language.current, localizer.language, options.supportedLngs[0]!]
    void setLanguage(codes[0]!)
    const by = null as unknown as (args: { name: string; 0: number }) => string
    Markup({ message: by, args: { name: 'Ada', 0: 1 } })
    Markup({ message: by, slots: [0], args: { name: 'Ada' } })
    Markup({ message: by, slots: [0, 'name'] })
    // @ts-expect-error a parameter that no slot fills
    Markup({ message: by, slots: [0] })
    // @ts-expect-error a slot that is no parameter
    Markup({ message: by, slots: ['other'], args: { name: 'Ada', 0: 1 } })
    // @ts-expect-error a language that the project does not have
    vue().value = 'xx-XX'
    // @ts-expect-error a language that the project does not have
    language.current = 'xx-XX'
  `

  it.each([
    ['a reference in src', { include: ['src'] }, 'src/servicekit-env.d.ts'],
    ['an include of the folder', { include: ['src', '.servicekit/types'] }, undefined],
    [
      'a reference in a project of a solution',
      { files: [], references: [{ path: './tsconfig.app.json' }] },
      'src/servicekit-env.d.ts',
    ],
  ])('reaches all adapters without their frameworks, by %s', async (_, layout, reference) => {
    const root = await storefront()
    await writeApplication(root, 'bundler', { 'src/page.ts': page })
    if (reference === undefined) await rm(join(root, 'src/servicekit-env.d.ts'))
    const { compilerOptions } = tsconfig('bundler')
    const config = { compilerOptions, ...layout }
    await writeFile(join(root, 'tsconfig.json'), JSON.stringify(config))
    const app = { compilerOptions: { ...compilerOptions, composite: true }, include: ['src'] }
    await writeFile(join(root, 'tsconfig.app.json'), JSON.stringify(app))
    const main = 'references' in layout ? 'tsconfig.app.json' : 'tsconfig.json'
    expect(diagnosticsOf(root, main)).toEqual([])
    await rm(join(root, '.servicekit'), { recursive: true })
    expect(diagnosticsOf(root, main)).toContain(
      `src/page.ts:1 Cannot find module '~uilm/auth' or its corresponding type declarations.`,
    )
  })

  it('loses the declarations of removed modules and of older versions', async () => {
    const files = { 'en-US/auth': { A: 'a' }, 'en-US/shop/gone': { B: 'b' } }
    const root = await application(files)
    const old = ['uilm.d.ts', 'uilm/auth.d.ts', 'uilm/auth.d.ts.map', 'uilm/auth/messages.d.ts']
    for (const file of old) {
      await mkdir(dirname(join(root, '.servicekit', file)), { recursive: true })
      await writeFile(join(root, '.servicekit', file), 'export {}')
    }
    const project = projectOver(fakeService({ 'en-US/auth': { A: 'a' } }).fetch, { root })
    await project.pull({ types: true })
    const left = (await filesIn(join(root, '.servicekit'))).filter((file) => !/cache/.test(file))
    expect(left).toEqual([
      'types/index.d.ts',
      'types/uilm.d.ts',
      ...[
        'auth.d.ts',
        'auth.d.ts.map',
        'auth/messages.d.ts',
        ...entryNames.map((name) => `${name}.d.ts`),
      ]
        .toSorted()
        .map((file) => `types/uilm/${file}`),
    ])
    await expect(stat(join(root, '.servicekit/uilm'))).rejects.toThrow('ENOENT')
  })
})

describe('the type checker', () => {
  it('does the same work for 1,000 and 10,000 keys', { timeout: 120_000 }, async () => {
    const figures = await Promise.all(
      [1000, 10_000].map(async (size) => {
        const keys = Array.from({ length: size }, (_, n) => [
          `KEY_${n}`,
          ['text', 'Hello {{name}}', '{{a}} of {{b}}'][n % 3],
        ])
        const root = await application({ 'en-US/big': Object.fromEntries(keys) as object })
        const page = `import { KEY_0, KEY_1 } from '~uilm/big'\nimport * as big from '~uilm/big'
          export const texts = [KEY_0(), KEY_1({ name: 'Ada' }), big.KEY_2({ a: 1, b: 2 })]\n`
        await writeApplication(root, 'bundler', { 'src/page.ts': page }, { skipLibCheck: true })
        return figuresOf(root)
      }),
    )
    const [small, large] = figures as [Record<string, number>, Record<string, number>]
    expect(large['Symbols']).toBeGreaterThan(small['Symbols']! + 8000)
    expect(large['Instantiations']).toBe(small['Instantiations'])
    expect(large['Types']).toBe(small['Types'])
  })
})

describe('an editor', () => {
  let root: string
  const page = [
    `import { SIGN_IN } from '~uilm/auth'`,
    `import { CART_ITEMS } from '~uilm/cart'`,
    `import { 'delete' as remove } from '~uilm/common'`,
    `SIGN_IN()`,
    `CART_ITEMS({ count: 1 })`,
    `remove()`,
  ].join('\n')
  beforeEach(async () => {
    root = await storefront()
    await writeApplication(root, 'bundler', { 'src/page.ts': page })
  })

  it('shows the message in two languages and the key', () => {
    const file = join(root, 'src/page.ts')
    const { options } = ts.parseJsonConfigFileContent(tsconfig('bundler'), ts.sys, root)
    const service = ts.createLanguageService({
      ...ts.sys,
      useCaseSensitiveFileNames: () => true,
      getCompilationSettings: () => options,
      getScriptFileNames: () => [file, join(root, 'src/servicekit-env.d.ts')],
      getScriptVersion: () => '1',
      getScriptSnapshot: (name) => {
        const text = ts.sys.readFile(name)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
    })
    const hover = (name: string): string => {
      const info = service.getQuickInfoAtPosition(file, page.lastIndexOf(name))!
      return `${ts.displayPartsToString(info.displayParts)}\n${ts.displayPartsToString(info.documentation)}`
    }
    expect(hover('SIGN_IN')).toMatchInlineSnapshot(`
      "(alias) SIGN_IN(): string
      import SIGN_IN
      en-US: Sign in

      ar-EG: تسجيل الدخول

      auth: \`SIGN_IN\`"
    `)
    expect(hover('CART_ITEMS')).toMatchInlineSnapshot(`
      "(alias) CART_ITEMS(args: {
          readonly count: number;
      } & {}): string
      import CART_ITEMS
      en-US: {{count}} items in your cart

      ar-EG: {{count}} قطعة في السلة

      cart: \`CART_ITEMS\`"
    `)
    service.dispose()
  })

  const goesFrom = async (page: string, name: string): Promise<unknown> => {
    const file = join(root, 'src/page.ts')
    await writeFile(file, page)
    const editor = startEditor()
    await editor.ask('open', { file })
    const line = page.split('\n').findLastIndex((text) => text.startsWith(name)) + 1
    const found = (await editor.ask('definition', { file, line, offset: 2 })) as {
      file: string
      start: object
    }[]
    return found.map((one) => [one.file, one.start])
  }
  /** Returns the position of a key in a committed file. */
  const placeOf = async (file: string, key: string): Promise<unknown> => {
    const lines = (await readFile(join(root, file), 'utf8')).split('\n')
    const at = lines.findIndex((text) => text.startsWith(`  ${JSON.stringify(key)}:`))
    expect(at).toBeGreaterThan(0)
    return [join(root, file), { line: at + 1, offset: 3 }]
  }

  it.each([
    ['SIGN_IN', 'auth', 'SIGN_IN'],
    ['CART_ITEMS', 'cart', 'CART_ITEMS_other'],
    ['remove', 'common', 'delete'],
  ])('goes from %s to its line in the committed file', async (name, module, key) => {
    const place = await placeOf(`uilm/en-US/${module}.json`, key)
    expect(await goesFrom(page, name)).toContainEqual(place)
  })

  it('finds the line in folders and modules with any name, and with numeric keys', async () => {
    root = join(root, 'my app #1')
    const translations = { 10: 'ten', 9: 'nine', 404: 'none', A: 'a', 'b"c': 'b', D: 'd' }
    const project = projectOver(
      fakeService({ 'en-US/my texts': translations, 'en-US/größe': translations }).fetch,
      {
        root,
        snapshotDir: 'the texts%20',
      },
    )
    await project.pull()
    await project.writeTypes(await project.load())
    const odd = `import { D } from '~uilm/my texts'\nimport { 'b"c' as quoted } from '~uilm/größe'\nD()\nquoted()\n`
    await writeApplication(root, 'bundler', { 'src/page.ts': odd })
    expect(diagnosticsOf(root)).toEqual([])
    expect(await goesFrom(odd, 'D')).toContainEqual(
      await placeOf('the texts%20/en-US/my%20texts.json', 'D'),
    )
    expect(await goesFrom(odd, 'quoted')).toContainEqual(
      await placeOf('the texts%20/en-US/gr%C3%B6%C3%9Fe.json', 'b"c'),
    )
  })
})

describe('a key with a translation and plural forms', () => {
  it('is called with and without a count, each with its own parameters', async () => {
    const root = await application({
      'en-US/shop': {
        ITEMS: 'Items',
        ITEMS_one: '{{count}} item',
        ITEMS_other: '{{count}} items',
        OF: 'Of {{owner}}',
        OF_one: '{{count}} in {{place}}',
        OF_other: '{{count}} in {{place}}',
      },
    })
    const page = `
      import { ITEMS, OF } from '~uilm/shop'
      import { messages, type PlainKey } from '~uilm/shop/messages'
      export const texts: string[] = [ITEMS(), ITEMS({ count: 1 }), OF({ owner: 'Ada' }), OF({ count: 2, place: 'x' })]
      export const plain = messages['ITEMS' satisfies PlainKey]()
      declare const text: <A extends readonly unknown[]>(message: (...args: A) => string, ...args: A) => string
      text(ITEMS)
      text(ITEMS, { count: 1 })
      // @ts-expect-error neither the parameter of the text nor those of the plural
      OF()
      // @ts-expect-error the parameter of the plural is missing
      OF({ count: 2 })
      // @ts-expect-error a number is a number
      ITEMS({ count: '1' })
    `
    await writeApplication(root, 'bundler', { 'src/page.ts': page })
    expect(diagnosticsOf(root)).toEqual([])
  })
})
