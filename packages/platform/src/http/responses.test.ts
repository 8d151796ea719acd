import { expect, it } from 'vitest'
import { unlessUnchanged } from './responses.ts'

const request = (tags: string): Request =>
  new Request('http://platform.local/', { headers: { 'if-none-match': tags } })

it.each([
  ['W/"b", "a"', '"a"', 200, 304],
  ['W/"b", "a"', '"b"', 200, 304],
  ['"b"', 'W/"b"', 200, 304],
  ['*', '"a"', 200, 304],
  ['"b"', '"a"', 200, 200],
  ['"a"', '"a"', 400, 400],
])('if-none-match: %s and the tag %s of a %d lead to %d', (tags, etag, status, sent) => {
  const headers = { etag, 'content-type': 'text/plain', 'cache-control': 'no-cache' }
  const response = unlessUnchanged(request(tags), new Response('x', { status, headers }))
  expect(response.status).toBe(sent)
  expect(response.body === null).toBe(sent === 304)
  expect(response.headers.has('content-type')).toBe(sent !== 304)
  expect(response.headers.get('etag')).toBe(etag)
})
