import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CatalogOptions, catalogOptionNames, resolveCatalogOptions } from './options.ts'

const resolved = (options: CatalogOptions = {}, environment = {}) =>
  resolveCatalogOptions(options, environment)

describe('resolveCatalogOptions', () => {
  it('fills in the defaults', () => {
    const options = resolved({ root: '/app' })
    expect(options).toMatchInlineSnapshot(`
      {
        "baseUrl": undefined,
        "blankIsMissing": false,
        "cache": undefined,
        "concurrency": 8,
        "defaultLanguage": undefined,
        "fallback": {},
        "family": "localization",
        "from": undefined,
        "frozen": undefined,
        "languages": undefined,
        "lockFile": "/app/uilm.lock.json",
        "maxBytes": 16777216,
        "modules": undefined,
        "outDir": "/app/.servicekit",
        "projectKey": undefined,
        "pseudo": {},
        "requestsPerMinute": 100,
        "root": "/app",
        "snapshotDir": "/app/uilm",
        "storageKey": "uilm-language",
        "syntax": "double-brace",
        "timeoutMs": 30000,
      }
    `)
    expect(Object.keys(options).sort()).toEqual([...catalogOptionNames].sort())
  })

  it('is told the service by the environment, and rather by its options', () => {
    const environment = { SERVICEKIT_URL: 'https://a.example.com', SERVICEKIT_PROJECT_KEY: 'P1' }
    expect(resolved({}, environment)).toMatchObject({
      baseUrl: 'https://a.example.com',
      projectKey: 'P1',
    })
    expect(
      resolved({ baseUrl: 'https://b.example.com', projectKey: 'P2' }, environment),
    ).toMatchObject({
      baseUrl: 'https://b.example.com',
      projectKey: 'P2',
    })
    expect(resolved({}, { SERVICEKIT_URL: '' }).baseUrl).toBeUndefined()
  })

  it('takes relative paths from the root, and absolute ones as they are', () => {
    const { snapshotDir, lockFile, outDir } = resolved({ root: 'app', lockFile: '/x/lock.json' })
    expect(snapshotDir).toBe(resolve('app/uilm'))
    expect(outDir).toBe(join(resolve('app'), '.servicekit'))
    expect(lockFile).toBe('/x/lock.json')
  })

  it.each([
    ['http://localhost:4600', Number.POSITIVE_INFINITY],
    ['http://127.0.0.1:4600', Number.POSITIVE_INFINITY],
    ['http://[::1]:4600', Number.POSITIVE_INFINITY],
    ['https://localhost.example.com', 100],
    ['https://api.example.com', 100],
    ['no address', 100],
  ])('asks %s at most %d times a minute', (baseUrl, perMinute) => {
    expect(resolved({ baseUrl }).requestsPerMinute).toBe(perMinute)
  })

  it.each([
    [{ langauges: ['de-DE'] }, 'Unknown translation option "langauges". Did you mean "languages"?'],
    [{ family: 'umil' }, 'The option family cannot be "umil"\nIt is one of localization, uilm.'],
    [
      { syntax: 'mustache' },
      'The option syntax cannot be "mustache"\nIt is one of double-brace, single-brace, icu.',
    ],
    [{ concurrency: 0 }, 'The option concurrency must be a whole number of 1 or more, not 0'],
    [{ concurrency: 1.5 }, 'The option concurrency must be a whole number of 1 or more, not 1.5'],
    [
      { requestsPerMinute: Number.NaN },
      'The option requestsPerMinute must be a whole number of 1 or more, not NaN',
    ],
    [
      { languages: 'de-DE' },
      'The option languages must be a list of names\nWrite it as languages: ["…", "…"].',
    ],
    [
      { modules: ['auth', ''] },
      'The option modules must be a list of names\nWrite it as modules: ["…", "…"].',
    ],
  ])('refuses %j', (options, message) => {
    expect(() => resolved(options as CatalogOptions)).toThrow(message)
  })
})
