import { describe, expect, test } from 'vitest'
import { buildModel, type Model, type QueryNaming, type SchemaModel } from './model.ts'
import { normaliseListing } from './normalise.ts'

const model = (schemas: readonly unknown[], queryNaming: QueryNaming = 'as-given'): Model =>
  buildModel(normaliseListing(schemas), { queryNaming })
const only = (schema: object, queryNaming?: QueryNaming): SchemaModel =>
  model([{ schemaName: 'Product', querySchema: 'Products', ...schema }], queryNaming).schemas[0]!
const codes = ({ problems }: Model): readonly string[] => problems.map((problem) => problem.code)
const names = (schema: SchemaModel): readonly string[] => schema.fields.map((field) => field.name)

describe('operations', () => {
  test('names are used as given', () => {
    const schema = only({ querySchema: 'AllTheProducts', mutationSchemas: ['insertOneProduct'] })
    expect(schema.list).toEqual({
      identifier: 'listAllTheProducts',
      field: 'AllTheProducts',
      get: 'getProduct',
      count: 'countAllTheProducts',
      walk: 'walkAllTheProducts',
    })
    expect(schema.insert).toEqual({ identifier: 'insertOneProduct', field: 'insertOneProduct' })
  })

  test('get-prefix changes the query’s name and nothing else', () => {
    const schema = only({ mutationSchemas: ['insertProduct'] }, 'get-prefix')
    expect(schema.list).toMatchObject({ identifier: 'listProducts', field: 'getProducts' })
    expect(schema.insert?.field).toBe('insertProduct')
  })

  test('rule 4: the first mutation that begins with insert', () => {
    const mutationSchemas = ['updateProduct', 'InsertX', 'insertB', 'insertA']
    expect(only({ mutationSchemas }).insert?.field).toBe('insertB')
  })

  test('rule 4: else insert and the schema’s name, with a note', () => {
    for (const mutationSchemas of [undefined, [], ['updateProduct', 'reinsertProduct']]) {
      expect(only({ mutationSchemas }).insert?.field).toBe('insertProduct')
    }
    expect(codes(model([{ schemaName: 'Product', querySchema: 'Products' }]))).toEqual([
      'INSERT_DERIVED',
    ])
  })

  test('a nested object has none, whatever it lists', () => {
    const schema = only({ schemaType: 2, mutationSchemas: ['insertProduct'] })
    expect([schema.list, schema.insert]).toEqual([undefined, undefined])
  })

  test('without a query there is no list', () => {
    const made = model([{ schemaName: 'Log', mutationSchemas: ['insertLog'] }])
    expect(made.schemas[0]?.list).toBeUndefined()
    expect(codes(made)).toEqual(['QUERY_MISSING'])
  })

  test('names that GraphQL cannot say make no operation', () => {
    for (const schema of [{ schemaName: 'Größe' }, { schemaName: '__Type' }]) {
      const made = model([{ ...schema, querySchema: 'Things', mutationSchemas: ['insertThing'] }])
      expect(made.schemas[0]).toMatchObject({ list: undefined, insert: undefined })
      expect(codes(made)).toEqual(['NAME_NOT_GRAPHQL'])
    }
    expect(only({ querySchema: 'All Products' }).list).toBeUndefined()
  })

  test('of two schemas with one operation, the first one listed has it', () => {
    const made = model([
      { schemaName: 'B', querySchema: 'Things', mutationSchemas: ['insertThing'] },
      { schemaName: 'A', querySchema: 'Things', mutationSchemas: ['insertThing'] },
    ])
    expect(made.schemas.map(({ name, list }) => [name, list?.field])).toEqual([
      ['A', undefined],
      ['B', 'Things'],
    ])
    expect(codes(made)).toEqual(['DUPLICATE_OPERATION', 'DUPLICATE_OPERATION'])
  })

  test('functions whose names would clash are kept apart', () => {
    const made = model([
      { schemaName: 'A', querySchema: 'things', mutationSchemas: ['insert'] },
      { schemaName: 'B', querySchema: 'Things', mutationSchemas: ['insertB'] },
    ])
    expect(made.schemas.map(({ list, insert }) => [list?.identifier, insert?.identifier])).toEqual([
      ['listThings', 'insert_'],
      ['listThings_', 'insertB'],
    ])
    const renamed = made.problems.filter(({ code }) => code === 'RENAMED')
    expect(renamed).toMatchObject([
      { schema: 'A', message: 'the function is called insert_, since insert is taken' },
      { schema: 'B', message: 'the function is called listThings_, since listThings is taken' },
    ])
  })
})

describe('fields', () => {
  test('rule 3: ItemId comes first, and is there where the listing forgets it', () => {
    const fields = [
      { name: 'Name', type: 'String' },
      { name: 'ItemId', type: 'ID' },
    ]
    expect(only({ fields }).fields).toMatchObject([
      { name: 'ItemId', type: 'ID' },
      { name: 'Name' },
    ])
    expect(names(only({ fields: [] }))).toEqual(['ItemId'])
    expect(names(only({ fields: [{ name: 'ItemId', type: 'Nonsense' }] }))).toEqual(['ItemId'])
  })

  test('rule 3: names are de-duplicated in any case, the first spelling wins', () => {
    const fields = ['Street', 'City', 'street', 'itemid', 'City'].map((name) => ({
      name,
      type: 'String',
    }))
    const made = model([
      { schemaName: 'A', querySchema: 'As', mutationSchemas: ['insertA'], fields },
    ])
    expect(names(made.schemas[0]!)).toEqual(['ItemId', 'Street', 'City'])
    expect(codes(made)).toEqual(['DUPLICATE_FIELD', 'DUPLICATE_FIELD', 'DUPLICATE_FIELD'])
  })

  test('one that is called and or or has no condition, with a note', () => {
    const fields = ['and', 'or', 'And'].map((name) => ({ name, type: 'String' }))
    const made = model([{ schemaName: 'Gate', querySchema: 'Gates', fields }])
    const doubts = made.problems.filter(({ code }) => code !== 'INSERT_DERIVED')
    expect(doubts).toMatchObject([
      { code: 'WHERE_RESERVED', severity: 'info', schema: 'Gate', field: 'and' },
      { code: 'WHERE_RESERVED', severity: 'info', schema: 'Gate', field: 'or' },
      { code: 'DUPLICATE_FIELD', field: 'And' },
    ])
  })

  test('a nested object has no ItemId of its own', () => {
    expect(names(only({ schemaType: 2, fields: [{ name: 'City', type: 'String' }] }))).toEqual([
      'City',
    ])
  })

  test('a type is a scalar, a schema of the listing, or unknown', () => {
    const made = model([
      {
        schemaName: 'Order',
        querySchema: 'Orders',
        mutationSchemas: ['insertOrder'],
        fields: [
          { name: 'Total', type: 'float' },
          { name: 'Home', type: 'Address' },
          { name: 'Price', type: 'Money' },
          { name: 'Odd' },
        ],
      },
      { schemaName: 'Address', schemaType: 2, fields: [{ name: 'City', type: 'String' }] },
    ])
    expect(made.schemas[1]?.fields.slice(1)).toMatchObject([
      { name: 'Total', scalar: { name: 'Float' }, object: undefined },
      { name: 'Home', scalar: undefined, object: { type: 'Address', file: 'address' } },
      { name: 'Price', scalar: undefined, object: undefined },
      { name: 'Odd', scalar: undefined, object: undefined },
    ])
    expect(codes(made)).toEqual(['TYPE_SPELLING', 'TYPE_UNKNOWN', 'TYPE_MISSING'])
  })

  test('a nested object that GraphQL could not name is unknown', () => {
    const made = model([
      { schemaName: 'A', querySchema: 'As', fields: [{ name: 'Home', type: 'Straße' }] },
      { schemaName: 'Straße', schemaType: 2, fields: [{ name: 'City', type: 'String' }] },
    ])
    expect(made.schemas.find(({ name }) => name === 'A')?.fields[1]?.object).toBeUndefined()
  })

  test('objects that are spelled out in place become schemas of their own', () => {
    const city = [{ name: 'City', type: 'String' }]
    const made = model([
      {
        schemaName: 'Order',
        querySchema: 'Orders',
        fields: [
          { name: 'From', type: 'Place', fields: city },
          { name: 'To', type: 'Place', fields: city },
          { name: 'Via', type: 'Place', fields: [{ name: 'Port', type: 'String' }] },
          {
            name: 'payment',
            fields: [{ name: 'Card', fields: [{ name: 'Last4', type: 'String' }] }],
          },
        ],
      },
    ])
    const order = made.schemas.find(({ name }) => name === 'Order')
    expect(order?.fields.map((field) => field.object?.type)).toEqual([
      undefined,
      'Place',
      'Place',
      'OrderVia',
      'OrderPayment',
    ])
    expect(made.schemas.map(({ type }) => type)).toContain('OrderPaymentCard')
  })
})

describe('names', () => {
  test('case twins get different files and types', () => {
    const made = model([
      { schemaName: 'product' },
      { schemaName: 'Product' },
      { schemaName: 'PRODUCT' },
    ])
    const of = Object.fromEntries(made.schemas.map(({ name, type, file }) => [name, [type, file]]))
    expect(of['Product']).toEqual(['Product', 'product'])
    expect(new Set(made.schemas.map(({ file }) => file)).size).toBe(3)
    expect(new Set(made.schemas.map(({ type }) => type)).size).toBe(3)
    const renamed = made.problems.filter(({ code }) => code === 'RENAMED')
    expect(renamed.map(({ schema }) => schema)).toContain('product')
    expect(renamed[0]?.message).toMatch(
      /^the type is called \S+ and its file \S+, since Product is/,
    )
  })

  test('what the runtime and the language call theirs is left to them', () => {
    const made = model([
      { schemaName: 'Promise' },
      { schemaName: 'GatewayPage' },
      { schemaName: 'Gateway' },
      { schemaName: 'Index' },
    ])
    expect(made.schemas.map(({ type, file }) => [type, file])).toEqual([
      ['GatewayPage_', 'gateway-page'],
      ['Gateway_', 'gateway-schema'],
      ['Index', 'index-schema'],
      ['Promise_', 'promise'],
    ])
  })

  test('a schema called like another one’s derived type gives way', () => {
    const made = model([{ schemaName: 'ProductField' }, { schemaName: 'Product' }])
    expect(new Set(made.schemas.map(({ type }) => type))).toEqual(
      new Set(['Product', 'ProductField_']),
    )
  })
})
