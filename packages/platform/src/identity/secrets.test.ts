import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashSecret, isSameText, makeSecret, seal, unseal } from './secrets.ts'

describe('secrets', () => {
  it('fit into an address, and are kept as hashes', () => {
    const secret = makeSecret(randomBytes)
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(hashSecret(secret)).toMatch(/^[\w-]{43}$/)
    expect(hashSecret(secret)).not.toBe(secret)
    expect([isSameText(secret, secret), isSameText(secret, 'other')]).toEqual([true, false])
  })

  it('open what they sealed, and nothing that was changed', () => {
    const sealed = seal('täxt', 'secret', randomBytes(12))
    expect(unseal(sealed, 'secret')).toBe('täxt')
    expect(() => unseal(sealed, 'other')).toThrow('unable to authenticate data')
    const changed = Buffer.from(sealed, 'base64url')
    changed[changed.length - 1]! ^= 1
    expect(() => unseal(changed.toString('base64url'), 'secret')).toThrow(
      'unable to authenticate data',
    )
  })
})
