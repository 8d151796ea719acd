import { expect, it } from 'vitest'
import { secretProblem } from './secret-problem.ts'

it.each([
  [' '.repeat(17), 'must not be blank'],
  ['\t\u00a0\u2003\u3000\ufeff\n'.repeat(5), 'must not be blank'],
  ['', 'must not be blank'],
  [`${' '.repeat(20)}x`, 'must have at least 16 characters'],
  ['0123456789abcdefgh\n', 'must not begin or end with white space'],
  ['aaaaaaaaaaaaaaaaaaaa', 'must have at least 8 different characters'],
  ['changemechangeme', 'must have at least 8 different characters'],
  ['00000000000000000001', 'must have at least 8 different characters'],
  ['a secret of 16 characters', undefined],
])('says why %j is too weak', (secret, expected) => {
  expect(secretProblem(secret, 16)).toBe(expected)
})

it('accepts any secret of another system that is not blank', () => {
  expect([secretProblem('a'), secretProblem('  ')]).toEqual([undefined, 'must not be blank'])
})
