import { createCore, fetchTransport } from '@servicekit/client/core'
import { execute as executeByClient } from '@servicekit/client/data'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listCategories, walkCategories } from '../__snapshots__/storefront/category.ts'
import { createGateway, execute, type Gateway } from '../__snapshots__/storefront/gateway.ts'
import {
  countProducts,
  deleteManyProduct,
  insertManyProduct,
  insertProduct,
  listProducts,
  listProductsDocument,
  updateManyProduct,
  updateProduct,
  updateProductDocument,
  walkProducts,
} from '../__snapshots__/storefront/product.ts'

/** A gateway that acknowledges every mutation, and the JSON that it received. */
function recording(): { readonly gateway: Gateway; readonly sent: string[] } {
  const sent: string[] = []
  const done = { acknowledged: true, itemId: '7', totalImpactedData: 1, message: null, itemIds: [] }
  const gateway = createGateway({
    baseUrl: 'https://api.example.com',
    projectKey: 'P1',
    fetch: async (_, init) => {
      sent.push(String(init.body))
      const page = { items: [], totalCount: 0, totalPages: 1 }
      const fields = ['insertProduct', 'insertManyProduct', 'updateProduct', 'updateManyProduct']
      const data = Object.fromEntries([...fields, 'deleteManyProduct'].map((name) => [name, done]))
      return Response.json({ data: { ...data, Products: page, page } })
    },
  })
  return { gateway, sent }
}

const never = new Date('20.07.2026')
const nothing = undefined as never
const whole = { Name: 'Cup', Price: 1, Sku: 'C' }

describe('a value that JSON would drop or turn into null fails before anything is sent:', () => {
  test.each<[what: string, call: (gateway: Gateway) => Promise<object>, at: string]>([
    [
      'NaN in an update',
      (gateway) => updateProduct(gateway, '7', { Price: Number('12,50') }),
      'input.Price is NaN',
    ],
    [
      'an invalid date in an update',
      (gateway) => updateProduct(gateway, '7', { ReleasedAt: never }),
      'input.ReleasedAt is Invalid Date',
    ],
    [
      'Infinity in an update of many',
      (gateway) => updateManyProduct(gateway, { Price: { gt: 1 } }, { Price: 1 / 0 }),
      'input.Price is Infinity',
    ],
    [
      'minus Infinity in an insert',
      (gateway) => insertProduct(gateway, { ...whole, Price: -1 / 0 }),
      'input.Price is -Infinity',
    ],
    [
      'NaN in the second record of an insert',
      (gateway) => insertManyProduct(gateway, [whole, { ...whole, Stock: NaN }]),
      'input[1].Stock is NaN',
    ],
    [
      'NaN in a list of an input',
      (gateway) => updateProduct(gateway, '7', { Dimensions: [1, NaN] }),
      'input.Dimensions[1] is NaN',
    ],
    [
      'undefined in a list of an input',
      (gateway) => updateProduct(gateway, '7', { Colours: ['red', nothing] }),
      'input.Colours[1] is undefined',
    ],
    [
      'a promise that is not awaited',
      (gateway) => updateProduct(gateway, '7', { Name: Promise.resolve('Cup') as never }),
      'input.Name is [object Promise]',
    ],
    [
      'a map',
      (gateway) => updateProduct(gateway, '7', { Name: new Map() as never }),
      'input.Name is [object Map]',
    ],
    [
      'a set',
      (gateway) => updateProduct(gateway, '7', { Colours: new Set(['red']) as never }),
      'input.Colours is [object Set]',
    ],
    [
      'a typed array',
      (gateway) => updateProduct(gateway, '7', { Dimensions: Float64Array.of(1, 2) as never }),
      'input.Dimensions is 1,2',
    ],
    [
      'a typed array in a condition',
      (gateway) => listProducts(gateway, { where: { Price: { in: Float64Array.of(1) as never } } }),
      'where.Price.in is 1',
    ],
    [
      'a hole in a list',
      // oxlint-disable-next-line no-sparse-arrays
      (gateway) => updateProduct(gateway, '7', { Dimensions: [1, , 2] as number[] }),
      'input.Dimensions[1] is undefined',
    ],
    [
      'a boxed number',
      (gateway) => updateProduct(gateway, '7', { Price: Object(NaN) as number }),
      'input.Price is NaN',
    ],
    [
      'an error with members',
      (gateway) =>
        updateProduct(gateway, '7', { Name: Object.assign(new Error('no'), { code: 1 }) as never }),
      'input.Name is Error: no',
    ],
    [
      'a function',
      (gateway) => updateProduct(gateway, '7', { Name: String as never }),
      'input.Name is function String() { [native code] }',
    ],
    [
      'a date of a library that is invalid',
      (gateway) => updateProduct(gateway, '7', { ReleasedAt: { toJSON: () => null } as never }),
      'input.ReleasedAt.toJSON is () => null',
    ],
    [
      'NaN in the condition of a count',
      (gateway) => countProducts(gateway, { Price: { eq: NaN } }),
      'where.Price.eq is NaN',
    ],
    [
      'an invalid date in the condition of a list',
      (gateway) => listProducts(gateway, { where: { ReleasedAt: { neq: never } } }),
      'where.ReleasedAt.neq is Invalid Date',
    ],
    [
      'a function in a condition',
      (gateway) => listProducts(gateway, { where: { Name: { eq: String as never } } }),
      'where.Name.eq is function String() { [native code] }',
    ],
    [
      'NaN in a list of a condition',
      (gateway) => listProducts(gateway, { where: { or: [{ Price: { in: [1, NaN] } }] } }),
      'where.or[0].Price.in[1] is NaN',
    ],
    [
      'NaN in the number of a page',
      (gateway) => listProducts(gateway, { paging: { pageNo: NaN, pageSize: 5 } }),
      'paging.pageNo is NaN',
    ],
    [
      'NaN in the variables of a document',
      (gateway) => execute(gateway, listProductsDocument, { where: { Price: { eq: NaN } } }),
      'where.Price.eq is NaN',
    ],
    [
      'NaN in the input of a document',
      (gateway) =>
        execute(gateway, updateProductDocument, {
          where: { ItemId: { eq: '7' } },
          input: { Price: NaN },
        }),
      'input.Price is NaN',
    ],
  ])('%s', async (_, call, at) => {
    const { gateway, sent } = recording()
    expect(await call(gateway)).toMatchObject({
      ok: false,
      errors: [{ message: `${at}. Nothing was sent`, extensions: { code: 'VALUE_INVALID' } }],
      partial: undefined,
    })
    expect(sent).toEqual([])
  })

  test('NaN in the condition of a walk', async () => {
    const { gateway, sent } = recording()
    const walk = walkProducts(gateway, { where: { Price: { eq: NaN } } })
    await expect(walk.next()).rejects.toThrow('where.Price.eq is NaN. Nothing was sent')
    expect(sent).toEqual([])
  })
})

describe('a value that JSON cannot print fails before anything is sent, in a schema', () => {
  const circular: Record<string, unknown> = {}
  circular['and'] = [circular]
  const noJson = { toJSON: () => JSON.parse('{') as never }

  test.each<[what: string, list: (gateway: Gateway, options: object) => Promise<object>]>([
    ['with Longs', listProducts],
    ['without Longs', listCategories],
  ])('%s', async (_, list) => {
    const { gateway, sent } = recording()
    for (const where of [circular, { Name: { eq: Symbol('s') } }, { Name: { eq: noJson } }]) {
      expect(await list(gateway, { where })).toMatchObject({
        ok: false,
        errors: [
          {
            message: expect.stringMatching(/Nothing was sent$/),
            extensions: { code: 'VALUE_INVALID' },
          },
        ],
      })
    }
    expect(sent).toEqual([])
  })

  test('without Longs: a bigint', async () => {
    const { gateway, sent } = recording()
    const walk = walkCategories(gateway, { where: { SortOrder: { eq: 5n as never } } })
    await expect(walk.next()).rejects.toThrow(/BigInt. Nothing was sent$/)
    expect(
      await listCategories(gateway, { where: { SortOrder: { eq: 5n as never } } }),
    ).toMatchObject({
      errors: [{ extensions: { code: 'VALUE_INVALID' } }],
    })
    expect(sent).toEqual([])
  })
})

/** Values of conditions and inputs, among them those that JSON cannot represent. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.maxSafeInteger(),
    fc.bigInt(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.date({ noInvalidDate: false }),
    fc.constant(new Map([['a', 1]])),
    fc.constant(Symbol('s')),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: false }),
  ),
}))

/** Reads the numbers of a JSON text as texts, so that none is rounded. */
const parseExactly = (text: string): unknown =>
  JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
      token.startsWith('"') ? token : `"number ${token}"`,
    ),
  )

/** Returns what has to arrive; undefined if a value cannot be represented in JSON. */
function expected(variables: Readonly<Record<string, unknown>>, isInput: boolean): unknown {
  try {
    return Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, expectedValue(value, isInput)]),
    )
  } catch {
    return undefined
  }
}

function expectedValue(given: unknown, isInput: boolean): unknown {
  if (typeof given === 'bigint') return `number ${given}`
  if (typeof given === 'number' && Number.isFinite(given))
    return `number ${given === 0 ? 0 : given}`
  if (given === null || typeof given === 'string' || typeof given === 'boolean') return given
  if (given instanceof Date) return given.toISOString()
  if (Array.isArray(given)) return given.map((item) => expectedValue(item, isInput))
  if (typeof given !== 'object' || given instanceof Map) throw new Error('not JSON')
  const members = Object.entries(given).filter(([, member]) => !isInput || member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, expectedValue(member, isInput)]))
}

test('whatever value is passed arrives exactly, or nothing is sent', async () => {
  const counts = { sent: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(value, fc.boolean(), async (given, isInput) => {
      const { gateway, sent } = recording()
      const variables = isInput ? { input: given } : { where: given }
      const result = await execute(gateway, '{ Products { totalCount } }', variables)
      const outcome = result.ok
        ? (parseExactly(sent[0]!) as { readonly variables: unknown }).variables
        : result.errors[0]?.extensions?.['code']
      expect(outcome).toEqual(expected(variables, isInput) ?? 'VALUE_INVALID')
      expect(sent).toHaveLength(result.ok ? 1 : 0)
      counts[result.ok ? 'sent' : 'refused']++
    }),
    { numRuns: 1000 },
  )
  expect(counts.sent).toBeGreaterThan(100)
  expect(counts.refused).toBeGreaterThan(100)
})

test('members of an input may be undefined, at any depth, and null clears a field', async () => {
  const { gateway, sent } = recording()
  await updateProduct(gateway, '7', { Price: undefined, Stock: null, Tags: ['a'] })
  await deleteManyProduct(gateway, { Price: { eq: null } }, { isHardDelete: true })
  expect(sent.map((text) => (JSON.parse(text) as { variables: unknown }).variables)).toEqual([
    { where: { ItemId: { eq: '7' } }, input: { Stock: null, Tags: ['a'] } },
    { where: { Price: { eq: null } }, input: { isHardDelete: true } },
  ])
})

test('the client sends and refuses the same values as generated code', async () => {
  const leaf = fc.oneof(
    fc.jsonValue(),
    fc.double(),
    fc.bigInt(),
    fc.date({ noInvalidDate: false }),
    fc.constantFrom(undefined, () => 1, new Map(), Promise.resolve(1), Symbol('a'), new Date(0)),
  )
  const values = fc.dictionary(
    fc.constantFrom('input', 'where', 'paging'),
    fc.oneof(leaf, fc.array(leaf), fc.dictionary(fc.constantFrom('a', 'b'), leaf)),
  )
  await fc.assert(
    fc.asyncProperty(values, async (variables) => {
      const { gateway, sent } = recording()
      await execute(gateway, '{ a }', variables)
      const bodies: string[] = []
      const transport = fetchTransport(async (request) => {
        bodies.push(await request.text())
        return Response.json({ data: {} })
      })
      const core = createCore({ baseUrl: 'https://api.example.com', projectKey: 'P1', transport })
      const outcome = await executeByClient(core, { query: '{ a }', variables }).then(
        () => 'sent',
        (error: Error) => error.name,
      )
      expect([outcome, bodies]).toEqual([sent.length > 0 ? 'sent' : 'TypeError', sent])
    }),
    { numRuns: 300 },
  )
})
