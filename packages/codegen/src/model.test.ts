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
  test('uses the names of the listing', () => {
    const schema = only({ querySchema: 'AllTheProducts', mutationSchemas: ['insertOneProduct'] })
    expect(schema.list).toEqual({
      identifier: 'listAllTheProducts',
      field: 'AllTheProducts',
      get: 'getProduct',
      count: 'countAllTheProducts',
      walk: 'walkAllTheProducts',
      pick: 'pickAllTheProducts',
    })
    expect(schema.mutations.insert).toEqual({
      identifier: 'insertOneProduct',
      field: 'insertOneProduct',
    })
  })

  test('get-prefix changes only the name of the query', () => {
    const schema = only({ mutationSchemas: ['insertProduct'] }, 'get-prefix')
    expect(schema.list).toMatchObject({ identifier: 'listProducts', field: 'getProducts' })
    expect(schema.mutations.insert?.field).toBe('insertProduct')
  })

  test('rule 4: uses the first mutation that starts with insert', () => {
    const mutationSchemas = ['updateProduct', 'InsertX', 'insertB', 'insertA']
    expect(only({ mutationSchemas }).mutations.insert?.field).toBe('insertB')
  })

  test('rule 4: otherwise uses insert and the schema name, with a note', () => {
    for (const mutationSchemas of [undefined, [], ['updateProduct', 'reinsertProduct']]) {
      expect(only({ mutationSchemas }).mutations.insert?.field).toBe('insertProduct')
    }
    expect(codes(model([{ schemaName: 'Product', querySchema: 'Products' }]))).toEqual([
      'INSERT_DERIVED',
    ])
  })

  test.each<[schemaName: string, mutationSchemas: unknown[], expected: object]>([
    [
      'Product',
      ['insertProduct', 'updateManyProduct', 'updateProduct', 'deleteProduct'],
      {
        insert: 'insertProduct',
        update: 'updateProduct',
        updateMany: 'updateManyProduct',
        delete: 'deleteProduct',
      },
    ],
    [
      'ManyThing',
      ['insertManyThing', 'updateManyThing', 'deleteManyManyThing'],
      { insert: 'insertManyThing', update: 'updateManyThing', deleteMany: 'deleteManyManyThing' },
    ],
    ['A', ['insertManyA', 'insertA'], { insert: 'insertManyA' }],
    ['A', ['updateTheA', 'removeA'], { insert: 'insertA', update: 'updateTheA' }],
    [
      'A',
      [{ name: 'addA', kind: 'insert' }, { name: 'dropAs', kind: 'deleteMany' }, 'updateA'],
      { insert: 'addA', update: 'updateA', deleteMany: 'dropAs' },
    ],
    ['A', ['insertA', 'delete'], { insert: 'insertA', delete: 'delete' }],
    [
      'A',
      ['insertA', 'deleteManyÄ', 'deleteManyB'],
      { insert: 'insertA', deleteMany: 'deleteManyB' },
    ],
    ['A', ['insertA', 'update A', 'updateB'], { insert: 'insertA', update: 'updateB' }],
  ])('mutations of %s listed as %j are never derived', (schemaName, mutationSchemas, expected) => {
    const [schema] = model([{ schemaName, querySchema: 'As', mutationSchemas }]).schemas
    const fields = Object.entries(schema!.mutations).map(([kind, { field }]) => [kind, field])
    expect(Object.fromEntries(fields)).toEqual(expected)
  })

  test('a function is not named like a keyword', () => {
    const mutationSchemas = ['insertA', 'delete']
    expect(only({ schemaName: 'A', mutationSchemas }).mutations.delete).toEqual({
      identifier: 'delete_',
      field: 'delete',
    })
  })

  test('a nested object has no operations', () => {
    const schema = only({ schemaType: 2, mutationSchemas: ['insertProduct'] })
    expect([schema.list, schema.mutations]).toEqual([undefined, {}])
  })

  test('a schema without a query has no list', () => {
    const result = model([{ schemaName: 'Log', mutationSchemas: ['insertLog'] }])
    expect(result.schemas[0]?.list).toBeUndefined()
    expect(codes(result)).toEqual(['QUERY_MISSING'])
  })

  test('invalid GraphQL names have no operation', () => {
    for (const schema of [{ schemaName: 'Größe' }, { schemaName: '__Type' }]) {
      const result = model([{ ...schema, querySchema: 'Things', mutationSchemas: ['insertThing'] }])
      expect(result.schemas[0]).toMatchObject({ list: undefined, mutations: {} })
      expect(codes(result)).toEqual(['NAME_NOT_GRAPHQL'])
    }
    expect(only({ querySchema: 'All Products' }).list).toBeUndefined()
  })

  test('the first of two schemas with the same operation gets it', () => {
    const result = model([
      { schemaName: 'B', querySchema: 'Things', mutationSchemas: ['insertThing'] },
      { schemaName: 'A', querySchema: 'Things', mutationSchemas: ['insertThing'] },
    ])
    expect(result.schemas.map(({ name, list }) => [name, list?.field])).toEqual([
      ['A', undefined],
      ['B', 'Things'],
    ])
    expect(codes(result)).toEqual(['DUPLICATE_OPERATION', 'DUPLICATE_OPERATION'])
  })

  test('a mutation named after another schema belongs to that schema, listed or not', () => {
    const result = model([
      { schemaName: 'A', querySchema: 'As', mutationSchemas: ['insertA'] },
      { schemaName: 'B', querySchema: 'Bs', mutationSchemas: ['insertB', 'deleteA', 'updateB'] },
    ])
    expect(result.schemas.map(({ mutations }) => Object.keys(mutations))).toEqual([
      ['insert'],
      ['insert', 'update'],
    ])
    expect(codes(result)).toEqual(['DUPLICATE_OPERATION'])
  })

  test('a mutation that two schemas list belongs to the first, also if it is named after the second', () => {
    const result = model([
      { schemaName: 'A', querySchema: 'As', mutationSchemas: ['insertManyB'] },
      { schemaName: 'B', querySchema: 'Bs', mutationSchemas: ['insertManyB'] },
    ])
    expect(result.schemas.map(({ mutations }) => mutations)).toEqual([
      { insert: { field: 'insertManyB', identifier: 'insertManyB' } },
      {},
    ])
    expect(codes(result)).toEqual(['DUPLICATE_OPERATION'])
  })

  test('renames functions whose names would clash', () => {
    const result = model([
      { schemaName: 'A', querySchema: 'things', mutationSchemas: ['insert'] },
      { schemaName: 'B', querySchema: 'Things', mutationSchemas: ['insertB'] },
    ])
    expect(
      result.schemas.map(({ list, mutations }) => [list?.identifier, mutations.insert?.identifier]),
    ).toEqual([
      ['listThings', 'insert_'],
      ['listThings_', 'insertB'],
    ])
    const renamed = result.problems.filter(({ code }) => code === 'RENAMED')
    expect(renamed).toMatchObject([
      { schema: 'A', message: 'the function is named insert_ because insert is taken' },
      { schema: 'B', message: 'the function is named listThings_ because listThings is taken' },
    ])
  })
})

describe('fields', () => {
  test('rule 3: ItemId comes first, even if the listing lacks it', () => {
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

  test('rule 3: of names that differ only in case, the first one is selected; the first of equal names wins', () => {
    const fields = ['Street', 'City', 'street', 'itemid', 'City'].map((name) => ({
      name,
      type: 'String',
    }))
    const result = model([
      { schemaName: 'A', querySchema: 'As', mutationSchemas: ['insertA'], fields },
    ])
    expect(names(result.schemas[0]!)).toEqual(['ItemId', 'Street', 'City', 'street', 'itemid'])
    const selected = result.schemas[0]!.fields.filter(({ isSelected }) => isSelected)
    expect(selected.map(({ name }) => name)).toEqual(['ItemId', 'Street', 'City'])
    expect(codes(result)).toEqual(['DUPLICATE_FIELD', 'DUPLICATE_FIELD', 'DUPLICATE_FIELD'])
  })

  test('fields named and or or have no condition, with a note', () => {
    const fields = ['and', 'or', 'And'].map((name) => ({ name, type: 'String' }))
    const result = model([{ schemaName: 'Gate', querySchema: 'Gates', fields }])
    const problems = result.problems.filter(({ code }) => code !== 'INSERT_DERIVED')
    expect(problems).toMatchObject([
      { code: 'WHERE_RESERVED', severity: 'info', schema: 'Gate', field: 'and' },
      { code: 'WHERE_RESERVED', severity: 'info', schema: 'Gate', field: 'or' },
      { code: 'DUPLICATE_FIELD', field: 'And' },
    ])
  })

  test('nested objects get no ItemId', () => {
    expect(names(only({ schemaType: 2, fields: [{ name: 'City', type: 'String' }] }))).toEqual([
      'City',
    ])
  })

  test('a type is a scalar, a listed schema or unknown', () => {
    const result = model([
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
    expect(result.schemas[1]?.fields.slice(1)).toMatchObject([
      { name: 'Total', scalar: { name: 'Float' }, object: undefined },
      { name: 'Home', scalar: undefined, object: { type: 'Address', file: 'address' } },
      { name: 'Price', scalar: undefined, object: undefined },
      { name: 'Odd', scalar: undefined, object: undefined },
    ])
    expect(codes(result)).toEqual(['TYPE_SPELLING', 'TYPE_UNKNOWN', 'TYPE_MISSING'])
  })

  test('a nested object without a valid GraphQL name is unknown', () => {
    const result = model([
      { schemaName: 'A', querySchema: 'As', fields: [{ name: 'Home', type: 'Straße' }] },
      { schemaName: 'Straße', schemaType: 2, fields: [{ name: 'City', type: 'String' }] },
    ])
    expect(result.schemas.find(({ name }) => name === 'A')?.fields[1]?.object).toBeUndefined()
  })

  test('inline objects become schemas', () => {
    const city = [{ name: 'City', type: 'String' }]
    const result = model([
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
    const order = result.schemas.find(({ name }) => name === 'Order')
    expect(order?.fields.map((field) => field.object?.type)).toEqual([
      undefined,
      'Place',
      'Place',
      'OrderVia',
      'OrderPayment',
    ])
    expect(result.schemas.map(({ type }) => type)).toContain('OrderPaymentCard')
  })
})

describe('names', () => {
  test('names that differ only in case get different files and types', () => {
    const result = model([
      { schemaName: 'product' },
      { schemaName: 'Product' },
      { schemaName: 'PRODUCT' },
    ])
    const of = Object.fromEntries(
      result.schemas.map(({ name, type, file }) => [name, [type, file]]),
    )
    expect(of['Product']).toEqual(['Product', 'product'])
    expect(new Set(result.schemas.map(({ file }) => file)).size).toBe(3)
    expect(new Set(result.schemas.map(({ type }) => type)).size).toBe(3)
    const renamed = result.problems.filter(({ code }) => code === 'RENAMED')
    expect(renamed.map(({ schema }) => schema)).toContain('product')
    expect(renamed[0]?.message).toMatch(
      /^the type is named \S+ and its file \S+ because Product is/,
    )
  })

  test('avoids names of the runtime and of TypeScript', () => {
    const result = model([
      { schemaName: 'Promise' },
      { schemaName: 'GatewayPage' },
      { schemaName: 'Gateway' },
      { schemaName: 'Index' },
    ])
    expect(result.schemas.map(({ type, file }) => [type, file])).toEqual([
      ['GatewayPage_', 'gateway-page'],
      ['Gateway_', 'gateway-schema'],
      ['Index', 'index-schema'],
      ['Promise_', 'promise'],
    ])
  })

  test('renames a schema that is named like a derived type of another one', () => {
    const result = model([{ schemaName: 'ProductField' }, { schemaName: 'Product' }])
    expect(new Set(result.schemas.map(({ type }) => type))).toEqual(
      new Set(['Product', 'ProductField_']),
    )
  })
})
