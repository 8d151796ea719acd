import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeFileAtomicSync } from './write-file-sync.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('replaces a file and leaves no temporary file', () => {
  const file = join(folder, 'a.txt')
  writeFileAtomicSync(file, 'old')
  writeFileAtomicSync(file, new TextEncoder().encode('new'))
  expect(readFileSync(file, 'utf8')).toBe('new')
  expect(readdirSync(folder)).toEqual(['a.txt'])
})

it('leaves no temporary file if it fails', () => {
  const file = join(folder, 'a.txt')
  mkdirSync(join(file, 'not-empty'), { recursive: true })
  expect(() => writeFileAtomicSync(file, 'x')).toThrow(/EISDIR|ENOTEMPTY|EPERM|EEXIST/)
  expect(readdirSync(folder)).toEqual(['a.txt'])
})
