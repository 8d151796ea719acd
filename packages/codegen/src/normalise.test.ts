import { describe, expect, test } from 'vitest'
import { normaliseListing } from './normalise.ts'

const product = { schemaName: 'Product', querySchema: 'Products', fields: [] }
const codes = (raw: unknown): readonly string[] =>
  normaliseListing(raw).problems.map((problem) => problem.code)

describe('normaliseListing reads the listing from', () => {
  test.each([
    ['an array', [product]],
    ['items', { items: [product] }],
    ['data', { data: [product] }],
    ['data.items', { isSuccess: true, data: { totalCount: 1, items: [product] } }],
  ])('%s', (_, raw) => {
    expect(normaliseListing(raw).schemas.map((schema) => schema.name)).toEqual(['Product'])
  })

  test.each([[null], [undefined], ['text'], [7], [{}], [{ data: {} }], [{ data: { items: 1 } }]])(
    'finds no listing in %j',
    (raw) => {
      expect(normaliseListing(raw)).toMatchObject({
        schemas: [],
        problems: [{ severity: 'error', code: 'NOT_A_LISTING' }],
      })
    },
  )

  test('an empty listing is a warning, not an error', () => {
    expect(normaliseListing([]).problems).toMatchObject([
      { severity: 'warning', code: 'EMPTY_LISTING' },
    ])
  })
})

describe('schemas', () => {
  test('mutations are strings or objects with a name', () => {
    const mutationSchemas = ['insertProduct', { name: 'updateProduct' }, null, {}, 7]
    const { schemas, problems } = normaliseListing([{ ...product, mutationSchemas }])
    expect(schemas[0]?.mutations).toEqual([
      { name: 'insertProduct', kind: undefined },
      { name: 'updateProduct', kind: undefined },
    ])
    expect(problems.map((problem) => problem.code)).toEqual(['SCHEMA_INVALID'])
  })

  test('any member may be missing or null', () => {
    const bare = { schemaName: 'Bare' }
    const nulls = {
      schemaName: 'Nulls',
      schemaType: null,
      querySchema: null,
      mutationSchemas: null,
      fields: null,
    }
    const { schemas, problems } = normaliseListing([bare, nulls])
    expect(problems).toEqual([])
    for (const schema of schemas) {
      expect(schema).toMatchObject({ kind: 'entity', query: undefined, mutations: [], fields: [] })
    }
  })

  test('schemaType 2 is a nested object; an unknown one is an entity with a warning', () => {
    const of = (schemaType: unknown): unknown =>
      normaliseListing([{ ...product, schemaType }]).schemas[0]?.kind
    expect([of(1), of(2), of('2'), of(9)]).toEqual(['entity', 'object', 'object', 'entity'])
    expect(codes([{ ...product, schemaType: 9 }])).toEqual(['SCHEMA_TYPE_UNKNOWN'])
  })

  test('skips entries that are not schemas', () => {
    expect(codes([null, 'x', {}, { schemaName: ' ' }, product])).toEqual(
      Array.from({ length: 4 }, () => 'SCHEMA_INVALID'),
    )
  })

  test('a schema that is listed twice is a note, and an error if the entries differ', () => {
    const again = { ...product, querySchema: 'Other' }
    const { schemas, problems } = normaliseListing([product, product, again])
    expect(schemas.map((schema) => schema.query)).toEqual(['Products'])
    expect(problems).toMatchObject([
      { severity: 'info', code: 'DUPLICATE_SCHEMA' },
      {
        severity: 'error',
        code: 'DUPLICATE_SCHEMA',
        message:
          'entry 3 of the listing contradicts an earlier entry of the same name: query "Products" and "Other"',
      },
    ])
  })

  test('treats prototype keys like any other name', () => {
    const raw: unknown = JSON.parse(
      '[{"schemaName": "__proto__", "fields": [{"name": "constructor", "type": "String"}], "__proto__": {"schemaName": "Evil"}}]',
    )
    expect(normaliseListing(raw).schemas).toMatchObject([
      { name: '__proto__', fields: [{ name: 'constructor' }] },
    ])
    expect({}).not.toHaveProperty('schemaName')
  })
})

describe('fields', () => {
  const fieldsOf = (fields: unknown): unknown =>
    normaliseListing([{ ...product, fields }]).schemas[0]?.fields

  test('missing members get their defaults', () => {
    expect(fieldsOf([{ name: 'Name' }])).toEqual([
      { name: 'Name', type: '', isArray: false, requiredOn: 'None', description: '', fields: [] },
    ])
  })

  test('reads the list notation of GraphQL', () => {
    expect(fieldsOf([{ name: 'Tags', type: '[String!]!' }])).toMatchObject([
      { type: 'String', isArray: true },
    ])
  })

  test('reads requiredOn in any case; an unknown value is None', () => {
    expect(fieldsOf([{ name: 'A', requiredOn: 'both' }])).toMatchObject([{ requiredOn: 'Both' }])
    const fields = [{ name: 'A', requiredOn: 'Sometimes' }]
    expect(fieldsOf(fields)).toMatchObject([{ requiredOn: 'None' }])
    expect(codes([{ ...product, fields }])).toEqual(['REQUIRED_ON_UNKNOWN'])
  })

  test('skips entries that are not fields', () => {
    const fields = [null, 3, {}, { name: '' }, 'Name', { name: 'Price', type: 'Float' }]
    expect(fieldsOf(fields)).toMatchObject([{ name: 'Name' }, { name: 'Price' }])
    expect(codes([{ ...product, fields: { a: 1 } }])).toEqual(['FIELD_INVALID'])
  })

  test('survives a hundred thousand levels of nesting', () => {
    let field: Record<string, unknown> = { name: 'Leaf', type: 'String' }
    for (let depth = 0; depth < 100_000; depth++) field = { name: 'Level', fields: [field] }
    expect(codes([{ ...product, fields: [field] }])).toEqual(['FIELD_INVALID'])
  })
})
