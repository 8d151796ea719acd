import { expect, it } from 'vitest'
import { redactUrl } from './redact-url.ts'

it.each([
  ['/a/b?x=1&Code=canary&y=%C3%A4', '/a/b?x=1&Code=***&y=%C3%A4'],
  ['/o?X-Amz-Signature=canary', '/o?X-Amz-Signature=***'],
  ['/plain', '/plain'],
])('hides in %s', (given, shown) => {
  expect(redactUrl(new URL(given, 'http://local'))).toBe(shown)
})
