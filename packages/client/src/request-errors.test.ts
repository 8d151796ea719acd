import { expect, it } from 'vitest'
import { refusalError, retryAfterOf } from './request-errors.ts'

const said = (status: number, error: string): string => {
  const text = JSON.stringify({ error, error_description: 'Said so.' })
  const context = { intent: 'list the users', details: {}, hide: (shown: string) => shown }
  return refusalError(context, { status, headers: {}, text }, undefined).message
}

it.each([
  [401, 'session_not_found', 'sign in if the operation requires it'],
  [403, 'access_denied', 'Check the permissions of the caller'],
  [404, 'invalid_request', 'Check baseUrl, projectKey and preset.'],
] as const)('advises after %i (%s): %s', (status, error, help) => {
  const message = said(status, error)
  expect(message).toMatch(`Cannot list the users: the service responded with ${status}`)
  expect(message).toContain(`${error}: Said so.`)
  expect(message.split('\n').at(-1)).toContain(help)
})

it('reads a date in Retry-After by the clock of the server', () => {
  const headers = {
    date: 'Mon, 05 Jan 2026 12:00:00 GMT',
    'retry-after': 'Mon, 05 Jan 2026 12:00:07 GMT',
  }
  expect(retryAfterOf({ status: 429, headers, text: '' }, 0)).toBe(7000)
})
