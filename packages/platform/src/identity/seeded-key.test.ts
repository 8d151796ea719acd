import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { expect, it } from 'vitest'
import { seeded } from '../common/seeded.ts'
import { seededKey } from './seeded-key.ts'

it('makes a key that signs, the same for the same seed', () => {
  const jwk = seededKey(seeded(1).bytes)
  expect(seededKey(seeded(1).bytes)).toEqual(jwk)
  expect(seededKey(seeded(2).bytes)['n']).not.toBe(jwk.n)
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  expect(key.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048, publicExponent: 65_537n })
  const data = Buffer.from('text')
  const signature = sign('sha256', data, key)
  expect(sign('sha256', data, key)).toEqual(signature)
  expect(verify('sha256', data, createPublicKey(key), signature)).toBe(true)
})
