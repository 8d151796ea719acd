import { DrizzleQueryError } from 'drizzle-orm/errors'
import { expect, it } from 'vitest'
import { PlatformError } from './errors.ts'
import type { PlatformOptions } from './options.ts'
import { resolveOptions } from './resolve-options.ts'

it('applies every default', () => {
  const { now, newId, clock, onError, webhooks, ...rest } = resolveOptions()
  expect(rest).toMatchObject({
    projects: [],
    onlyChanged: false,
    watch: false,
    origins: new Set(),
    allowedHosts: new Set(),
    cookieSameSite: 'lax',
    agentCount: 'all',
    suggestions: 'memory',
    outgoing: new Set(),
    gateway: {
      maxDepth: 12,
      maxPageSize: 1000,
      maxAliases: 100,
      maxTokens: 5_000,
      maxCost: 12_000,
      statementTimeoutMs: 5000,
    },
  })
  expect([clock.isFrozen, webhooks.timeoutMs]).toEqual([false, 15_000])
  expect([now() instanceof Date, newId().length, typeof onError]).toEqual([true, 36, 'function'])
})

it.each([{ secret: ' '.repeat(17) }, { secret: 'a'.repeat(17) }, { controlToken: '   ' }])(
  'refuses the weak secret %j',
  (options) => {
    expect(() => resolveOptions(options)).toThrow(/must (?:not be blank|have at least 8 different)/)
  },
)

it('reports why a statement failed, without its parameters', () => {
  const reported: Error[] = []
  const logged: unknown[] = []
  const { onError } = resolveOptions({
    onError: (error) => void reported.push(error),
    onLog: (entry) => void logged.push(entry),
  })
  const cause = new Error('too many clients already')
  onError(new DrizzleQueryError('select $1', ['a secret'], cause))
  expect(reported).toEqual([cause])
  expect(logged).toMatchObject([{ level: 'error', message: 'too many clients already' }])
})

it('freezes the clock', () => {
  expect(resolveOptions({ clock: 'frozen' }).now().toISOString()).toBe('2026-01-01T00:00:00.000Z')
  const { clock } = resolveOptions({ clock: '2026-02-03T00:00:00Z' })
  expect(clock.advance(1000).toISOString()).toBe('2026-02-03T00:00:01.000Z')
})

it('reads the time from a function', () => {
  const { clock, now } = resolveOptions({ clock: () => new Date(5) })
  expect([clock.isFrozen, now().getTime()]).toEqual([false, 5])
})

it('generates ids and request ids independently of each other', () => {
  const { newId, newRequestId } = resolveOptions({ seed: 1 })
  const other = resolveOptions({ seed: 1 })
  other.newRequestId()
  expect(newId()).toBe(other.newId())
  expect(newRequestId()).not.toBe(newId())
})

it('normalizes origins', () => {
  const { origins } = resolveOptions({ origins: ['http://localhost:5173/', 'https://a.example'] })
  expect(origins).toEqual(new Set(['http://localhost:5173', 'https://a.example']))
})

it.each([
  [{ datadir: 'x' }, 'Unknown option "datadir". Did you mean "dataDir"?'],
  [{ databaseURL: 'x' }, 'Did you mean "databaseUrl"?'],
  [{ origin: '*' }, 'Did you mean "origins"?'],
  [{ gateway: { depth: 3 } }, 'Unknown option "gateway.depth". Did you mean "gateway.maxDepth"?'],
  [{ nothing: 1 }, 'Unknown option "nothing".'],
  [{ watch: 'yes' }, 'watch: Invalid input: expected boolean, received string'],
  [{ replicaUrl: 'a' }, 'replicaUrl requires databaseUrl'],
  [{ dataDir: 'a', databaseUrl: 'b' }, 'Cannot use dataDir together with databaseUrl'],
  [{ openProjects: true, publicUrl: 'https://a.example' }, 'Cannot use openProjects together'],
  [{ rateLimitPerMinute: 0 }, 'rateLimitPerMinute: must be a positive integer (received 0)'],
  [{ gateway: { maxPageSize: 1.5 } }, 'gateway.maxPageSize: must be a positive integer'],
  [{ origins: ['localhost'] }, 'origins[0]: localhost is not an origin'],
  [{ origins: ['https://a.example/path'] }, 'is not an origin'],
  [{ publicUrl: 'https://a.example/path' }, 'publicUrl: https://a.example/path is not an origin'],
  [{ allowedHosts: ['http://a.example'] }, 'is not a host name'],
  [{ clock: 'soon' }, 'clock: must be "system", "frozen" or an instant (received "soon")'],
  [{ seed: 0.5 }, 'seed: Invalid input: expected int'],
  [{ seed: 1, dataDir: 'a' }, 'Cannot use seed together with dataDir'],
  [{ secret: 'short' }, 'secret: must have at least 16 characters'],
  [{ outgoing: ['public'] }, 'must be one of loopback, private (received "public")'],
  [{ webhooks: { timeout: 1 } }, 'Did you mean "webhooks.timeoutMs"?'],
  [
    {
      storage: [
        { name: 'A', strategy: 'Local' },
        { name: 'A', strategy: 'Local' },
      ],
    },
    'unique',
  ],
  [{ onError: 'print' }, 'onError: must be a function'],
])('rejects %j', (options, message) => {
  const resolve = () => resolveOptions(options as PlatformOptions)
  expect(resolve).toThrow(PlatformError)
  expect(resolve).toThrow(message)
})
