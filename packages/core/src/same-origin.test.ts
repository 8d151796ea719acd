import { expect, it } from 'vitest'
import { isSameOrigin } from './same-origin.ts'

const own = 'https://platform.example'
const isOwn = (method: string, headers: Readonly<Record<string, string>>): boolean =>
  isSameOrigin({ method, headers: new Headers(headers) }, own)

it.each([
  ['a page of the origin', { 'sec-fetch-site': 'same-origin', origin: own }, true, true],
  ['a page that sends no Origin', { 'sec-fetch-site': 'same-origin' }, true, true],
  ['a page of an old browser', { origin: own }, true, true],
  ['no page', {}, true, false],
  ['the address bar', { 'sec-fetch-site': 'none' }, false, false],
  ['a page of the same site', { 'sec-fetch-site': 'same-site', origin: own }, false, false],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, false, false],
  ['another origin', { origin: 'https://evil.example' }, false, false],
  ['an opaque origin', { 'sec-fetch-site': 'same-origin', origin: 'null' }, false, false],
])('decides about %s', (_, headers, mayRead, mayChange) => {
  expect([isOwn('GET', headers), isOwn('POST', headers)]).toEqual([mayRead, mayChange])
})
