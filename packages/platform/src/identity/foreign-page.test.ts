import { describe, expect, it } from 'vitest'
import { foreignPage } from './foreign-page.ts'

const registered = new Set(['https://app.example'])
const isForeign = (
  headers: Record<string, string>,
  own = 'https://platform.example',
  origins: '*' | ReadonlySet<string> = registered,
) => foreignPage(new Request(own, { headers }), new URL(own), { origins }) !== undefined

describe('a page', () => {
  it.each([
    [{}, false],
    [{ origin: 'https://app.example' }, false],
    [{ origin: 'https://platform.example' }, false],
    [{ origin: 'http://platform.example' }, true],
    [{ origin: 'https://app.example.evil.example' }, true],
    [{ origin: 'null' }, true],
    [{ referer: 'https://app.example/page?x=1' }, false],
    [{ referer: 'https://evil.example/?https://app.example' }, true],
    [{ referer: 'nonsense' }, true],
    [{ 'sec-fetch-site': 'cross-site' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }, false],
  ])('with %j is foreign: %s', (headers, expected) => {
    expect(isForeign(headers as Record<string, string>)).toBe(expected)
  })

  it('of this machine is at home on this machine where no origin is registered', () => {
    const local = 'http://127.0.0.1:4600'
    expect(isForeign({ origin: 'http://localhost:5173' }, local, '*')).toBe(false)
    expect(isForeign({ origin: 'https://app.example' }, local, '*')).toBe(true)
    expect(isForeign({ origin: 'http://localhost:5173' }, 'https://platform.example', '*')).toBe(
      true,
    )
  })
})
