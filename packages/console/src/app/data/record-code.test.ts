import { expect, it } from 'vitest'
import { recordCode, schemaCode } from './record-code.ts'

it('lists the scalar fields of a schema, and nothing of a nested object', () => {
  const schema = {
    schemaName: 'Product',
    querySchema: 'products',
    fields: [
      { name: 'CreatedBy', type: 'String' },
      { name: 'Name', type: 'string' },
      { name: 'Size', type: 'Size' },
    ],
  }
  expect(schemaCode(schema)).toEqual({
    typed: 'const result = await listProducts(gateway, {"select":["ItemId","Name"]})',
    path: '/data/v4/gateway',
    body: { query: '{ products { items { ItemId Name } } }' },
  })
  expect(schemaCode({ ...schema, schemaType: 2 })).toBeUndefined()
})

it('reads one record by its id', () => {
  const schema = { name: 'Product', query: 'Products', mutations: {}, fields: [], referrers: [] }
  expect(recordCode(schema, 'a"b')).toMatchObject({
    typed: 'const result = await getProduct(gateway, "a\\"b")',
    body: { variables: { where: { ItemId: { eq: 'a"b' } } } },
  })
})
