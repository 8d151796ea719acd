import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { openToken, sealToken, type TokenPlace } from './seal-token.ts'

const place: TokenPlace = { projectId: 1, toolId: 'mail', kind: 'access' }

it('opens with the same secret in the same place alone', () => {
  const sealed = sealToken('canary', 'a long enough secret', place, randomBytes)
  expect(sealed).not.toContain('canary')
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('canary')
  expect(openToken(sealed, 'a long enough secret', place)).toBe('canary')
  expect(openToken(sealed, 'another long secret', place)).toBeUndefined()
  for (const other of [{ projectId: 2 }, { toolId: 'x' }, { kind: 'refresh' as const }]) {
    expect(openToken(sealed, 'a long enough secret', { ...place, ...other })).toBeUndefined()
  }
  const changed = Buffer.from(sealed, 'base64url')
  changed[changed.length - 1]! ^= 1
  expect(openToken(changed.toString('base64url'), 'a long enough secret', place)).toBeUndefined()
  expect(openToken('x', 'a long enough secret', place)).toBeUndefined()
  expect(sealToken('canary', 'a long enough secret', place, randomBytes)).not.toBe(sealed)
})
