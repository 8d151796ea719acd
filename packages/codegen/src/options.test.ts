import { describe, expect, test } from 'vitest'
import { defaultEmitOptions } from './emit/emit-all.ts'
import { type GenerateOptions, resolveOptions } from './options.ts'

const refusal = (options: object): unknown => {
  try {
    return resolveOptions(options as GenerateOptions)
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

describe('what cannot be is refused before anything is read', () => {
  test.each([
    [{ listing: 'x', outdir: 'out' }, ['option "outdir" is unknown', 'Did you mean outDir?']],
    [{ listing: 'x' }, ['outDir names no folder', 'Say where the generated files go: outDir.']],
    [
      { outDir: 'out' },
      [
        'listing is missing: there is no schema listing to read',
        'Give a saved listing, or baseUrl and projectKey of the service.',
      ],
    ],
    [
      { outDir: 'out', baseUrl: 'https://x.example' },
      [
        'projectKey is missing: there is no schema listing to read',
        'Give a saved listing, or baseUrl and projectKey of the service.',
      ],
    ],
    [
      { outDir: 'out', baseUrl: 'api.example.com', projectKey: 'P1' },
      ['baseUrl "api.example.com" is no http address'],
    ],
    [
      { outDir: 'out', listing: 'x', queryNaming: 'get' },
      ['queryNaming "get" is unknown', 'It is as-given or get-prefix.'],
    ],
    [
      { outDir: 'out', listing: 'x', importExtension: 'js' },
      ['importExtension "js" is no file ending', "It is '.js', '.ts' or ''."],
    ],
    [
      { outDir: 'out', baseUrl: 'https://x.example', projectKey: 'P1', pageSize: 0 },
      ['pageSize 0 is no whole number from 1'],
    ],
  ])('%j', (options, message) => {
    expect(refusal(options)).toEqual(message)
  })
})

test('a given listing wins over the service, and defaults are filled in', () => {
  const both = { listing: 'l.json', baseUrl: 'https://x.example', projectKey: 'P', outDir: 'out' }
  expect(resolveOptions(both)).toEqual({
    source: { kind: 'file', file: 'l.json' },
    outDir: 'out',
    prune: false,
    queryNaming: 'as-given',
    emit: defaultEmitOptions,
    check: false,
  })
  expect(resolveOptions({ listing: [], outDir: 'out' }).source).toEqual({
    kind: 'value',
    value: [],
  })
})
