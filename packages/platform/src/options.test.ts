import { expect, it } from 'vitest'
import { PlatformError } from './errors.ts'
import { type PlatformOptions, resolveOptions } from './options.ts'

it('fills in every default', () => {
  const { now, newId, onFault, ...rest } = resolveOptions()
  expect(rest).toEqual({
    projects: [],
    onlyChanged: false,
    watch: false,
    dataDir: undefined,
    databaseUrl: undefined,
    origins: '*',
    rateLimitPerMinute: undefined,
    controlToken: undefined,
    gateway: { maxDepth: 12, maxPageSize: 1000, statementTimeoutMs: 5000 },
  })
  expect([now() instanceof Date, newId().length, typeof onFault]).toEqual([true, 36, 'function'])
})

it('reads origins', () => {
  const { origins } = resolveOptions({ origins: ['http://localhost:5173/', 'https://a.example'] })
  expect(origins).toEqual(new Set(['http://localhost:5173', 'https://a.example']))
})

it.each([
  [{ datadir: 'x' }, 'Did you mean dataDir?'],
  [{ databaseURL: 'x' }, 'Did you mean databaseUrl?'],
  [{ origin: '*' }, 'Did you mean origins?'],
  [{ gateway: { depth: 3 } }, 'Did you mean gateway.maxDepth?'],
  [{ nothing: 1 }, 'There is no option nothing.'],
  [{ dataDir: 'a', databaseUrl: 'b' }, 'exclude each other'],
  [{ rateLimitPerMinute: 0 }, 'above 0'],
  [{ gateway: { maxPageSize: 1.5 } }, 'above 0'],
  [{ origins: ['localhost'] }, 'is not an origin'],
])('refuses %j', (options, message) => {
  const resolve = () => resolveOptions(options as PlatformOptions)
  expect(resolve).toThrow(PlatformError)
  expect(resolve).toThrow(message)
})
