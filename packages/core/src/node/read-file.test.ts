import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  readIfExists,
  readIfExistsSync,
  readTextIfExists,
  readTextIfExistsSync,
} from './read-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'servicekit-read-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.skipIf(process.platform === 'win32')('a file that never ends', () => {
  it.each([
    ['a named pipe', join(folder, 'pipe')],
    ['a device', '/dev/zero'],
  ])('is refused by its name: %s', async (_, path) => {
    if (path !== '/dev/zero') execFileSync('mkfifo', [path])
    const reason = `${path} is a named pipe or a device, not a file`
    await expect(readIfExists(path)).rejects.toThrow(reason)
    expect(() => readIfExistsSync(path)).toThrow(reason)
  })
})

it.each([
  ['UTF-8', Buffer.from('{"name": "ä"}')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeff{"name": "ä"}')],
  ['UTF-16LE', Buffer.from('\ufeff{"name": "ä"}', 'utf16le')],
  ['UTF-16LE without a byte order mark', Buffer.from('{"name": "ä"}', 'utf16le')],
  ['UTF-16BE', Buffer.from('\ufeff{"name": "ä"}', 'utf16le').swap16()],
])('reads %s', async (_, bytes) => {
  const path = join(folder, 'package.json')
  writeFileSync(path, bytes)
  expect(await readTextIfExists(path)).toBe('{"name": "ä"}')
  expect(readTextIfExistsSync(path)).toBe('{"name": "ä"}')
})

it.each([
  ['a file that does not exist', 'missing'],
  ['a path below a file', 'file/missing'],
])('returns undefined for %s', async (_, name) => {
  writeFileSync(join(folder, 'file'), '')
  const path = join(folder, name)
  expect(await readTextIfExists(path)).toBeUndefined()
  expect(readTextIfExistsSync(path)).toBeUndefined()
})
