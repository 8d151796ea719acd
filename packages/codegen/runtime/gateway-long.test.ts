import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createGateway, execute, type Gateway } from '../__snapshots__/storefront/gateway.ts'
import {
  countProducts,
  getProduct,
  listProducts,
  listProductsDocument,
  updateProduct,
  walkProducts,
} from '../__snapshots__/storefront/product.ts'
import { queryOptions } from './gateway-query.ts'

/** A gateway whose rows have these members, as JSON. */
const gatewayOf = (members: string, sent: string[] = []): Gateway => {
  const page = `{"items": [{"ItemId": "7", ${members}}], "totalCount": 1, "totalPages": 1}`
  return createGateway({
    baseUrl: 'https://api.example.com',
    projectKey: 'P1',
    fetch: async (_, init) => {
      sent.push(String(init.body))
      return new Response(
        `{"data": {"Products": ${page}, "page": ${page}, "updateProduct": {"acknowledged": true}}}`,
      )
    },
  })
}

describe('a Long that a number would round', () => {
  const gateway = gatewayOf('"ViewCount": 9007199254740993')
  const path = ['Products', 'items', 0, 'ViewCount']
  test.each<[name: string, call: () => Promise<object>]>([
    ['list', () => listProducts(gateway)],
    ['get', () => getProduct(gateway, '7')],
    ['document', () => execute(gateway, listProductsDocument)],
    ['document of any fields', () => execute(gateway, '{ Products { items { ViewCount } } }')],
  ])('is an error of a %s, with its path', async (_, call) => {
    expect(await call()).toMatchObject({
      ok: false,
      errors: expect.arrayContaining([
        expect.objectContaining({ path, extensions: { code: 'LONG_ROUNDED' } }),
      ]) as object[],
      partial: { Products: { items: [{ ItemId: '7', ViewCount: null }] } },
    })
  })

  test('comes after the errors of the service', async () => {
    const errors = [{ message: 'No', path: ['Products', 'items', 0, 'Name'] }]
    const data = '{"Products": {"items": [{"ViewCount": 9007199254740993, "Name": null}]}}'
    const failing = createGateway({
      baseUrl: 'https://api.example.com',
      projectKey: 'P1',
      fetch: async () => new Response(`{"data": ${data}, "errors": ${JSON.stringify(errors)}}`),
    })
    expect(await listProducts(failing)).toMatchObject({
      ok: false,
      errors: [...errors, { path, extensions: { code: 'LONG_ROUNDED' } }],
    })
  })

  test('is an error of a walk', async () => {
    await expect(walkProducts(gateway).next()).rejects.toMatchObject({ code: 'LONG_ROUNDED' })
  })
})

test('every whole number of 64 bits is read as it is, or is an error', async () => {
  const long = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: 2n ** 53n - 9n, max: 2n ** 53n + 9n }),
    fc.bigInt({ min: -(2n ** 53n) - 9n, max: -(2n ** 53n) + 9n }),
  )
  await fc.assert(
    fc.asyncProperty(long, async (value) => {
      const result = await listProducts(gatewayOf(`"ViewCount": ${value}`))
      const read = result.ok
        ? String(result.data.items[0]?.ViewCount)
        : result.errors[0]?.extensions?.['code']
      expect(read).toBe(Number.isSafeInteger(Number(value)) ? String(value) : 'LONG_ROUNDED')
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['the greatest whole number that is exact', '"ViewCount": 9007199254740991'],
  ['a large Float in decimals', '"Price": 12345678901234567000'],
  ['a large Float with an exponent', '"Price": 1.2345678901234567e+30'],
  ['a Float with many digits', '"Price": 0.30000000000000004'],
  ['digits in a text', '"Name": "9007199254740993"'],
  ['a large Float in digits that a number rounds', '"Price": 12345678901234567891'],
  ['digits after an escaped quote', '"Name": "\\" 9007199254740993 \\\\"'],
  [
    'digits in a text of many escapes',
    `"Name": "${'\\"'.repeat(5_000_000)}9007199254740993", "Stock": 1`,
  ],
  ['digits in a text of many characters', `"Name": "${'x'.repeat(5_000_000)}9007199254740993"`],
])('%s is read as JSON.parse reads it', async (_, members) => {
  const result = await listProducts(gatewayOf(members))
  expect(result.ok && { ...result.data.items[0] }).toEqual(
    JSON.parse(`{"ItemId": "7", ${members}}`),
  )
})

test('a bigint is sent exactly, in inputs, conditions and keys of queries', async () => {
  const sent: string[] = []
  const gateway = gatewayOf('"ViewCount": 1', sent)
  await updateProduct(gateway, '7', { ViewCount: 9007199254740993n })
  await updateProduct(gateway, { ViewCount: { in: [9007199254740993n] } }, { Stock: 1 })
  await countProducts(gateway, { ViewCount: { gt: -9223372036854775808n } })
  expect(sent.map((text) => /-?\d{16,}/.exec(text)?.[0])).toEqual([
    '9007199254740993',
    '9007199254740993',
    '-9223372036854775808',
  ])
  const options = queryOptions('Product', 'count', countProducts, 0)
  expect(options(gateway, { ViewCount: { eq: 5n } }).queryKey).toContainEqual({
    ViewCount: { eq: '5' },
  })
})
