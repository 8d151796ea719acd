import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { storefront } from '../test/storefront.ts'
import { temporaryFolder } from '../test/temporary.ts'
import { canonical } from './canonical.ts'
import { emitAll } from './emit/emit-all.ts'
import { buildModel } from './model.ts'
import { normaliseListing } from './normalise.ts'

const root = createRequire(new URL('../../../package.json', import.meta.url))
const oxfmt = join(dirname(root.resolve('oxfmt/package.json')), 'bin/oxfmt')

test.each([
  [
    'with other options',
    {
      semi: true,
      singleQuote: false,
      printWidth: 80,
      tabWidth: 4,
      trailingComma: 'none',
      sortImports: {},
    },
  ],
  ['like ours', { semi: false, singleQuote: true, printWidth: 100, trailingComma: 'all' }],
  [
    'with tabs and long lines',
    { useTabs: true, printWidth: 160, trailingComma: 'es5', arrowParens: 'avoid' },
  ],
])('formatting %s does not change the canonical form', (_, options) => {
  const folder = temporaryFolder()
  const features = { queryOptions: true, validators: true, factories: true }
  const files = (['ts', 'js'] as const).flatMap((output) =>
    emitAll(buildModel(normaliseListing(storefront)), { ...features, output }),
  )
  for (const { name, text } of files) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, '.oxfmtrc.json'), JSON.stringify(options))
  const { status } = spawnSync(process.execPath, [oxfmt, '.'], { cwd: folder })
  expect(status).toBe(0)
  let changed = 0
  for (const { name, text } of files) {
    const formatted = readFileSync(join(folder, name), 'utf8')
    changed += Number(formatted !== text)
    expect(canonical(formatted)).toBe(canonical(text))
  }
  expect(changed).toBeGreaterThan(3)
})

test('sorting imports and exports does not change the canonical form; removing one does', () => {
  const text = `import { list, walk } from './gateway.js'
import type { Gateway } from './gateway.js'
export * from './b.js'
export { type A, c } from './a.js'
const x = 1
`
  const sorted = `export { c, type A } from "./a.js";
export * from "./b.js";
import type { Gateway } from "./gateway.js";
import {
  walk,
  list,
} from "./gateway.js";
const x = 1;
`
  expect(canonical(sorted)).toBe(canonical(text))
  expect(canonical(sorted.replace('  walk,\n', ''))).not.toBe(canonical(text))
  expect(canonical(sorted.replace('import type', 'import'))).not.toBe(canonical(text))
  expect(canonical(sorted.replace('b.js', 'c.js'))).not.toBe(canonical(text))
})

test.each([
  ['readonly A: string | null', 'readonly A: string'],
  ["list('A', 'B', fields)", "list('A', 'C', fields)"],
  ['readonly A?: string', 'readonly A: string'],
  ['/** Net. */', '/** Gross. */'],
  ["| 'a'\n  | 'b'", "| 'a'"],
  ['export const a = 1', 'const a = 1'],
  ['`a b`', '`a  b`'],
  ['string[]', 'string'],
])('%j differs from %j', (left, right) => {
  expect(canonical(left)).not.toBe(canonical(right))
})
