import { GraphQLSchema, parse, printType, validate, validateSchema } from 'graphql'
import { expect, it } from 'vitest'
import { gatewaySchema } from './build-schema.ts'
import { documentReader } from './documents.ts'
import { buildModel } from './model.ts'

const limits = {
  maxDepth: 12,
  maxAliases: 100,
  maxTokens: 5_000,
  maxCost: 12_000,
  maxPageSize: 1,
  statementTimeoutMs: 1,
}
const field = (name: string, type: string) => ({ name, type, isArray: false })
const entity = (name: string, ...fields: ReturnType<typeof field>[]) =>
  ({
    id: name,
    schemaName: name,
    collectionName: name,
    schemaType: 1,
    querySchema: `${name}s`,
    mutationSchemas: [`insert${name}`],
    fields,
  }) as never
const definitions = [
  entity('Order', field('Total', 'Float'), field('Ship', 'Address')),
  entity('Product', field('Title', 'String')),
  { ...(entity('Address', field('City', 'String')) as object), schemaType: 2 } as never,
]
const schema = gatewaySchema(buildModel(definitions))

it('builds only what root fields reach, equal to the same types of the whole', () => {
  const part = schema.partOf(new Set(['Orders', '__typename', 'insertOrder']))
  const whole = schema.whole()
  expect(validateSchema(new GraphQLSchema({ ...whole.toConfig(), assumeValid: false }))).toEqual([])
  const names = Object.keys(part.getTypeMap())
  expect(names).toEqual(expect.arrayContaining(['Order', 'Address', 'OrderFilterInput']))
  expect(names.filter((name) => name.startsWith('Product'))).toEqual([])
  for (const name of ['Order', 'Address', 'OrderResult', 'OrderFilterInput', 'OrderInsertInput']) {
    expect(printType(part.getType(name)!)).toBe(printType(whole.getType(name)!))
  }
})

it.each([
  '{ Orders { items { Total Ship { City } } } }',
  'query ($where: OrderFilterInput) { Orders(where: $where) { totalCount } }',
  'mutation ($input: OrderInsertInput) { insertOrder(input: $input) { itemId } }',
  '{ ...A } fragment A on Query { Products { ...B } } fragment B on ProductResult { totalCount }',
  'query A { Orders { totalCount } } query B { ... on Query { Products { totalCount } } }',
  'query A { Orders { totalCount } } mutation B { deleteProduct { itemId } }',
  '{ __typename }',
  'mutation { __typename }',
  '{ __schema { queryType { name } } Orders { totalCount } }',
  '{ Ordres { totalCount } }',
  '{ Orders { items { Totl } } }',
  '{ Orders(where: {Title: {eq: "x"}}) { totalCount } }',
  'query ($where: ProductFilterInput) { Orders(where: $where) { totalCount } }',
  '{ Orders { ... on Product { Title } } }',
  'mutation { insertOrdr(input: {}) { itemId } }',
  'subscription { Orders { totalCount } }',
  '{ ...A } fragment A on Query { ...A }',
])('validates %s like the whole schema', (query) => {
  const read = documentReader(schema, limits)(query)
  const errors = 'errors' in read ? read.errors : []
  const expected = validate(schema.whole(), parse(query))
  expect(errors.map(({ message }) => message)).toEqual(expected.map(({ message }) => message))
})
