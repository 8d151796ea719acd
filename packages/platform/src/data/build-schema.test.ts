import { type GraphQLObjectType, GraphQLSchema, validateSchema } from 'graphql'
import { expect, it } from 'vitest'
import { gatewaySchema } from './build-schema.ts'
import { buildModel } from './model.ts'

const field = (name: string, type: string, description = '') => ({
  name,
  type,
  isArray: false,
  description,
})
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
const { schema } = gatewaySchema(buildModel(definitions))

it('builds a valid schema', () => {
  const config = { ...schema.toConfig(), assumeValid: false }
  expect(validateSchema(new GraphQLSchema(config))).toEqual([])
  expect(Object.keys(schema.getTypeMap())).toEqual(
    expect.arrayContaining(['Order', 'Address', 'OrderFilterInput', 'ProductInsertInput']),
  )
})

it('accepts any description, fields named like keywords, and nested types without fields', () => {
  const description = 'a "b" \\ \n ü \u{d800}'
  const named = gatewaySchema(
    buildModel([
      entity(
        'constructor',
        field('or', 'String', description),
        field('type', 'Long'),
        field('Ship', 'Empty'),
      ),
      { ...(entity('Empty') as object), schemaType: 2 } as never,
    ]),
  ).schema
  const config = { ...named.toConfig(), assumeValid: false }
  expect(validateSchema(new GraphQLSchema(config))).toEqual([])
  const type = named.getType('constructor') as GraphQLObjectType
  const { or, Ship } = type.getFields()
  expect(or!.description).toBe('a "b" \\ \n ü \u{fffd}')
  expect(String(Ship!.type)).toBe('JSON')
})
