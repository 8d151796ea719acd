import { describe, expect, test } from 'vitest'
import { createGateway, execute } from '../__snapshots__/storefront/gateway.ts'
import {
  deleteManyProduct,
  deleteManyProductDocument,
  deleteProduct,
  deleteProductDocument,
  insertManyProduct,
  insertManyProductDocument,
  type ProductCondition,
  updateManyProduct,
  updateProduct,
  updateProductDocument,
} from '../__snapshots__/storefront/product.ts'

const done = { acknowledged: true, itemId: '7', totalImpactedData: 1, message: null }
const allDone = { acknowledged: true, totalImpactedData: 2, message: null, itemIds: ['7', '8'] }

/** A gateway with one response, and the bodies that it received. */
function answering(data: object) {
  const sent: { readonly query: string; readonly variables: unknown }[] = []
  const gateway = createGateway({
    baseUrl: 'https://api.example.com',
    projectKey: 'P1',
    fetch: async (_, init) => {
      sent.push(JSON.parse(String(init.body)) as never)
      return Response.json({ data })
    },
  })
  return { gateway, sent }
}

describe('a mutation sends', () => {
  test('an update by its ItemId, without undefined members', async () => {
    const { gateway, sent } = answering({ updateProduct: done })
    const input = { Price: 12, Stock: undefined, Description: null, ReleasedAt: new Date(0) }
    expect(await updateProduct(gateway, '7', input)).toEqual({ ok: true, data: done })
    expect(sent).toEqual([
      {
        query: updateProductDocument,
        variables: {
          where: { ItemId: { eq: '7' } },
          input: { Price: 12, Description: null, ReleasedAt: '1970-01-01T00:00:00.000Z' },
        },
      },
    ])
    expect(updateProductDocument).toBe(
      'mutation($where:ProductFilterInput!,$input:ProductUpdateInput!)' +
        '{updateProduct(where:$where,input:$input){acknowledged itemId totalImpactedData message}}',
    )
  })

  test('an update of many by a condition', async () => {
    const { gateway, sent } = answering({ updateManyProduct: allDone })
    const where = { ReleasedAt: { lt: new Date(0) }, or: [{ Price: { gt: 1 } }] } as const
    const result = await updateManyProduct(gateway, where, { IsActive: false })
    expect(result).toEqual({ ok: true, data: allDone })
    expect(sent[0]?.variables).toEqual({
      where: { ReleasedAt: { lt: '1970-01-01T00:00:00.000Z' }, or: [{ Price: { gt: 1 } }] },
      input: { IsActive: false },
    })
    expect(sent[0]?.query).toContain('{acknowledged totalImpactedData message itemIds}')
  })

  test('a delete with its kind', async () => {
    const { gateway, sent } = answering({ deleteProduct: done, deleteManyProduct: allDone })
    await deleteProduct(gateway, '7', { isHardDelete: false })
    await deleteManyProduct(gateway, { ItemId: { in: ['7', '8'] } }, { isHardDelete: true })
    expect(sent).toEqual([
      {
        query: deleteProductDocument,
        variables: { where: { ItemId: { eq: '7' } }, input: { isHardDelete: false } },
      },
      {
        query: deleteManyProductDocument,
        variables: { where: { ItemId: { in: ['7', '8'] } }, input: { isHardDelete: true } },
      },
    ])
  })

  test('an insert of many', async () => {
    const { gateway, sent } = answering({ insertManyProduct: allDone })
    const input = [{ Name: 'Cup', Price: 12, Sku: 'C-1', Stock: undefined }]
    expect(await insertManyProduct(gateway, input)).toEqual({ ok: true, data: allDone })
    await execute(gateway, insertManyProductDocument, { input })
    const body = {
      query: insertManyProductDocument,
      variables: { input: [{ Name: 'Cup', Price: 12, Sku: 'C-1' }] },
    }
    expect(sent).toEqual([body, body])
  })
})

test('a mutation that is not acknowledged is a failure with its message', async () => {
  const missed = { acknowledged: false, itemId: null, totalImpactedData: 0, message: 'No match' }
  const missedAll = { ...allDone, acknowledged: false, itemIds: [], message: null }
  const { gateway } = answering({ updateProduct: missed, deleteManyProduct: missedAll })
  expect(await updateProduct(gateway, '7', {})).toEqual({
    ok: false,
    errors: [{ message: 'No match' }],
    partial: missed,
  })
  const where = { ItemId: { eq: '7' } }
  expect(await deleteManyProduct(gateway, where, { isHardDelete: true })).toEqual({
    ok: false,
    errors: [{ message: 'deleteManyProduct was not acknowledged' }],
    partial: missedAll,
  })
})

describe('an empty condition fails before anything is sent:', () => {
  const nothing = undefined as never
  const filled = { Name: { eq: 'Cup' } }

  test.each<[condition: unknown, path: string]>([
    [undefined, 'where'],
    [null, 'where'],
    ['', 'where'],
    [{}, 'where'],
    [[], 'where'],
    [[filled], 'where'],
    [7, 'where'],
    [{ Name: undefined }, 'where.Name'],
    [{ Name: null }, 'where.Name'],
    [{ Name: {} }, 'where.Name'],
    [{ Name: 'Cup' }, 'where.Name'],
    [{ ...filled, Price: {} }, 'where.Price'],
    [{ Name: { eq: undefined } }, 'where.Name.eq'],
    [{ Name: { startsWith: null } }, 'where.Name.startsWith'],
    [{ Name: { contains: '' } }, 'where.Name.contains'],
    [{ or: [filled, { Sku: { startsWith: '' } }] }, 'where.or[1].Sku.startsWith'],
    [{ Name: { in: [] } }, 'where.Name.in'],
    [{ Name: { in: ['a', undefined] } }, 'where.Name.in'],
    [{ Price: { eq: NaN } }, 'where.Price.eq'],
    [{ ReleasedAt: { lt: new Date('never') } }, 'where.ReleasedAt.lt'],
    [{ and: [] }, 'where.and'],
    [{ or: undefined }, 'where.or'],
    [{ and: [{}] }, 'where.and[0]'],
    [{ or: [filled, {}] }, 'where.or[1]'],
    [{ or: [filled, nothing] }, 'where.or[1]'],
    [{ and: [{ or: [{ Name: { eq: undefined } }] }] }, 'where.and[0].or[0].Name.eq'],
  ])('%j', async (where, path) => {
    const { gateway, sent } = answering({})
    const refused = (field: string): object => ({
      ok: false,
      errors: [
        {
          message: `${field}: ${path} is empty, so the condition might match every record. Nothing was sent`,
          extensions: { code: 'CONDITION_EMPTY' },
        },
      ],
    })
    const condition = where as ProductCondition
    const kind = { isHardDelete: true }
    expect(await updateProduct(gateway, condition, {})).toEqual(refused('updateProduct'))
    expect(await updateManyProduct(gateway, condition, {})).toEqual(refused('updateManyProduct'))
    expect(await deleteProduct(gateway, condition, kind)).toEqual(refused('deleteProduct'))
    expect(await deleteManyProduct(gateway, condition, kind)).toEqual(refused('deleteManyProduct'))
    expect(sent).toEqual([])
  })

  test.each([
    [{ Name: { eq: null } }],
    [{ Name: { neq: null } }],
    [{ Stock: { eq: 0 }, IsActive: { eq: false }, Name: { eq: '' } }],
    [{ ReleasedAt: { gte: new Date(0) } }],
    [{ and: [{ Name: { in: ['a'] } }, { or: [{ Price: { lte: 1 } }] }] }],
  ] as [ProductCondition][])('but %j is sent', async (where) => {
    const { gateway, sent } = answering({ deleteManyProduct: allDone })
    await deleteManyProduct(gateway, where, { isHardDelete: true })
    expect(sent[0]?.variables).toEqual(
      JSON.parse(JSON.stringify({ where, input: { isHardDelete: true } })),
    )
  })
})

test('a condition that contains itself is a failure before anything is sent', async () => {
  const gateway = createGateway({
    baseUrl: 'https://api.example.com',
    projectKey: 'P1',
    fetch: () => expect.unreachable('nothing may be sent'),
  })
  const and: object[] = [{ Price: { gt: 1 } }]
  and.push({ and })
  const message = expect.stringMatching(/circular.*'and'.*Nothing was sent$/s) as string
  expect(await updateManyProduct(gateway, { and } as never, { Price: 1 })).toMatchObject({
    ok: false,
    errors: [{ message, extensions: { code: 'VALUE_INVALID' } }],
  })
})
