import { UilmError, webhooks } from '@servicekit/contract'
import { expect, it } from 'vitest'
import { type RequestProblem, rejectionResponse } from './rejected-request.ts'

it('states in the title whether the bearer token or the project key is missing', async () => {
  const titleOf = async (problem: RequestProblem) => {
    const response = rejectionResponse(webhooks.save, problem, 'trace')
    return [response.status, UilmError.parse(await response.json()).message.title]
  }
  const unauthenticated = {
    reason: 'unauthenticated',
    error: 'invalid_token',
    message: 'No token.',
  } as const
  expect(await titleOf(unauthenticated)).toEqual([401, 'The bearer token is missing or not valid.'])
  expect(await titleOf({ reason: 'keyMissing', message: 'No key.' })).toEqual([
    401,
    'The project key is missing or not valid.',
  ])
})
