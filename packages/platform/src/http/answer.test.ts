import { expect, it } from 'vitest'
import { toResponse } from './answer.ts'

const request = new Request('http://platform.local/', {
  headers: { 'if-none-match': 'W/"b", "a"' },
})

it.each([
  ['"a"', 200, 304],
  ['W/"b"', 200, 304],
  ['"c"', 200, 200],
  ['"a"', 400, 400],
])(
  'responds to a request with the entity tags W/"b" and "a": %s, %d -> %d',
  (etag, status, sent) => {
    const headers = { etag, 'content-type': 'text/plain' }
    const response = toResponse(request, { status, headers, body: 'x' })
    expect(response.status).toBe(sent)
    expect(response.body === null).toBe(sent === 304)
    expect(response.headers.has('content-type')).toBe(sent !== 304)
  },
)
