import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readPackages } from '../lib/packages.mjs'
import { undocumentedNames } from './documented.mjs'

it.each(['client'])('every public name of %s says what it is, and operations where', (folder) => {
  const item = readPackages().find((one) => one.folder === folder)
  expect(item && undocumentedNames(item)).toEqual([])
})

it('finds what says nothing', () => {
  const path = mkdtempSync(join(tmpdir(), 'servicekit-documented-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  writeFileSync(
    join(path, 'index.ts'),
    `const routes = { get: 1 }
    export const bare = 1
    /** Says something. */
    export interface Said { x: 1 }
    /** Gets it. */
    export function get() { return routes.get }
    /** Gets it. @see section 4.1 */
    export function found() { return routes.get }
    export type { Said as Again }
    `,
  )
  const manifest = {
    exports: { '.': { source: './index.ts' }, './package.json': './package.json' },
  }
  expect(undocumentedNames({ name: 'x', path, manifest })).toEqual([
    'x: bare has no comment',
    'x: get sends an operation, and names no section',
  ])
})
