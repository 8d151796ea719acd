import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { openSecret, sealSecret } from './seal-secret.ts'

const place = { projectId: 1, toolId: 'mail', kind: 'client' } as const

it('is encrypted where there is something to encrypt with', () => {
  const sealed = sealSecret('canary', 'a long enough secret', place, randomBytes)
  expect(sealed).not.toContain('canary')
  expect(openSecret(sealed, 'a long enough secret', place)).toBe('canary')
  expect(openSecret(sealed, 'another long secret', place)).toBeUndefined()
  expect(openSecret(sealed, undefined, place)).toBeUndefined()
  expect(openSecret(sealed, 'a long enough secret', { ...place, toolId: 'x' })).toBeUndefined()
})

it('is read as it is where there was nothing', () => {
  expect(sealSecret('canary', undefined, place, randomBytes)).toBe('canary')
  for (const secret of [undefined, 'a long enough secret']) {
    expect(openSecret('canary', secret, place)).toBe('canary')
  }
})
