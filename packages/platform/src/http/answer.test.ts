import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { json, toResponse } from './answer.ts'

const request = (headers: Record<string, string> = {}): Request =>
  new Request('http://platform.local/', { headers })
const long = 'ü'.repeat(2000)

it.each([
  ['', false],
  ['identity', false],
  ['gzip', true],
  ['br;q=1, gzip;q=0.5', true],
  ['*', true],
  ['gzip;q=0', false],
  ['gzip; q=0.0', false],
  ['x-gzip2', false],
])('with accept-encoding %j compresses: %s', async (accepted, isCompressed) => {
  const response = toResponse(request({ 'accept-encoding': accepted }), { status: 200, body: long })
  expect(response.headers.get('content-encoding')).toBe(isCompressed ? 'gzip' : null)
  expect(response.headers.get('vary')).toBe('accept-encoding')
  const body = Buffer.from(await response.arrayBuffer())
  expect((isCompressed ? gunzipSync(body) : body).toString()).toBe(long)
})

it('does not compress what is small', () => {
  const response = toResponse(request({ 'accept-encoding': 'gzip' }), json({ a: 1 }))
  expect(response.headers.get('content-encoding')).toBeNull()
})

it('answers 304 to a 200 only', () => {
  const answer = { headers: { etag: '"a"' }, body: 'x' }
  const asked = request({ 'if-none-match': '"a"' })
  expect(toResponse(asked, { ...answer, status: 200 }).status).toBe(304)
  expect(toResponse(asked, { ...answer, status: 400 }).status).toBe(400)
})
