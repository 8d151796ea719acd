import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createClient } from './index.ts'
import { resolveClientOptions } from './options.ts'
import type { ClientOptions } from './options.ts'

const good = { baseUrl: 'https://api.example.com', projectKey: 'P1' }
const messageOf = (options: object): string => {
  try {
    createClient({ ...good, ...options } as ClientOptions)
  } catch (error) {
    expect(error).toMatchObject({ name: 'ConfigError', code: 'CONFIG_INVALID' })
    return (error as Error).message
  }
  return 'was accepted'
}

describe('invalid options', () => {
  it.each([
    ['no address', { baseUrl: undefined }],
    ['an address without a scheme', { baseUrl: 'api.example.com' }],
    ['an address with another scheme', { baseUrl: 'ftp://api.example.com' }],
    ['an address with a password', { baseUrl: 'https://ada:canary@api.example.com' }],
    ['a wrong address with a password', { baseUrl: 'https//ada:canary@api.example.com' }],
    ['no project key', { projectKey: undefined }],
    ['a blank project key', { projectKey: ' ' }],
    ['a project key with a line break', { projectKey: 'P1\nx: y' }],
    ['a project key that is too long', { projectKey: 'k'.repeat(65) }],
    ['a misspelled option', { timeOutMs: 5 }],
    ['a misspelled retry option', { retry: { attempt: 5 } }],
    ['a timeout of 0', { timeoutMs: 0 }],
    ['an infinite timeout', { timeoutMs: Number.POSITIVE_INFINITY }],
    ['a timeout beyond the limit of timers', { totalTimeoutMs: 2 ** 31 }],
    ['a fractional number of attempts', { retry: { attempts: 0.5 } }],
    ['a string for a number', { retry: { baseDelayMs: '250' } }],
    ['a negative pause', { retry: { maxDelayMs: -1 } }],
    ['a maximum body size of 0', { maxBytes: 0 }],
    ['a header name with a colon', { headers: { 'x:y': 'z' } }],
    [
      'a header with a line break',
      { headers: { authorization: 'Bearer canary\r\nx-role: admin' } },
    ],
    ['a header beyond Latin 1', { headers: { 'x-name': 'canary ☃' } }],
    ['a header that is not a string', { headers: { 'x-count': 5 } }],
  ])('%s', (what, options) => {
    const message = messageOf(options)
    expect(message).not.toContain('canary')
    expect(message).toMatchSnapshot(what)
  })
})

describe('resolveClientOptions', () => {
  it('sets the defaults', () => {
    const { runtime, transport, ...options } = resolveClientOptions(good)
    expect(options).toMatchInlineSnapshot(`
      {
        "baseUrl": "https://api.example.com",
        "headers": {
          "x-service-key": "P1",
        },
        "hooks": {},
        "keyHeader": "x-service-key",
        "maxBytes": 67108864,
        "maxConcurrency": 50,
        "maxTransfers": 6,
        "projectKey": "P1",
        "requestIds": true,
        "retry": {
          "attempts": 5,
          "baseDelayMs": 250,
          "maxDelayMs": 15000,
        },
        "timeoutMs": 30000,
        "totalTimeoutMs": 120000,
      }
    `)
    expect(Object.keys(runtime)).toEqual(['now', 'random', 'sleep'])
    expect(transport.send).toBeTypeOf('function')
  })

  it('treats undefined as not set', () => {
    const options = { ...good, timeoutMs: undefined, retry: { attempts: undefined } }
    expect(resolveClientOptions(options as unknown as ClientOptions)).toMatchObject({
      timeoutMs: 30_000,
      retry: { attempts: 5 },
    })
  })

  it.each([
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com/a/b//', 'https://api.example.com/a/b'],
    ['https://api.example.com/a?x=1#y', 'https://api.example.com/a'],
    ['HTTP://LOCALHOST:4600', 'http://localhost:4600'],
  ])('accepts %s as %s', (baseUrl, expected) => {
    expect(resolveClientOptions({ ...good, baseUrl }).baseUrl).toBe(expected)
  })

  it('lower-cases header names, so that none is sent twice', () => {
    expect(resolveClientOptions({ ...good, headers: { 'X-Trace': ' 7 ' } }).headers).toEqual({
      'x-trace': '7',
      'x-service-key': 'P1',
    })
  })

  it('prints no header values of a client', () => {
    const client = createClient({ ...good, headers: { authorization: 'Bearer canary' } })
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain('canary')
    expect(JSON.stringify(client)).not.toContain('canary')
  })
})
