import { parse, printType, validate, validateSchema } from 'graphql'
import { expect, it } from 'vitest'
import { executableSchema } from './build-schema.ts'
import { documentReader } from './documents.ts'
import { buildModel, readMemo } from './model.ts'

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
const executable = executableSchema(buildModel(definitions))

it('builds no more than root fields reach, as the whole has it', () => {
  expect(executable.of(['Orders', 'Nothings'], [])).toBeUndefined()
  const part = executable.of(['Orders', '__typename'], ['insertOrder'])!
  const whole = executable.whole()
  expect(validateSchema(whole)).toEqual([])
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
])('judges %s as the whole does', (query) => {
  const found = documentReader(executable, limits)(query)
  const errors = 'errors' in found ? found.errors() : []
  const expected = validate(executable.whole(), parse(query))
  expect(errors.map(({ message }) => message)).toEqual(expected.map(({ message }) => message))
})

it('remembers what was read of definitions, unless other schemas change what it means', () => {
  const memo = readMemo()
  const [order, product, address] = definitions
  const fieldsOf = (list: never[]) => buildModel(list, 'asGiven', memo).types.get('Order')!.fields
  const first = fieldsOf([order!, product!, address!])
  expect(fieldsOf([order!, address!])).toBe(first)
  const without = fieldsOf([order!, product!])
  expect(without.find(({ name }) => name === 'Ship')).toMatchObject({ scalar: 'JSON' })
  expect(fieldsOf([order!, address!]).find(({ name }) => name === 'Ship')).toMatchObject({
    object: 'Address',
  })
})
