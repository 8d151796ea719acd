import { expect, it } from 'vitest'
import { jsonProblem } from './json-problem.ts'

it('names the path of the problem in a value', () => {
  expect(jsonProblem({ a: [{ b: 'ok' }, { c: 'x\0' }] })).toMatch(/^a\.1\.c /)
  expect(jsonProblem({ a: { 'x\0': 1 } })).toMatch(/^the name "a\.x\\u0000" /)
  expect(jsonProblem({ a: [1, null, true, 'x'] })).toBeUndefined()
})
