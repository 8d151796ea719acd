import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CatalogOptions, catalogOptionNames, resolveCatalogOptions } from './options.ts'

const resolved = (options: CatalogOptions = {}, environment = {}) =>
  resolveCatalogOptions(options, environment)

describe('resolveCatalogOptions', () => {
  it('adds the defaults', () => {
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
        "headers": undefined,
        "keyHeader": undefined,
        "languages": undefined,
        "lockFile": "/app/uilm.lock.json",
        "markup": undefined,
        "maxBytes": 16777216,
        "modules": undefined,
        "noPlural": {},
        "outDir": "/app/.servicekit",
        "preset": undefined,
        "projectKey": undefined,
        "pseudo": {},
        "requestsPerMinute": 100,
        "root": "/app",
        "showKeys": false,
        "snapshotDir": "/app/uilm",
        "storageKey": "uilm-language",
        "syntax": "double-brace",
        "timeoutMs": 30000,
        "writeTo": undefined,
      }
    `)
    expect(Object.keys(options).sort()).toEqual([...catalogOptionNames].sort())
  })

  it('reads the service from the environment, overridden by the options', () => {
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

  it('resolves relative paths from the root', () => {
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
  ])('limits requests to %s to %d per minute', (baseUrl, perMinute) => {
    expect(resolved({ baseUrl }).requestsPerMinute).toBe(perMinute)
  })

  it.each([
    [{ langauges: ['de-DE'] }, 'Unknown translation option "langauges". Did you mean "languages"?'],
    [{ family: 'umil' }, 'family must be localization or uilm (received "umil")'],
    [
      { syntax: 'mustache' },
      'syntax must be double-brace, single-brace, percent-brace, icu or vue-i18n (received "mustache")',
    ],
    [{ concurrency: 0 }, 'concurrency must be a positive integer (received 0)'],
    [{ concurrency: 1.5 }, 'concurrency must be a positive integer (received 1.5)'],
    [
      { requestsPerMinute: Number.NaN },
      'requestsPerMinute must be a positive integer (received NaN)',
    ],
    [
      { languages: 'de-DE' },
      'languages must be a list of names\nWrite it as languages: ["…", "…"].',
    ],
    [
      { modules: ['auth', ''] },
      'modules must be a list of names\nWrite it as modules: ["…", "…"].',
    ],
  ])('rejects %j', (options, message) => {
    expect(() => resolved(options as CatalogOptions)).toThrow(message)
  })
})
