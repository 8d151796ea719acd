import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startMd5 } from './md5.ts'

const nodes = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('base64')

describe('startMd5', () => {
  it('returns the digest of node:crypto for every length', () => {
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, index) => index * 7)
      const md5 = startMd5()
      md5.update(bytes)
      expect([length, md5.digest()]).toEqual([length, nodes(bytes)])
    }
  })

  it('returns the same digest for any split into chunks', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 })
    fc.assert(
      fc.property(pieces, (chunks) => {
        const md5 = startMd5()
        for (const chunk of chunks) md5.update(chunk)
        expect(md5.digest()).toBe(nodes(Buffer.concat(chunks)))
      }),
    )
  })

  it('returns the digest of node:crypto for megabytes', () => {
    const bytes = new Uint8Array(2 ** 20).fill(0xa5)
    const [ours, theirs] = [startMd5(), createHash('md5')]
    for (let mib = 0; mib < 3; mib++) {
      ours.update(bytes)
      theirs.update(bytes)
    }
    expect(ours.digest()).toBe(theirs.digest('base64'))
  })
})
