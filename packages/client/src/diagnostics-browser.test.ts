import { describe, expect, it } from 'vitest'
import { createCore } from './core.ts'
import { ConfigError } from './errors.ts'
import * as lean from './diagnostics-browser.ts'
import * as words from './diagnostics.ts'
import type { ClientOptions } from './options.ts'

const needed = { baseUrl: 'http://service.test/', projectKey: 'P1' }

describe('diagnostics of production bundles', () => {
  it.each<[string, Partial<Record<keyof ClientOptions, unknown>>]>([
    ['nothing more', {}],
    [
      'what is undefined',
      {
        timeoutMs: undefined,
        totalTimeoutMs: undefined,
        maxBytes: undefined,
        maxConcurrency: undefined,
        requestIds: undefined,
        hooks: undefined,
        headers: undefined,
        runtime: undefined,
        retry: { attempts: undefined, baseDelayMs: 1 },
      },
    ],
    ['all of it', { timeoutMs: 1, retry: { attempts: 2 }, headers: { 'X-One': '1' } }],
  ])('resolves options as the full diagnostics do: %s', (_, given) => {
    const options = { ...needed, ...given } as ClientOptions
    const shown = (resolved: object): unknown =>
      JSON.parse(JSON.stringify({ ...resolved, transport: undefined, runtime: undefined }))
    expect(shown(lean.resolveClientOptions(options))).toEqual(
      shown(words.resolveClientOptions(options)),
    )
    const { transport, runtime } = lean.resolveClientOptions({
      ...options,
      transport: undefined,
    } as unknown as ClientOptions)
    expect(typeof transport.send).toBe('function')
    expect(runtime.now()).toBeGreaterThan(0)
  })

  it.each<[string, object]>([
    ['no baseUrl', { baseUrl: '' }],
    ['a baseUrl without a scheme', { baseUrl: 'service.test' }],
    ['a baseUrl of another scheme', { baseUrl: 'javascript:alert(1)' }],
    ['a baseUrl without a host', { baseUrl: 'https://' }],
    ['a baseUrl with a password', { baseUrl: 'https://ada:canary@service.test' }],
    ['no project key', { projectKey: '' }],
    ['an unknown option', { timeoutMS: 1 }],
    ['an unknown option of retries', { retry: { attempt: 1 } }],
    ['a header that cannot be sent', { headers: { 'x-secret': 'canary\ncanary' } }],
  ])('rejects %s, as in other builds', (_, wrong) => {
    for (const { resolveClientOptions } of [lean, words]) {
      const resolve = (): unknown => resolveClientOptions({ ...needed, ...wrong } as ClientOptions)
      expect(resolve).toThrow(ConfigError)
      expect(resolve).not.toThrow('canary')
    }
  })
})

it('treats undefined as not set', () => {
  const options = { ...needed, maxConcurrency: undefined } as unknown as ClientOptions
  expect(createCore(options).projectKey).toBe('P1')
})

it.each([
  ['as it is', (secret: string) => `{"message":"${secret}"}`],
  ['in JSON', (secret: string) => JSON.stringify({ message: secret })],
  ['in a query', (secret: string) => `?q=${encodeURIComponent(secret)}`],
  ['in a form', (secret: string) => String(new URLSearchParams({ secret }))],
])('removes a body that echoes a secret %s', (_, echo) => {
  const secret = 'can"ary+/= 7'
  const headers = { accept: 'application/json', authorization: `Bearer ${'canary+/=='}` }
  expect(lean.conceal(echo(secret), headers, [secret])).toBe('')
  expect(lean.conceal(echo('canary+/=='), headers, [])).toBe('')
  expect(lean.conceal(echo('Bearer'), { ...headers, 'access-token': 'canary7' })).not.toBe('')
  expect(lean.conceal(echo('canary7'), { 'access-token': 'canary7' })).toBe('')
  expect(lean.conceal(echo('application/json'), headers, [undefined, null, ''])).not.toBe('')
})
