import { expect, it } from 'vitest'
import { headerSecretProblem, secretProblem } from './secret-problem.ts'

it.each([
  [' '.repeat(17), 'must not be blank'],
  ['\t\u00a0\u2003\u3000\ufeff\n'.repeat(5), 'must not be blank'],
  ['', 'must not be blank'],
  [`${' '.repeat(20)}x`, 'must have at least 16 characters'],
  ['0123456789abcdefgh\n', 'must not begin or end with white space'],
  ['aaaaaaaaaaaaaaaaaaaa', 'must have at least 8 different characters'],
  ['changemechangeme', 'must have at least 8 different characters'],
  ['00000000000000000001', 'must have at least 8 different characters'],
  ['1234567812345678', 'must not be a sequence or repeat a shorter text'],
  ['k3jX9s2qk3jX9s2q', 'must not be a sequence or repeat a shorter text'],
  ['0123456789abcdef', 'must not be a sequence or repeat a shorter text'],
  ['zyxwvutsrqponmlk', 'must not be a sequence or repeat a shorter text'],
  ['a secret of\n16 characters', 'must not contain invisible characters'],
  ['a secret of \u001b[31m16 characters', 'must not contain invisible characters'],
  ['a secret of\u200b 16 characters', 'must not contain invisible characters'],
  ['a secret of 16 characters', undefined],
  ['5f0c9a7de13b82464e1d', undefined],
])('says why %j is too weak', (secret, expected) => {
  expect(secretProblem(secret, 16)).toBe(expected)
})

it('accepts any secret of another system that is not blank', () => {
  expect([secretProblem('a'), secretProblem('  ')]).toEqual([undefined, 'must not be blank'])
})

it('says which secrets no header can carry', () => {
  expect(headerSecretProblem('a token of 16 characters')).toBeUndefined()
  expect(headerSecretProblem('a token with \u00e4 \u2603')).toMatch(/^must consist of ASCII/)
})
