import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readTar, type TarInput, writeTar } from './tar.ts'

const read = (archive: Uint8Array) =>
  [...readTar(archive)].map(({ path, isFolder, start, size }) =>
    isFolder ? { path } : { path, body: archive.slice(start, start + size) },
  )

it('reads what it writes', () => {
  const path = fc.stringMatching(/^[a-z0-9_]{1,40}$/)
  const input: fc.Arbitrary<TarInput> = fc.oneof(
    fc.record({ path }),
    fc.record({ path, body: fc.uint8Array({ maxLength: 1600 }) }),
  )
  fc.assert(
    fc.property(fc.array(input, { maxLength: 8 }), (inputs) => {
      expect(read(writeTar(inputs))).toEqual(inputs)
    }),
  )
})

it('writes what tar reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'servicekit-tar-'))
  try {
    const archive = writeTar([
      { path: 'base' },
      { path: 'base/1', body: new TextEncoder().encode('one') },
      { path: 'empty', body: new Uint8Array() },
    ])
    execFileSync('tar', ['-xf', '-', '-C', folder], { input: archive })
    expect(readFileSync(join(folder, 'base/1'), 'utf8')).toBe('one')
    expect(readFileSync(join(folder, 'empty'), 'utf8')).toBe('')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('refuses a path that the form cannot hold', () => {
  expect(() => writeTar([{ path: 'x'.repeat(101), body: new Uint8Array() }])).toThrow(RangeError)
})
