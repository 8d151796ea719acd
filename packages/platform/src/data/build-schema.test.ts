import { GraphQLSchema, validateSchema } from 'graphql'
import { expect, it } from 'vitest'
import { gatewaySchema } from './build-schema.ts'
import { buildModel } from './model.ts'

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
const { schema } = gatewaySchema(buildModel(definitions))

it('builds a valid schema', () => {
  const config = { ...schema.toConfig(), assumeValid: false }
  expect(validateSchema(new GraphQLSchema(config))).toEqual([])
  expect(Object.keys(schema.getTypeMap())).toEqual(
    expect.arrayContaining(['Order', 'Address', 'OrderFilterInput', 'ProductInsertInput']),
  )
})
