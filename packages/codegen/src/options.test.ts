import { describe, expect, test } from 'vitest'
import { type GenerateOptions, resolveOptions } from './options.ts'

const refusal = (options: object): unknown => {
  try {
    return resolveOptions(options as GenerateOptions)
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

describe('resolveOptions refuses before anything is read', () => {
  const sources = 'Set listing to a saved listing, or baseUrl and projectKey to use the service.'
  test.each([
    [{ listing: 'x', outdir: 'out' }, ['Unknown option "outdir". Did you mean "outDir"?']],
    [{ listing: 'x' }, ['outDir is required', 'Set it to the folder for the generated files.']],
    [{ outDir: 'out' }, ['listing is required', sources]],
    [{ outDir: 'out', baseUrl: 'https://x.example' }, ['projectKey is required', sources]],
    [
      { outDir: 'out', listing: 'x', queryNaming: 'get' },
      ['queryNaming must be as-given or get-prefix (received "get")'],
    ],
    [
      { outDir: 'out', listing: 'x', queryOptions: ['@tanstack/react-query'] as never },
      [
        `queryOptions must be true, false or a package such as '@tanstack/react-query' (received @tanstack/react-query)`,
      ],
    ],
    [
      { outDir: 'out', listing: 'x', queryOptions: 'react-query' },
      [
        `queryOptions must be true, false or a package such as '@tanstack/react-query' (received "react-query")`,
      ],
    ],
    [
      { outDir: 'out', listing: 'x', labels: 'de' },
      ['labels must be true or false (received "de")'],
    ],
    [
      { outDir: 'out', listing: 'x', importExtension: 'js' },
      [`importExtension must be '.js', '.ts' or '' (received "js")`],
    ],
    [
      { outDir: 'out', baseUrl: 'https://x.example', projectKey: 'P1', pageSize: 0 },
      ['pageSize must be a positive integer (received 0)'],
    ],
  ])('%j', (options, message) => {
    expect(refusal(options)).toEqual(message)
  })

  test.each([
    [{ baseUrl: 'api.example.com' }, /baseUrl/],
    [{ timeoutMs: 0 }, /timeoutMs/],
    [{ headers: { 'x y': '1' } }, /x y|header/],
  ])('%j, as the client does', (options, message) => {
    const service = { outDir: 'out', baseUrl: 'https://x.example', projectKey: 'P1' }
    expect(() => resolveOptions({ ...service, ...options })).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(message) as string,
      }) as Error,
    )
  })
})

test('resolveOptions prefers a given listing to the service, and adds defaults', () => {
  const both = { listing: 'l.json', baseUrl: 'https://x.example', projectKey: 'P', outDir: 'out' }
  expect(resolveOptions(both)).toEqual({
    source: { kind: 'file', file: 'l.json' },
    outDir: 'out',
    prune: false,
    queryNaming: 'as-given',
    bulkMutations: 'listed',
    emit: {
      importExtension: '.js',
      output: 'ts',
      documents: 'string',
      queryOptions: false,
      validators: false,
      factories: false,
      diagram: false,
      labels: false,
      relations: {},
      lookups: false,
      long: 'number',
      longFilter: 'number',
      bulkResponse: 'BulkActionResponse',
      nestedFilters: false,
    },
    check: false,
  })
  expect(resolveOptions({ listing: [], outDir: 'out' }).source).toEqual({
    kind: 'value',
    value: [],
  })
})
