import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeApi, isSameApi } from './api.mjs'

let path = ''

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'servicekit-api-'))
  mkdirSync(join(path, 'dist'))
  writeFileSync(join(path, 'package.json'), '{ "name": "sample", "type": "module" }')
})

afterEach(() => {
  rmSync(path, { recursive: true, force: true })
})

const item = () => ({
  name: 'sample',
  path,
  manifest: { exports: { '.': { default: './dist/index.js' } } },
})

/** @param {string} index @param {string} [chunk] */
function write(index, chunk = '') {
  writeFileSync(join(path, 'dist', 'index.d.ts'), index)
  writeFileSync(join(path, 'dist', 'chunk-x.d.ts'), chunk)
}

it('prints exports by name, with what they mention', () => {
  write(`/** A comment. */
interface Options { readonly timeoutMs?: number }
declare function send(options: Options): Promise<Answer>
type Answer = { readonly ok: boolean }
declare namespace codes_exports { export { limit } }
declare const limit = 5
export { send, type Answer as Result, codes_exports as codes }`)
  expect(describeApi(item())).toBe(`// sample

export { Answer as Result }
type Answer = {
    readonly ok: boolean;
};

export namespace codes {
    export const limit = 5;
}

export function send(options: Options): Promise<Answer>;

// mentioned, not exported

interface Options {
    readonly timeoutMs?: number;
}
`)
})

it('does not change with comments, order and chunks', () => {
  write('export declare const b: 2\nexport declare const a: 1')
  const before = describeApi(item())
  write(
    `import { a } from './chunk-x.js'
/** Two. */
declare const b: 2
export { a, b }`,
    'declare const a: 1\nexport { a }',
  )
  expect(describeApi(item())).toBe(before)
})

it('shows a change in a type that is only mentioned', () => {
  write('interface Options { a: 1 }\nexport declare function send(options: Options): void')
  const before = describeApi(item())
  write('interface Options { a: 2 }\nexport declare function send(options: Options): void')
  expect(isSameApi(before, describeApi(item()))).toBe(false)
})

it('ignores the order of members, but not a member that moves to another type', () => {
  write('export interface A {\n  a: 1\n  b: 2\n}\nexport interface B {\n  c: 3\n}\n')
  const before = describeApi(item())
  write('export interface A {\n  b: 2\n  a: 1\n}\nexport interface B {\n  c: 3\n}\n')
  expect(isSameApi(before, describeApi(item()))).toBe(true)
  write('export interface A {\n  a: 1\n}\nexport interface B {\n  c: 3\n  b: 2\n}\n')
  expect(isSameApi(before, describeApi(item()))).toBe(false)
})
