import { expect, it } from 'vitest'
import { staleReferences } from './references.mjs'

const all = [
  'README.md',
  'docs/interface.md',
  'packages/client/README.md',
  'packages/client/OPERATIONS.md',
  'packages/client/src/core.ts',
  'packages/client/src/emit/line.ts',
  'packages/client/test/core.test.ts',
]

/** @param {string} text @param {string} [path] */
const find = (text, path = 'packages/client/src/core.ts') => staleReferences([{ path, text }], all)

it.each([
  ['// See docs/interface.md and README.md.', 'packages/client/src/core.ts'],
  [
    '/** As emit/line.ts and src/core.js do; core.test.ts tests it. */',
    'packages/client/src/core.ts',
  ],
  ['[here](docs/interface.md), `packages/client/src/core.ts`', 'README.md'],
  ['[here](../../docs/interface.md), `OPERATIONS.md`', 'packages/client/README.md'],
  // Files of the reader's application, glob patterns, and URLs.
  ['`src/app.tsx`, `vite.config.ts`, `uilm/de-DE/auth.json`', 'packages/client/README.md'],
  ['`src/emit/*.ts`, `src/<name>.ts`, https://example.com/docs/gone.md', 'README.md'],
  ["const path = 'docs/gone.md'", 'packages/client/src/core.ts'],
])('accepts %s', (text, path) => {
  expect(find(text, path)).toEqual([])
})

it.each([
  ['// Says more: docs/gone.md', 'packages/client/src/core.ts', 'docs/gone.md'],
  ['/**\n * Is tested by gone.test.ts\n */', 'packages/client/src/core.ts', 'gone.test.ts'],
  ['// emit/gone.ts prints it', 'packages/client/src/core.ts', 'emit/gone.ts'],
  ['[table](docs/gone.md)', 'README.md', 'docs/gone.md'],
  ['`packages/client/src/gone.ts`', 'README.md', 'packages/client/src/gone.ts'],
  ['| `src/gone.ts` |', 'packages/client/OPERATIONS.md', 'src/gone.ts'],
  ['`test/gone.ts` and OPERATIONS.md', 'packages/client/README.md', 'test/gone.ts'],
])('finds the stale reference in %s', (text, path, target) => {
  expect(find(text, path)).toEqual([expect.stringMatching(`^${path}:\\d+ mentions ${target}$`)])
})
