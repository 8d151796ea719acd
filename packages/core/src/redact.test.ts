import { expect, it } from 'vitest'
import { redactText, redactUrl } from './redact.ts'

it.each([
  ['/a/b?x=1&Code=canary&y=%C3%A4', '/a/b?x=1&Code=***&y=%C3%A4'],
  ['/o?X-Amz-Signature=canary', '/o?X-Amz-Signature=***'],
  ['/plain', '/plain'],
])('hides in %s', (given, shown) => {
  expect(redactUrl(new URL(given, 'http://local'))).toBe(shown)
})

it.each([
  'Authorization: Bearer canary.canary-x_y',
  'postgres://user:canary@host/db failed',
  '{"client_secret": "canary", "a": 1}',
  "password='canary canary'",
  'refresh_token=canary&a=b',
  'apiKey: canary',
])('hides in %s', (text) => {
  expect(redactText(text)).not.toContain('canary')
  expect(redactText(text)).toContain('***')
})

it('leaves other texts alone', () => {
  const text = 'The token is missing: at http://host:80/path, in 3 tokens.'
  expect(redactText(text)).toBe(text)
})
