import { expect, it } from 'vitest'
import { isEqualSecret } from './is-equal-secret.ts'

it('compares strings of any lengths', () => {
  expect(isEqualSecret('secret', 'secret')).toBe(true)
  expect(isEqualSecret('secret', 'Secret')).toBe(false)
  expect(isEqualSecret('secret', 'secrets')).toBe(false)
})
