import { UilmError, webhooks } from '@servicekit/contract'
import { expect, it } from 'vitest'
import { refuse } from './refusals.ts'

it('names what is missing, the bearer token or the project key', () => {
  const missing = {
    reason: 'unauthenticated',
    error: 'invalid_token',
    message: 'No token.',
  } as const
  const titleOf = (refusal: Parameters<typeof refuse>[1]) => {
    const { status, body } = refuse(webhooks.save, refusal, 'trace')
    return [status, UilmError.parse(JSON.parse(body!)).message.title]
  }
  expect(titleOf(missing)).toEqual([401, 'The bearer token is missing or not valid.'])
  expect(titleOf({ reason: 'keyMissing', message: 'No key.' })).toEqual([
    401,
    'The project key is missing or not valid.',
  ])
})
