import { expect, it } from 'vitest'
import { redactText } from './redact.ts'

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
