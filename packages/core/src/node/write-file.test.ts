import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readIfExists, readIfExistsSync, readTextIfExists } from './read-file.ts'
import { writeFileAtomic } from './write-file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'core-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('replaces a file and leaves no temporary file', async () => {
  const file = join(folder, 'a.txt')
  await writeFileAtomic(file, 'old')
  await writeFileAtomic(file, new TextEncoder().encode('new'))
  expect(readFileSync(file, 'utf8')).toBe('new')
  expect(readdirSync(folder)).toEqual(['a.txt'])
})

it('leaves no temporary file if it fails', async () => {
  const file = join(folder, 'a.txt')
  mkdirSync(join(file, 'not-empty'), { recursive: true })
  await expect(writeFileAtomic(file, 'x')).rejects.toThrow(/EISDIR|ENOTEMPTY|EPERM|EEXIST/)
  expect(readdirSync(folder)).toEqual(['a.txt'])
})

it('reads a file, and undefined if there is none', async () => {
  const file = join(folder, 'a.txt')
  expect([await readIfExists(file), await readTextIfExists(file), readIfExistsSync(file)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  await writeFileAtomic(file, 'ä')
  expect(await readTextIfExists(file)).toBe('ä')
  expect(readIfExistsSync(file)).toEqual(await readIfExists(file))
  await expect(readTextIfExists(folder)).rejects.toThrow('EISDIR')
})
