import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRequire } from 'node:module'
import { emitProgram, openProject, writeFiles } from '@servicekit/catalog'
import { createInstance } from 'i18next'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeFolders, temporaryFolder } from '../lib/temporary-folder.mjs'

const texts: Record<string, Record<string, Record<string, string | null>>> = {
  'en-US': {
    auth: {
      SIGN_IN: 'Sign in',
      'a.b': 'Dotted {{name}}',
      ITEMS_one: '{{count}} item',
      ITEMS_other: '{{count}} items',
    },
    common: { SAVE: 'Save </script>\u2028' },
  },
  'de-DE': { auth: { SIGN_IN: 'Anmelden', 'a.b': null }, common: { SAVE: '' } },
}

let folder: string

beforeAll(async () => {
  folder = temporaryFolder()
  const languages = Object.keys(texts)
  const source = {
    name: 'texts',
    list: async () => ({
      languages: languages.map((code, index) => ({ code, name: code, isDefault: index === 0 })),
      modules: ['auth', 'common'],
    }),
    read: async ({ language, module }: { language: string; module: string }) => ({
      status: 'ok' as const,
      raw: texts[language]![module]!,
      etag: undefined,
    }),
  }
  const project = openProject({ root: folder }, { environment: {}, source })
  await project.pull()
  const model = await project.load()
  const options = { outDir: join(folder, 'out'), storageKey: 'language', i18next: true }
  await writeFiles(emitProgram(model, options))
  await project.writeTypes(model)
})
afterAll(removeFolders)

it('serves the committed translations to i18next on demand', async () => {
  const program = pathToFileURL(join(folder, 'out/i18next.js')).href
  const { backend, options } = (await import(program)) as { backend: never; options: object }
  const i18n = createInstance()
  await i18n.use(backend).init({ ...options, lng: 'de-DE' })
  const t = i18n.t as unknown as (key: string, args?: object) => string
  expect(t('auth:SIGN_IN')).toBe('Anmelden')
  // No translation: falls back to the default language.
  expect(t('auth:a.b', { name: 'Ada' })).toBe('Dotted Ada')
  expect(t('SAVE')).toBe('Save </script>\u2028')
  await i18n.changeLanguage('en-US')
  expect([t('auth:ITEMS', { count: 1 }), t('auth:ITEMS', { count: 2 })]).toEqual([
    '1 item',
    '2 items',
  ])
})

it('types the keys of i18next', () => {
  const modules = join(folder, 'node_modules')
  mkdirSync(modules, { recursive: true })
  const installed = dirname(createRequire(import.meta.url).resolve('i18next/package.json'))
  symlinkSync(installed, join(modules, 'i18next'))
  const file = join(folder, 'app.ts')
  writeFileSync(
    file,
    `import i18next from 'i18next'
import { backend, options, type Resources, type TypeOptions } from '~uilm/i18next'
declare module 'i18next' {
  interface CustomTypeOptions extends TypeOptions {}
}
void i18next.use(backend).init(options)
i18next.t('SAVE')
i18next.t('auth:SIGN_IN')
i18next.t('ITEMS', { ns: 'auth', count: 1 })
const text: Resources['auth']['SIGN_IN'] = 'Sign in'
// @ts-expect-error unknown key
i18next.t('NOPE')
// @ts-expect-error unknown key in this module
i18next.t('auth:SAVE')
export { text }
`,
  )
  const declarations = join(folder, '.servicekit/types/index.d.ts')
  const program = ts.createProgram([file, declarations], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    types: [],
  })
  const found = ts.getPreEmitDiagnostics(program)
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual(
    [],
  )
})
