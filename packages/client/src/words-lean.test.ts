import { describe, expect, it } from 'vitest'
import { createCore } from './core.ts'
import * as lean from './words-lean.ts'
import * as words from './words.ts'
import type { ClientOptions } from './options.ts'

const needed = { baseUrl: 'http://service.test/', projectKey: 'P1' }

describe('what bundles for production have in place of words', () => {
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
  ])('resolves options as words do: %s', (_, given) => {
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

  it('misses what there has to be', () => {
    const options = { baseUrl: '', projectKey: 'P1' }
    expect(() => lean.resolveClientOptions(options)).toThrow('No baseUrl or projectKey')
  })
})

it('takes what is undefined for what was not given', () => {
  const options = { ...needed, maxConcurrency: undefined } as unknown as ClientOptions
  expect(createCore(options).projectKey).toBe('P1')
})
