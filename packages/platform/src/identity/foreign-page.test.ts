import { describe, expect, it } from 'vitest'
import { foreignForm, foreignPage } from './foreign-page.ts'

const own = 'https://platform.example'
const isForeign = (
  headers: Record<string, string>,
  address = own,
  { shared = [], origins = ['https://app.example'] }: Record<string, string[]> = {},
) => {
  const request = new Request(address, { headers })
  const options = { publicUrl: undefined, origins: new Set(shared) }
  return foreignPage(options, { origins }, request) !== undefined
}

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

  it('may be registered for all projects', () => {
    const headers = { origin: 'https://console.example' }
    expect(isForeign(headers)).toBe(true)
    expect(isForeign(headers, own, { shared: ['https://console.example'] })).toBe(false)
  })

  it('of this machine is accepted only by a platform that is addressed by loopback', () => {
    const local = 'http://127.0.0.1:4600'
    expect(isForeign({ origin: 'http://localhost:5173' }, local)).toBe(false)
    expect(isForeign({ origin: 'https://other.example' }, local)).toBe(true)
    expect(isForeign({ origin: 'http://localhost:5173' })).toBe(true)
  })
})

it('rejects a form of any page but those of the platform', () => {
  const sent = (origin: string) => foreignForm(new Request(own, { headers: { origin } }), own)
  expect(sent(own)).toBeUndefined()
  for (const origin of ['https://app.example', 'http://localhost:5173', 'null']) {
    expect(sent(origin)).toMatchObject({ reason: 'foreignPage' })
  }
})
