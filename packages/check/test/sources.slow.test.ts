import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  folderSource,
  emitProgram,
  type KeyDraft,
  type KeyWriter,
  openProject,
  type Project,
  writeFiles,
} from '@servicekit/catalog'
import { loadConfig } from '@servicekit/catalog/config'
import { describe, expect, it } from 'vitest'
import { application } from '@servicekit/testing/application'
import { temporaryFolder } from '@servicekit/testing/folder'
import { check, finish, push, readSources, readUsage, rename } from '../src/index.ts'
import { findNames } from '../src/usage/find-strings.ts'

const fixtures = join(import.meta.dirname, '../../../fixtures')
const tracked = execFileSync('git', ['ls-files', 'apps'], { cwd: fixtures, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '')
const apps = [
  ...new Set(tracked.flatMap((path) => /^apps\/((?:heavy\/)?[\w-]+)\//.exec(path)?.[1] ?? [])),
].sort()

/** Copies a sample application and pulls its messages, as a fresh clone has them. */
async function clone(app: string): Promise<Project> {
  const root = await temporaryFolder()
  for (const path of tracked.filter((one) => one.startsWith(`apps/${app}/`))) {
    const target = join(root, path.slice(`apps/${app}/`.length))
    await mkdir(dirname(target), { recursive: true })
    await cp(join(fixtures, path), target)
  }
  const { localization } = await loadConfig(root)
  // An application with files of its own.
  if (localization.from) return openProject({ ...localization, root }, { environment: {} })
  const from = join(
    fixtures,
    app === 'admin' ? 'apps/admin/project' : 'projects/storefront',
    'uilm',
  )
  await openProject({ root }, { environment: {}, source: folderSource(from) }).pull()
  await rm(join(root, 'project'), { recursive: true, force: true })
  return openProject({ root }, { environment: {} })
}

const idOf = ({ module, key }: { module: string; key: string }): string => `${module} ${key}`

/** Target of new keys that has every key of a model. */
async function writerOf(project: Project): Promise<{ writer: KeyWriter; removed: string[] }> {
  const removed: string[] = []
  const { catalog } = await project.load()
  const keys = catalog.modules.flatMap(({ name, translations }) =>
    [...(translations.get(catalog.defaultLanguage)?.keys() ?? [])].map((key) => ({
      module: name,
      key,
      text: 'Text',
    })),
  )
  const writer: KeyWriter = {
    name: 'the memory',
    list: async () => keys,
    create: async () => true,
    remove: async (ids) => void removed.push(...ids.map(idOf)),
    rename: async () => true,
  }
  return { writer, removed }
}

describe.each(apps)('the sample application %s', (app) => {
  it('is read completely, with every message that it uses, before its messages are compiled', async () => {
    const project = await clone(app)
    const model = await project.load()
    const sources = readSources(project.options)
    const { usages, unread, unknown } = readUsage(model, sources)
    expect(unread).toEqual([])
    expect(unknown.filter(({ file }) => !/(?:^|\/)test\//.test(file))).toEqual([])
    const used = new Set(usages.map(({ key }) => key))
    expect(used.size).toBeGreaterThan(0)
    // Every key of a message that the code names is one that it uses.
    const keys = model.modules.flatMap(({ messages }) => messages.map(({ key }) => key))
    const files = sources.files.filter(({ path }) => !path.startsWith('test/'))
    const named = findNames(
      { ...sources, files },
      new Set(keys.filter((key) => /^[A-Z]/.test(key))),
    )
    expect([...named].filter(([key]) => !used.has(key))).toEqual([])
  })

  it('loses no key that it names to push --prune, and passes check', async () => {
    const project = await clone(app)
    const { writer, removed } = await writerOf(project)
    const { pruned } = await push({ project, writer, prune: true })
    const text = tracked
      .filter((path) => path.startsWith(`apps/${app}/`) && !/\.(?:json|yaml)$/.test(path))
      .map((path) => readFileSync(join(fixtures, path), 'utf8'))
      .join('\n')
    const lost = pruned.filter(({ key }) =>
      new RegExp(String.raw`\b${key.replace(/_(?:one|other|few|many|zero|two)$/, '')}\b`).test(
        text,
      ),
    )
    expect(lost).toEqual([])
    expect(removed.length).toBe(pruned.length)
    const { findings } = await finish(check({ project }))
    expect(findings.filter(({ rule }) => rule === 'unread')).toEqual([])
  })
})

const texts = {
  'en-US/cart': {
    PAY: 'Pay',
    TOTAL: 'Total',
    UNUSED: 'Unused',
    ITEMS_one: 'one',
    ITEMS_other: 'n',
  },
  'en-US/common': { SAVE: 'Save', IDLE: 'Idle' },
}
const compile = {
  scripts: { prepare: 'servicekit pull --frozen && servicekit compile --out messages' },
}
const json = (value: object): string => JSON.stringify(value)

/** Layouts in which code uses PAY and TOTAL of cart, and SAVE of common. */
const layouts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'imports of package.json': {
    'package.json': json({ ...compile, imports: { '#messages/*': './messages/*.js' } }),
    'src/a.js': `import { PAY, TOTAL } from '#messages/cart'\nimport * as all from '#messages/common'\nconsole.log(PAY(), TOTAL(), all.SAVE())`,
  },
  'imports with conditions, of a package in a folder': {
    'package.json': json({ private: true, workspaces: ['packages/*'] }),
    'packages/app/package.json': json({
      ...compile,
      imports: { '#texts/*': { require: './messages/*.cjs', default: './messages/*.js' } },
    }),
    'packages/app/a.cjs': `const { PAY, TOTAL } = require('#texts/cart')\nPAY(), TOTAL(), require('#texts/common').SAVE()`,
  },
  'relative imports of the compiled folder': {
    'package.json': json(compile),
    'src/a.ts': `import { PAY, TOTAL } from '../messages/cart.js'\nimport common = require('../messages/common.cjs')\nconsole.log(PAY(), TOTAL(), common.SAVE())`,
  },
  'paths of a tsconfig in a folder': {
    'package.json': json(compile),
    'web/tsconfig.json': json({ compilerOptions: { paths: { '@msg/*': ['../messages/*'] } } }),
    'web/a.ts': `import { PAY, TOTAL } from '@msg/cart'\nimport { SAVE } from '@msg/common'\nconsole.log(PAY(), TOTAL(), SAVE())`,
  },
  'baseUrl of a jsconfig': {
    'package.json': json(compile),
    'jsconfig.json': json({ compilerOptions: { baseUrl: '.' } }),
    'src/a.js': `import { PAY, TOTAL } from 'messages/cart'\nimport { SAVE } from 'messages/common'\nconsole.log(PAY(), TOTAL(), SAVE())`,
  },
  'an import map with own names, and modules at the address of the site': {
    'package.json': json(compile),
    'index.html': `<script type="importmap">{ "imports": { "texts/": "/messages/" } }</script>
<script type="module">import { PAY } from 'texts/cart.js'\nimport { TOTAL } from '/messages/cart.js'\ndocument.title = PAY() + TOTAL()</script>
<script type=module src="a.js"></script>`,
    'a.js': `const { SAVE } = await import('./messages/common.js')\nSAVE()`,
  },
  'an import map of Deno': {
    'package.json': json(compile),
    'deno.json': json({ imports: { '@msg/': './messages/' } }),
    'main.ts': `import { PAY, TOTAL } from '@msg/cart.js'\nimport { SAVE } from '@msg/common.js'\nconsole.log(PAY(), TOTAL(), SAVE())`,
  },
  'a compiled folder that is installed as a package': {
    'package.json': json({ ...compile, dependencies: { texts: 'file:./messages' } }),
    'a.js': `import { PAY, TOTAL } from 'texts/cart'\nimport { SAVE } from 'texts/common'\nconsole.log(PAY(), TOTAL(), SAVE())`,
  },
  'pages of Astro': {
    'src/a.astro': `---\nimport { PAY } from '~uilm/cart'\nimport Page from './page.astro'\n---\n<Page title={PAY()}>\n{[1].map((n) => (<p>Don't {SAVE()} {n}</p>))}</Page>\n<script>\n  import { TOTAL } from '~uilm/cart'\n  document.title = TOTAL()\n</script>`,
    'src/b.astro': `---\nimport { SAVE } from '~uilm/common'\n---\n<b {...SAVE} />`,
  },
  'pages of MDX and of VitePress': {
    'docs/a.mdx': `import { PAY } from '~uilm/cart'\nimport { SAVE } from '~uilm/common'\n\nexport const meta = {\n\n  title: SAVE,\n}\n\n# {PAY()}\n\n\`{ not code\`\n`,
    '.vitepress/config.ts': 'export default {}',
    'docs/b.md': `<script setup>\nimport { TOTAL } from '~uilm/cart'\n</script>\n\n# {{ TOTAL() }}\n\n\`\`\`js\nimport { OTHER } from '~uilm/cart\n\`\`\`\n`,
  },
  'handlers and lists of Vue': {
    'src/a.vue': `<script setup lang="ts">\nimport { PAY, TOTAL } from '~uilm/cart'\nimport { SAVE } from '~uilm/common'\n</script>\n<template><p v-for="{ a } of [SAVE()]" :key="a" @click="a = 1; b(PAY())" @keyup="function () { TOTAL() }">{{ a }}</p></template>`,
  },
  'blocks of Svelte': {
    'src/a.svelte': `<script>\n  import { PAY, TOTAL } from '~uilm/cart'\n  import { SAVE } from '~uilm/common'\n</script>\n{#snippet row(a)}<p {...a}>{/* don't */ PAY()}</p>{/snippet}\n{#each [TOTAL()] as one, i (one)}{@const b = SAVE()}<p title={\`\${\`{\`}\`}>{b}</p>{/each}`,
  },
  'a library that re-exports': {
    'package.json': json({ exports: './dist/index.js' }),
    'src/index.ts': `export { PAY } from '~uilm/cart'\nexport * from './more'`,
    'src/more.ts': `import { TOTAL } from '~uilm/cart'\nexport { TOTAL as total }\nexport * as common from '~uilm/common'`,
    'test/a.test.ts': `import { PAY } from '../src/index'\nPAY()`,
  },
  'folders that are called like output, or are linked': {
    'package.json': json({}),
    'src/build/a.ts': `import { PAY } from '~uilm/cart'\nPAY()`,
    'src/out/a.ts': `import { TOTAL } from '~uilm/cart'\nTOTAL()`,
    '.storybook/preview.ts': `import { SAVE } from '~uilm/common'\nSAVE()`,
  },
  'modules that are loaded by a pattern': {
    'package.json': json(compile),
    'src/a.ts': `const all = import.meta.glob('../messages/c*.js')\nexport default all`,
  },
  'a program without an extension': {
    'package.json': json(compile),
    'bin/shop': `#!/usr/bin/env node\nimport { PAY, TOTAL } from '../messages/cart.js'\nimport { SAVE } from '../messages/common.js'\nconsole.log(PAY(), TOTAL(), SAVE())`,
  },
  'a context of webpack': {
    'package.json': json(compile),
    'src/a.js': `const all = require.context('../messages', false, /\\.js$/)\nexport default all`,
  },
  'a folder as a URL': {
    'package.json': json(compile),
    'src/a.js': `const { href } = new URL('../messages', import.meta.url)\nexport const load = (name) => import(href + '/' + name)`,
  },
  'a path that is joined': {
    'package.json': json(compile),
    'src/a.js': `import { join } from 'node:path'\nexport const load = (name) => import(join(process.cwd(), 'messages', name))`,
  },
  'code in a string, and in a handler of an element': {
    'package.json': json(compile),
    'src/a.js':
      'export const worker = `import * as cart from "${location.origin}/messages/cart.js"; cart[key]()`',
    'index.html': `<button onclick="import('/messages/common.js').then((all) => alert(all[name]()))">`,
  },
  'a package that exports what was compiled': {
    'package.json': json({ ...compile, exports: { './texts/*': './messages/*.js' } }),
  },
  'promises that are passed on': {
    'src/a.ts': `const show = ({ PAY }) => PAY()\nimport('~uilm/cart').then(show)`,
    'src/b.ts': `const cart = await import('~uilm/cart').catch(() => undefined)\ncart?.TOTAL()`,
    'src/c.ts': `const { SAVE } = await import('~uilm/common').finally(() => {})\nSAVE()`,
  },
  'modules whose name is only known at run time': {
    'src/a.ts': 'export const load = (name: string) => import(`~uilm/${name}`)',
  },
}

it.each(Object.entries(layouts))('finds the messages of %s', async (_, files) => {
  const { project } = await application(texts, files)
  const { unread, unknown, usages, dynamic } = readUsage(
    await project.load(),
    readSources(project.options),
  )
  expect({ unread, unknown }).toEqual({ unread: [], unknown: [] })
  const whole = new Set(dynamic.map(({ module }) => module))
  const used = new Set(usages.map(({ module, key }) => `${module} ${key}`))
  const missed = ['cart PAY', 'cart TOTAL', 'common SAVE'].filter(
    (id) => !used.has(id) && !whole.has(id.split(' ')[0]!),
  )
  expect(missed).toEqual([])
  const { writer, removed } = await writerOf(project)
  await push({ project, writer, prune: true })
  expect(removed.filter((id) => /PAY|TOTAL|SAVE/.test(id))).toEqual([])
  const unused = ['cart ITEMS_one', 'cart ITEMS_other', 'cart UNUSED', 'common IDLE']
  expect(removed).toEqual(unused.filter((id) => !whole.has(id.split(' ')[0]!)))
})

it.each([
  [
    'a syntax error',
    { 'a.ts': `import { PAY } from '~uilm/cart'\nif (` },
    /a\.ts:2:5: it has a syntax error/,
  ],
  [
    'an unclosed expression',
    { 'a.svelte': `<script>import '~uilm/cart'</script>{PAY(` },
    /an expression/,
  ],
  ['another template language', { 'a.vue': `<template lang="pug">p= t('x')</template>` }, /in pug/],
  [
    'another script language',
    { 'a.vue': `<script lang="civet">import { PAY } from '~uilm/cart'</script>` },
    /in civet/,
  ],
  ['another file type', { 'a.marko': `import { PAY } from "~uilm/cart"` }, /file type is unknown/],
  [
    'another file type that imports what was compiled',
    {
      'package.json': json({ ...compile, imports: { '#messages/*': './messages/*.js' } }),
      'a.marko': `import * as cart from "#messages/cart"\np -- \${cart["P" + "AY"]()}`,
    },
    /a\.marko:1:1: its file type is unknown/,
  ],
  [
    'another file type that names what was compiled in code for the page',
    {
      'package.json': json(compile),
      'a.ejs': `<script type="module">import * as cart from '<%= base %>/messages/cart.js'</script>`,
    },
    /a\.ejs:1:1: its file type is unknown/,
  ],
  [
    'an import that leads nowhere',
    { 'a.js': `import { PAY } from '#texts/cart'\nPAY()` },
    /leads to no file/,
  ],
  [
    'an alias of a bundler',
    { 'a.js': `import { PAY } from '@/texts/cart'\nPAY()` },
    /leads to no file/,
  ],
])('removes nothing because of %s, and says where', async (_, files, message) => {
  const { project } = await application(texts, files as Record<string, string>)
  const { writer, removed } = await writerOf(project)
  await expect(push({ project, writer, prune: true })).rejects.toThrow(message)
  expect(removed).toEqual([])
  const { findings } = await finish(check({ project }))
  expect(findings.find(({ rule }) => rule === 'unread')?.message).toMatch(
    /cannot be read completely/,
  )
})

it('keeps a key whose name a file of any type has, and says so', async () => {
  const { project } = await application(texts, {
    'a.ts': `import { PAY } from '~uilm/cart'\nPAY()`,
    'b.marko': `p -- \${TOTAL()}`,
    'c.ts': 'globalThis.SAVE()',
  })
  const { writer, removed } = await writerOf(project)
  const { kept } = await push({ project, writer, prune: true })
  expect(kept).toEqual([
    { module: 'cart', key: 'TOTAL', file: 'b.marko', line: 1 },
    { module: 'common', key: 'SAVE', file: 'c.ts', line: 1 },
  ])
  expect(removed).toEqual(['cart ITEMS_one', 'cart ITEMS_other', 'cart UNUSED', 'common IDLE'])
})

it('keeps a key of several words that a file of any type has, and not one within another', async () => {
  const names = ['sort-by-price', 'sort-by', 'cart.title', 'Add to cart', 'NOT', 'sort-by-date']
  const { project } = await application(
    { 'en-US/cart': Object.fromEntries(names.map((name) => [name, 'Text'])) },
    {
      'a.html': `<p data-i18n="[title]cart:sort-by-price;Add to cart">`,
      'b.hbs': `{{t cart.title}} sort-by-dates`,
    },
  )
  const { writer, removed } = await writerOf(project)
  const { kept } = await push({ project, writer, prune: true })
  expect(kept.map(({ key, file }) => `${file} ${key}`).sort()).toEqual([
    'a.html Add to cart',
    'a.html sort-by',
    'a.html sort-by-price',
    'b.hbs cart.title',
  ])
  expect(removed).toEqual(['cart NOT', 'cart sort-by-date'])
})

it('shows what it removes first, and removes nothing without consent', async () => {
  const { project } = await application(texts, {
    'a.ts': `import { PAY } from '~uilm/cart'\nPAY()`,
  })
  const { writer, removed } = await writerOf(project)
  const shown: string[] = []
  const confirmPrune = async (keys: readonly KeyDraft[]): Promise<boolean> => {
    shown.push(...keys.map((one) => `${idOf(one)}: ${one.text}`))
    return false
  }
  const { pruned } = await push({ project, writer, prune: true, confirmPrune })
  expect(shown).toContain('cart UNUSED: Text')
  expect([removed, pruned]).toEqual([[], []])
})

it('follows links to folders outside, and ends at links to folders around', async () => {
  const { root, project } = await application(texts, { 'src/a.ts': '' })
  const shared = await temporaryFolder()
  await writeFile(join(shared, 'b.ts'), `import { PAY } from '~uilm/cart'\nPAY()`)
  await symlink(shared, join(root, 'src/shared'))
  await symlink(root, join(root, 'src/loop'))
  const { usages } = readUsage(await project.load(), readSources(project.options))
  expect(usages).toMatchObject([{ file: 'src/shared/b.ts', key: 'PAY' }])
})

it.each(
  [
    'imports of package.json',
    'relative imports of the compiled folder',
    'pages of Astro',
    'a program without an extension',
  ].map((name) => [name, layouts[name]!] as const),
)('renames a key in %s', async (_, files) => {
  const { root, project } = await application(texts, files)
  const { writer } = await writerOf(project)
  const report = await rename({ project, writer, module: 'cart', from: 'PAY', to: 'PAY_NOW' })
  expect(report.unrenamed).toEqual([])
  const { path, text } = readSources(project.options).files.find((one) => one.text.includes('PAY'))!
  expect(text).not.toMatch(/\bPAY\b/)
  expect(text).toContain('{ PAY_NOW')
  expect(join(root, path)).toMatch(/(?:a\.\w+|bin\/shop)$/)
  const { unknown } = readUsage(await project.load(), readSources(project.options))
  expect(unknown).toEqual([])
})

it('knows where every file of servicekit compile leads', async () => {
  const names = {
    'en-US/runtime': { A: 'a' },
    'en-US/a/b': { A: 'a' },
    'en-US/react': { A: 'a' },
    'en-US/größe x': { A: 'a' },
  }
  const { root, project } = await application(names, {})
  const model = await project.load()
  const outDir = join(root, 'messages')
  await writeFiles(emitProgram(model, { outDir, storageKey: 'x' }))
  const { imports } = JSON.parse(readFileSync(join(outDir, 'import-map.json'), 'utf8')) as {
    imports: Record<string, string>
  }
  const { routes } = readSources(project.options)
  for (const address of Object.values(imports)) {
    const specifier = routes.messageSpecifier('a.js', `./messages/${address.slice(2)}`, model)!
    expect(specifier).toMatch(/^~uilm/)
    // The name in the import map of a module whose file name is escaped differs from its specifier.
    expect(imports[specifier] ?? address).toBe(address)
  }
})
