import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fix, lint, projectWith } from './linter.ts'

/** Settings of each kind that lead to compiled messages. */
const packageImports = { 'package.json': { imports: { '#texts/*': './messages/*.js' } } }
const paths = { 'tsconfig.json': { compilerOptions: { paths: { '@texts/*': ['./messages/*'] } } } }
const script = { 'package.json': { scripts: { messages: 'servicekit compile --out messages' } } }
const deno = { 'deno.json': { imports: { 'texts/': './messages/' } } }
const page = {
  'index.html':
    '<script type="importmap">{ "imports": { "site/": "./messages/" } }</script><p>Shop</p>',
}

/** Creates a project with the folder that `servicekit compile` writes, and routes to it. */
async function compiledProject(files: object = { ...packageImports, ...paths }): Promise<string> {
  const root = await projectWith({ cart: { CHECKOUT: 'Check out {{name}}' } })
  await mkdir(join(root, 'messages'))
  const all = { 'messages/import-map.json': { imports: { '~uilm': './runtime.js' } }, ...files }
  for (const [file, content] of Object.entries(all)) {
    await writeFile(
      join(root, file),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  }
  return root
}

it.each(['~uilm/cart', '../messages/cart.js', '#texts/cart', '@texts/cart'])(
  'rules know the messages that are imported from %s',
  async (specifier) => {
    const code = `import { CHECKOUT, CHEKOUT } from '${specifier}'\nCHECKOUT()\n`
    const found = lint(await compiledProject(), 'src/page.ts', code)
    expect(found.map(({ line, ruleId }) => [line, ruleId])).toEqual([
      [1, 'servicekit/no-unknown-key'],
      [2, 'servicekit/no-missing-parameters'],
    ])
  },
)

it('rules ignore a file of the application with the name of a module', async () => {
  const code = `import { CHEKOUT } from './cart.js'\nCHEKOUT()\n`
  expect(lint(await compiledProject(), 'src/page.ts', code)).toEqual([])
})

it.each([
  ['an import map of Deno', deno, 'texts/cart.js', {}],
  ['an import map of a page', page, 'site/cart.js', {}],
  ['the setting aliases', {}, '$texts/cart.js', { aliases: { '$texts/': 'messages/' } }],
])(
  'rules know the messages that are imported through %s',
  async (_, files, specifier, settings) => {
    const code = `import { CHEKOUT } from '${specifier}'\nCHEKOUT()\n`
    const found = lint(await compiledProject(files), 'src/page.ts', code, {}, settings)
    expect(found.map(({ ruleId }) => ruleId)).toEqual(['servicekit/no-unknown-key'])
  },
)

const fixed = async (files: object, code: string, settings: object = {}) => {
  const output = fix(await compiledProject(files), 'src/page.tsx', code, {}, settings)
  return output.split('\n').filter((line) => line.startsWith('import'))
}

it.each([
  ['imports of package.json', packageImports, "'#texts/common'"],
  ['paths of the tsconfig', paths, "'@texts/common.js'"],
  ['a script that compiles', script, "'../messages/common.js'"],
  ['an import map of Deno', deno, "'texts/common.js'"],
  ['an import map of a page', page, "'site/common.js'"],
  ['no route', {}, "'~uilm/common'"],
  [
    'the plugin, beside a script that compiles for a server',
    {
      'package.json': { ...script['package.json'], dependencies: { '@servicekit/unplugin': '1' } },
    },
    "'~uilm/common'",
  ],
])('a fix imports by the route of a project with %s', async (_, files, specifier) => {
  expect(await fixed(files, 'export const a = <p>Save it</p>\n')).toEqual([
    `import { SAVE_IT } from ${specifier}`,
  ])
})

it('a fix imports by the setting aliases', async () => {
  const settings = { aliases: { '$texts/': 'messages/' } }
  expect(await fixed({}, 'export const a = <p>Save it</p>\n', settings)).toEqual([
    "import { SAVE_IT } from '$texts/common.js'",
  ])
})

it.each(['../messages/cart.js', '../messages/cart', '#texts/cart', '@texts/cart', '~uilm/cart'])(
  'a fix imports like the other imports of a file, from %s',
  async (specifier) => {
    const own = `import { CHECKOUT } from '${specifier}'`
    const code = `${own}\nexport const a = <p title={CHECKOUT({ name: 'x' })}>Save it</p>\n`
    const files = { ...packageImports, ...paths }
    expect(await fixed(files, code)).toEqual([own.replace(' }', ', SAVE_IT }')])
    const root = await compiledProject(files)
    const other = fix(root, 'src/page.tsx', code, { module: 'common' })
    expect(other).toContain(`import { SAVE_IT } from '${specifier.replace('cart', 'common')}'`)
    // A module that does not exist yet is imported once.
    const more = other.replace('</p>', '</p>, b = <b>Open it</b>')
    expect(fix(root, 'src/page.tsx', more, { module: 'common' }).match(/\bfrom\b/g)).toHaveLength(2)
  },
)

it('a fix imports a module with the name of an entry by its import name', async () => {
  const root = await compiledProject({})
  const output = fix(root, 'src/page.tsx', 'export const a = <p>Hi</p>\n', { module: 'server' })
  expect(output).toContain("from '~uilm/server$'")
})

it('a CommonJS script, which cannot import, has no fix', async () => {
  const code = 'module.exports = () => <p>Save it</p>\n'
  const root = await compiledProject({})
  expect(lint(root, 'src/page.cjs', code).map(({ ruleId }) => ruleId)).toEqual([
    'servicekit/no-hardcoded-text',
  ])
  expect(fix(root, 'src/page.cjs', code)).toBe(code)
})
