import { mkdir, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finish } from '../src/index.ts'
import { migrate } from '../src/index.ts'
import { aliasOf } from '../src/migrate/alias.ts'
import { identifierOf } from '@servicekit/catalog'
import { application } from '@servicekit/testing/application'
import { diagnosticsOf, writeApplication } from '@servicekit/testing/type-check'

const texts = {
  'en-US/auth': {
    'Failed to fetch models, Error: {{error}}': 'Failed to fetch models, Error: {{error}}',
    'Failed to fetch': 'Failed to fetch',
    'failed to fetch': 'failed to fetch',
    'It\'s "quoted" \\ here': 'x',
    '404 not found': '404',
    delete: 'Delete',
    '…': '…',
    'form.title': 'Title',
    'Hello {{name}}': 'Hello {{name}}',
    '{{count}} file_one': '{{count}} file',
    '{{count}} file_other': '{{count}} files',
    PRICE: '{{price, number}}',
  },
}

/** Declarations of the i18next packages, as far as the applications below use them. */
const packages = `
declare module 'i18next' {
  export type TFunction = (key: string, options?: object) => string
  const i18next: { t: TFunction; exists: (key: string) => boolean }
  export default i18next
}
declare module 'react-i18next' {
  import type { TFunction } from 'i18next'
  export const useTranslation: (ns?: string) => { t: TFunction; i18n: { language: string; exists: (key: string, options?: object) => boolean } }
  export const Trans: (props: any) => any
}
declare module 'react' {
  export const useCallback: <T>(callback: T, deps: unknown[]) => T
}
`

const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))

/**
 * Migrates a TypeScript application. Returns the text of each file and the diagnostics of
 * the result.
 */
async function run(
  code: Readonly<Record<string, string>>,
  compilerOptions: object = {},
  resolution: 'bundler' | 'nodenext' = 'bundler',
) {
  const { root, project } = await application(texts, {})
  await mkdir(join(root, 'node_modules'))
  await symlink(typescript, join(root, 'node_modules/typescript'))
  const files = { ...code, 'src/packages.d.ts': packages }
  const options = {
    noUnusedLocals: true,
    baseUrl: undefined,
    paths: { '@/*': ['./src/*'] },
    ...compilerOptions,
  }
  await writeApplication(root, resolution, files, options)
  await project.writeTypes(await project.load())
  expect(diagnosticsOf(root)).toEqual([])
  const report = await finish(migrate({ project, sources: ['src'], write: true }))
  const text = (file: string) => report.files.find((one) => one.file === file)?.text
  return {
    root,
    text,
    errors: diagnosticsOf(root),
    skipped: report.skipped.map(({ code, reason }) => `${code}: ${reason}`),
  }
}

describe('migrated code', () => {
  it('type checks, with arguments converted like i18next', async () => {
    const { text, errors, skipped } = await run({
      'src/a.ts': `import { useTranslation } from 'react-i18next'

export async function useLoad(names: string[], flag: boolean, url: URL | null, total: bigint) {
  const { t, i18n } = useTranslation('auth')
  try {
    await fetch(i18n.language)
  } catch (error) {
    return [
      t('Failed to fetch models, Error: {{error}}', { error }),
      t('Failed to fetch models, Error: {{error}}', { error: error }),
    ]
  }
  const name = names[0]
  return [
    t('Hello {{name}}', { name }),
    t('Hello {{name}}', { name: names.at(0) }),
    t('Hello {{name}}', { name: flag && 'x' }),
    t('Hello {{name}}', { name: url }),
    t('Hello {{name}}', { name: url?.pathname }),
    t('Hello {{name}}', { name: total }),
    t('Hello {{name}}', { name: names.length > 0 ? name : undefined }),
    t('Hello {{name}}', { name: names.length }),
    t('Hello {{name}}', { name: t('Failed to fetch') }),
    t('{{count}} file', { count: names.length }),
  ]
}

declare const fetch: (url: string) => Promise<void>
declare class URL {
  pathname: string
}
`,
    })
    expect(skipped).toEqual([])
    expect(errors).toEqual([])
    expect(text('src/a.ts')).toMatchInlineSnapshot(`
      "import { useTranslation } from 'react-i18next'
      import {
        'Failed to fetch' as failedToFetch,
        'Failed to fetch models, Error: {{error}}' as failedToFetchModelsErrorError,
        'Hello {{name}}' as helloName,
        '{{count}} file' as countFile,
      } from '~uilm/auth'
      import { useLanguage } from '~uilm/react'

      export async function useLoad(names: string[], flag: boolean, url: URL | null, total: bigint) {
        const { i18n } = useTranslation('auth')
        useLanguage()
        try {
          await fetch(i18n.language)
        } catch (error) {
          return [
            failedToFetchModelsErrorError({ error: String(error) }),
            failedToFetchModelsErrorError({ error: String(error) }),
          ]
        }
        const name = names[0]
        return [
          helloName({ name: name ?? '' }),
          helloName({ name: names.at(0) ?? '' }),
          helloName({ name: String(flag && 'x') }),
          helloName({ name: String(url ?? '') }),
          helloName({ name: url?.pathname ?? '' }),
          helloName({ name: String(total) }),
          helloName({ name: (names.length > 0 ? name : undefined) ?? '' }),
          helloName({ name: names.length }),
          helloName({ name: failedToFetch() }),
          countFile({ count: names.length }),
        ]
      }

      declare const fetch: (url: string) => Promise<void>
      declare class URL {
        pathname: string
      }
      "
    `)
  })

  it('skips a call whose number may be undefined, and reports the type', async () => {
    const { text, errors, skipped } = await run({
      'src/a.ts': `import i18next from 'i18next'
declare const names: string[] | undefined
export const a = i18next.t('auth:{{count}} file', { count: names?.length })
export const b = i18next.t('auth:PRICE', { price: '1' })
export const c = i18next.t('auth:PRICE', { price: 1 })
`,
    })
    expect(skipped).toEqual([
      "i18next.t('auth:{{count}} file', { count: names?.length }): an argument has the type number | undefined instead of a number",
      "i18next.t('auth:PRICE', { price: '1' }): an argument has the type string instead of a number",
    ])
    expect(errors).toEqual([])
    expect(text('src/a.ts')).toContain('export const c = PRICE({ price: 1 })')
  })

  it('imports a key by its exact text under a readable unused name', async () => {
    const { text, errors } = await run({
      'src/a.ts': `import i18next from 'i18next'
const failedToFetch = 1
export const all = [
  i18next.t('auth:Failed to fetch'),
  i18next.t('auth:failed to fetch'),
  i18next.t('auth:It\\'s "quoted" \\\\ here'),
  i18next.t('auth:404 not found'),
  i18next.t('auth:delete'),
  i18next.t('auth:…'),
  i18next.t('auth:form.title'),
  failedToFetch,
]
`,
    })
    expect(errors).toEqual([])
    expect(text('src/a.ts')).toMatchInlineSnapshot(`
      "import {
        '404 not found' as text404NotFound,
        'Failed to fetch' as failedToFetchText,
        'It\\'s "quoted" \\\\ here' as itsQuotedHere,
        delete as deleteText,
        'failed to fetch' as failedToFetchText2,
        'form.title' as formTitle,
        '…' as text,
      } from '~uilm/auth'
      const failedToFetch = 1
      export const all = [
        failedToFetchText(),
        failedToFetchText2(),
        itsQuotedHere(),
        text404NotFound(),
        deleteText(),
        text(),
        formTitle(),
        failedToFetch,
      ]
      "
    `)
  })

  it('imports by identifier if TypeScript supports no string names', async () => {
    const code = `import i18next from 'i18next'\nexport const a = i18next.t('auth:Failed to fetch')\n`
    const { text, errors } = await run(
      { 'src/a.ts': code },
      { module: 'es2020', skipLibCheck: true },
    )
    expect(errors).toEqual([])
    expect(text('src/a.ts')).toContain(
      `import { Failed$20_to$20_fetch as failedToFetch } from '~uilm/auth'`,
    )
  })

  it('removes a wrapper around useTranslation unless it does more', async () => {
    const { text, errors, skipped } = await run({
      'src/hooks.ts': `import { useCallback } from 'react'
import { useTranslation as useI18next } from 'react-i18next'
export default function useAuth() {
  return useI18next('auth')
}
export const useLocalize = () => {
  const { t } = useI18next('auth')
  return useCallback((key: string, options?: object) => t(key, options), [t])
}
export function useTracked() {
  track('auth')
  const { t, i18n } = useI18next('auth')
  return {
    t: (key: string, options?: object) => {
      if (!i18n.exists(key, options)) return key
      return t(key, options)
    },
  }
}
declare function track(name: string): void
`,
      'src/index.ts': `export { default as useAuth, useLocalize, useTracked } from './hooks.js'\n`,
      'src/page.ts': `import { useAuth, useLocalize, useTracked } from '@/index.js'

export function Page({ name }: { name: string }) {
  const { t } = useAuth()
  return t('Hello {{name}}', { name })
}
export function Row() {
  const localize = useLocalize()
  return localize('Failed to fetch')
}
export function Cell() {
  const { t } = useTracked()
  return t('404 not found')
}
export function Half(key: string) {
  const { t, i18n } = useAuth()
  return [t('Failed to fetch'), i18n.language]
}
`,
    })
    expect(skipped).toEqual([])
    expect(errors).toEqual([])
    expect(text('src/page.ts')).toMatchInlineSnapshot(`
      "import { useAuth, useTracked } from '@/index.js'
      import {
        '404 not found' as text404NotFound,
        'Failed to fetch' as failedToFetch,
        'Hello {{name}}' as helloName,
      } from '~uilm/auth'
      import { useLanguage } from '~uilm/react'

      export function Page({ name }: { name: string }) {
        useLanguage()
        return helloName({ name })
      }
      export function Row() {
        useLanguage()
        return failedToFetch()
      }
      export function Cell() {
        useTracked()
        useLanguage()
        return text404NotFound()
      }
      export function Half(key: string) {
        const { i18n } = useAuth()
        useLanguage()
        return [failedToFetch(), i18n.language]
      }
      "
    `)
    expect(text('src/hooks.ts')).toBeUndefined()
  })

  it('skips calls of t with a fixed language', async () => {
    const { skipped } = await run({
      'src/a.ts': `import type { TFunction } from 'i18next'
export const mail = (t: TFunction) => t('auth:Failed to fetch')
`,
    })
    expect(skipped).toEqual([
      "t('auth:Failed to fetch'): t is a parameter and may have a fixed language",
    ])
  })
})

describe('aliasOf', () => {
  it('returns a valid identifier for any key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (key) => {
        const alias = aliasOf(key)
        expect(identifierOf(alias)).toBe(alias)
      }),
    )
  })

  it.each([
    ['SIGN_IN', 'SIGN_IN'],
    ['form.subTitle', 'formSubTitle'],
    ['Failed to fetch {{provider}} models list', 'failedToFetchProviderModelsList'],
    ["Don't show again", 'dontShowAgain'],
    ['404 not found', 'text404NotFound'],
    ['delete', 'deleteText'],
    ['…', 'text'],
    ['größe.ändern', 'größeÄndern'],
    ['保存 しました', '保存しました'],
    [
      'A very long sentence that nobody could ever read as one name',
      'aVeryLongSentenceThatNobodyCouldEverRead',
    ],
  ])('converts %s to %s', (key, alias) => {
    expect(aliasOf(key)).toBe(alias)
  })
})
