import { expect, it } from 'vitest'
import { createSecret, decrypt, encrypt, hashSecret } from './secrets.ts'

it('creates secrets that fit into a URL, and stores them as hashes', () => {
  const secret = createSecret()
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(hashSecret(secret)).toMatch(/^[\w-]{43}$/)
  expect(hashSecret(secret)).not.toBe(secret)
})

const secret = 'a long enough secret'
const context = [1, 'mail', 'access']

it('decrypts with the same secret and context only', () => {
  const stored = encrypt('canäry', secret, context)
  expect(stored).not.toContain('can')
  expect(Buffer.from(stored, 'base64url').toString('latin1')).not.toContain('can')
  expect(decrypt(stored, secret, context)).toBe('canäry')
  expect(decrypt(stored, 'another long secret', context)).toBeUndefined()
  expect(decrypt(stored, undefined, context)).toBeUndefined()
  expect(decrypt(stored, secret, [2, 'mail', 'access'])).toBeUndefined()
  expect(decrypt(stored, secret, [1, 'mail', 'refresh'])).toBeUndefined()
  expect(encrypt('canäry', secret, context)).not.toBe(stored)
})

it('does not decrypt a changed string', () => {
  const stored = encrypt('canary', secret, context)
  const [prefix, encrypted] = [stored.slice(0, 9), Buffer.from(stored.slice(9), 'base64url')]
  encrypted[encrypted.length - 1]! ^= 1
  expect(decrypt(prefix + encrypted.toString('base64url'), secret, context)).toBeUndefined()
  expect(decrypt(`${prefix}x`, secret, context)).toBeUndefined()
})

it('stores a string unencrypted without a secret, and reads it with and without one', () => {
  expect(encrypt('canary', undefined, context)).toBe('canary')
  for (const one of [undefined, secret]) expect(decrypt('canary', one, context)).toBe('canary')
})
