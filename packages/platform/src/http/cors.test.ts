import { describe, expect, it } from 'vitest'
import { crossSiteProblem, requireRegisteredPage } from './cors.ts'

const own = 'https://platform.example'
const isRefused = (
  headers: Record<string, string>,
  address = own,
  { shared = [], origins = ['https://app.example'] }: Record<string, string[]> = {},
) => {
  const request = new Request(address, { headers })
  const options = { publicUrl: undefined, origins: new Set(shared) }
  try {
    requireRegisteredPage(options, { origins }, request)
    return false
  } catch (error) {
    expect(error).toMatchObject({ problem: { reason: 'crossSite' } })
    return true
  }
}

describe('a request', () => {
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
  ])('with the headers %j is refused as cross-site: %s', (headers, expected) => {
    expect(isRefused(headers as Record<string, string>)).toBe(expected)
  })

  it('is accepted from an origin registered for all projects', () => {
    const headers = { origin: 'https://console.example' }
    expect(isRefused(headers)).toBe(true)
    expect(isRefused(headers, own, { shared: ['https://console.example'] })).toBe(false)
  })

  it('of a page on this machine is accepted only by a platform addressed by loopback', () => {
    const local = 'http://127.0.0.1:4600'
    expect(isRefused({ origin: 'http://localhost:5173' }, local)).toBe(false)
    expect(isRefused({ origin: 'https://other.example' }, local)).toBe(true)
    expect(isRefused({ origin: 'http://localhost:5173' })).toBe(true)
  })
})

it('rejects forms of all pages except those of the platform', () => {
  const problemOf = (origin: string) =>
    crossSiteProblem(new Request(own, { headers: { origin } }), (one) => one === own)
  expect(problemOf(own)).toBeUndefined()
  for (const origin of ['https://app.example', 'http://localhost:5173', 'null']) {
    expect(problemOf(origin)).toBe(`The origin ${origin} is not registered.`)
  }
})
