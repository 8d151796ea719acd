import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { emitProgram, openProject, writeFiles } from '../src/index.ts'
import { hostile } from './arbitrary.ts'
import { endOf, runChild } from '@servicekit/testing/child-program'
import { filesIn, temporaryFolder } from '@servicekit/testing/folder'
import { fakeService, projectOver } from '@servicekit/testing/translation-service'
import { storefrontSource } from './storefront.ts'
import { diagnosticsOf, tsconfig } from '@servicekit/testing/type-check'

const unusual = {
  'en-US/odd': Object.fromEntries(hostile.map((key) => [`K${key}`, key])),
  'en-US/runtime': { A: 'of runtime' },
  'en-US/shop/cart': { p0: 'nested', 'a b': 'spaced', größe: 'size' },
  'en-US/my texts': { delete: 'Delete', exports: 'e', require: 'r', module: 'm' },
}

async function compiled(files?: Record<string, unknown>): Promise<string> {
  const root = await temporaryFolder()
  const project = files
    ? projectOver(fakeService(files).fetch, { root })
    : openProject({ root }, { source: await storefrontSource() })
  await project.pull()
  const model = await project.load()
  await writeFiles(
    emitProgram(model, {
      outDir: join(root, 'messages'),
      storageKey: 'language',
      sync: true,
      i18next: true,
    }),
  )
  return root
}

/** Runs code in a process of its own, as a program of the user. */
async function resultOf(root: string, code: string): Promise<unknown> {
  const { output, errors } = await endOf(
    runChild(`
      import { createRequire } from 'node:module'
      const root = ${JSON.stringify(root)}
      const require = createRequire(root + '/main.cjs')
      const { pathToFileURL } = await import('node:url')
      const load = (file) => import(pathToFileURL(root + '/messages/' + file).href)
      process.stdout.write(JSON.stringify(await (async () => { ${code} })()))`),
  )
  expect(errors).toBe('')
  return JSON.parse(output)
}

it.each([
  ['the sample project', undefined],
  ['unusual names', unusual],
])('has the same exports as ES modules and as CommonJS: %s', async (_, files) => {
  const root = await compiled(files)
  const names = (await filesIn(join(root, 'messages')))
    .filter(
      (name) => name.endsWith('.cjs') && !/(?:react(?:-markup)?|solid|svelte|vue)\.cjs$/.test(name),
    )
    .map((name) => name.slice(0, -4))
  // Node does not find the name of an export with a byte order mark.
  const differences = await resultOf(
    root,
    `const found = []
    for (const name of ${JSON.stringify(names)}) {
      const [esm, cjs] = [await load(name + '.js'), require('./messages/' + name + '.cjs')]
      const imported = await load(name + '.cjs')
      const pack = Array.isArray(cjs) || name.startsWith('i18next$/')
      const [a, b] = pack ? [esm.default, cjs].map((one) => one.map?.(String).join() ?? JSON.stringify(one)) : [Object.keys(esm).sort().join(), Object.keys(cjs).sort().join()]
      const missing = pack ? [] : Object.keys(cjs).filter((one) => !(one in imported) && !one.includes('\\ufeff'))
      if (a !== b || missing.length > 0) found.push([name, a, b, missing])
    }
    return [found, ${names.length}]`,
  )
  expect(differences).toEqual([[], expect.any(Number)])
  expect(names.length).toBeGreaterThan(10)
})

it('changes the language without await, in both kinds', async () => {
  const root = await compiled()
  const said = `const { SIGN_IN } = auth
    const before = SIGN_IN()
    void setLanguage('de-DE')
    const after = [SIGN_IN(), PRODUCTS_COUNT({ count: 1 }), getLanguage()]
    const localizer = await createLocalizer('fr-FR')
    const other = localizer.run(() => messages.SIGN_IN())
    const error = await setLanguage('xx').catch((error) => error.message)
    return [before, after, localizer.translate(SIGN_IN), other, SIGN_IN(), matchLanguage('ja'), error]`
  const expected = [
    'Sign in',
    ['Anmelden', '1 Produkt', 'de-DE'],
    'Se connecter',
    'Se connecter',
    'Anmelden',
    'ja-JP',
    expect.stringContaining('Unknown language "xx"'),
  ]
  const names = {
    auth: '* as auth',
    catalog: '{ PRODUCTS_COUNT }',
    runtime: '{ getLanguage, setLanguage }',
    server: '{ createLocalizer, matchLanguage }',
    'auth/messages': '{ messages }',
  }
  const from = (load: (name: string) => string): string =>
    Object.entries(names)
      .map(([name, binding]) => `const ${binding.replace('* as ', '')} = ${load(name)}\n`)
      .join('')
  const esm = from((name) => `await load('${name}.js')`)
  const cjs = from((name) => `require('./messages/${name}.cjs')`)
  expect(await resultOf(root, esm + said)).toEqual(expected)
  expect(await resultOf(root, cjs + said)).toEqual(expected)
})

it('loads as a package by name, with types, in ES modules and CommonJS', async () => {
  const root = await compiled()
  const code = `import { SIGN_IN } from '#messages/auth'
    import { messages, type PlainKey } from '#messages/auth/messages'
    import { createLocalizer } from '#messages/server'
    import { useLanguage } from '#messages/react'
    import { setLanguage } from '#messages/runtime'
    void setLanguage('de-DE')
    const key: PlainKey = 'SIGN_IN'
    export const texts: string[] = [SIGN_IN(), messages[key]()]
    export const more = [createLocalizer, useLanguage]
    // @ts-expect-error a language that the project does not have
    void setLanguage('xx')\n`
  const imports = {
    '#messages/*': { import: './messages/*.js', require: './messages/*.cjs' },
  }
  await writeFile(join(root, 'package.json'), JSON.stringify({ imports }))
  await writeFile(join(root, 'a.mts'), code)
  await writeFile(join(root, 'b.cts'), code)
  await writeFile(
    join(root, 'tsconfig.json'),
    JSON.stringify({ ...tsconfig('nodenext'), include: ['*.mts', '*.cts', 'messages'] }),
  )
  expect(diagnosticsOf(root)).toEqual([])
})

it('serves i18next from the translations, in both kinds', async () => {
  const root = await compiled()
  const said = `const german = await load('de-DE', 'auth')
    const read = (language) => new Promise((done) => backend.read(language, 'auth', (_, texts) => done(texts.SIGN_IN)))
    return [german.SIGN_IN, await read('ja-JP'), options.defaultNS, options.supportedLngs.length]`
  const texts = ['Anmelden', 'ログイン', 'common', 6]
  const names = 'const { backend, load, options } = '
  const esm = "import(pathToFileURL(root + '/messages/i18next.js').href)"
  expect(await resultOf(root, `${names} await ${esm}\n${said}`)).toEqual(texts)
  const cjs = "require('./messages/i18next.cjs')"
  expect(await resultOf(root, `${names} ${cjs}\n${said}`)).toEqual(texts)
})

it('shows keys with the option showKeys, and keeps the parameters', async () => {
  const root = await temporaryFolder()
  const files = {
    'en-US/shop': {
      TITLE: 'Shop',
      'form.title': 'Title',
      HELLO: 'Hello {{name}}',
      ITEMS_one: '{{count}} item',
      ITEMS_other: '{{count}} items',
    },
    'de-DE/shop': { TITLE: 'Laden' },
  }
  const project = projectOver(fakeService(files).fetch, { root, showKeys: true })
  await project.pull()
  const outDir = join(root, 'messages')
  const options = { outDir, storageKey: 'language', sync: true }
  await writeFiles(emitProgram(await project.load(), options))
  const shown = await resultOf(
    root,
    `const { setLanguage } = await load('runtime.js')
     const shop = await load('shop.js')
     const show = () => [shop.TITLE(), shop['form.title'](), shop.HELLO({ name: 'x' }), shop.ITEMS({ count: 2 })]
     const before = show()
     await setLanguage('de-DE')
     return [before, show()]`,
  )
  const keys = ['TITLE', 'form.title', 'HELLO', 'ITEMS']
  expect(shown).toEqual([keys, keys])
  await writeFile(
    join(root, 'messages/main.ts'),
    `import { HELLO } from './shop.js'\nHELLO({ name: 'x' })\nHELLO()\n`,
  )
  await writeFile(
    join(root, 'tsconfig.json'),
    JSON.stringify({ ...tsconfig('bundler'), include: ['messages'] }),
  )
  expect(await diagnosticsOf(root)).toEqual([
    expect.stringContaining('Expected 1 arguments, but got 0'),
  ])
})
