import { describe, expect, expectTypeOf, test } from 'vitest'
import { toOrderInsert, toOrderUpdate, type Order } from '../__snapshots__/storefront/order.ts'
import {
  type ProductUpdateInput,
  type ProductWhere,
  toProductInsert,
  toProductUpdate,
} from '../__snapshots__/storefront/product.ts'
import { omitUndefined, toInput } from './gateway-input.ts'

const system = {
  ItemId: 'o-1',
  CreatedDate: '2026-01-01T00:00:00.000Z',
  LastUpdatedDate: null,
  CreatedBy: 'me',
  LastUpdatedBy: null,
  Language: 'en-US',
  OrganizationId: 'default',
  Tags: ['new', null],
}
const line = { ProductId: 'p', Sku: 'C-1', Name: null, Quantity: 1, UnitPrice: 3, Discount: null }
const order = {
  ...system,
  Number: 1,
  CustomerId: 'c',
  Status: null,
  DeliveredAt: null,
  ChangeReason: 'paid',
  Lines: [line, null],
  ShippingAddress: { Recipient: 'A', Street: 'B', City: 'C', CountryCode: 'DE', Location: null },
} as unknown as Order

describe('a row becomes', () => {
  test('an insert without ItemId, service fields and null', () => {
    expect(toOrderInsert(order)).toEqual({
      Language: 'en-US',
      OrganizationId: 'default',
      Tags: ['new'],
      Number: 1,
      CustomerId: 'c',
      ChangeReason: 'paid',
      Lines: [{ ProductId: 'p', Sku: 'C-1', Quantity: 1, UnitPrice: 3 }],
      ShippingAddress: { Recipient: 'A', Street: 'B', City: 'C', CountryCode: 'DE' },
    })
  })

  test('an update that clears optional fields, and leaves required ones to the caller', () => {
    const update = toOrderUpdate(order)
    expect(update).toMatchObject({ DeliveredAt: null, ChangeReason: 'paid', Tags: ['new'] })
    expect(update).not.toHaveProperty('Status')
    expect(update).not.toHaveProperty('ItemId')
    expect(update).not.toHaveProperty('LastUpdatedDate')
  })

  test('an input with only the members of the row, without those of a form', () => {
    const form = { ItemId: '7', Name: 'Cup', Price: null, ReleasedAt: new Date(0), isDirty: true }
    expect(toProductUpdate(form)).toEqual({ Name: 'Cup', Price: null, ReleasedAt: new Date(0) })
    expect(toProductInsert(form)).toEqual({ Name: 'Cup', ReleasedAt: new Date(0) })
  })
})

test('the result of a row is an update without a cast', () => {
  const row = { ItemId: '7', Name: 'Cup' as string | null, Tags: null }
  const input = toProductUpdate(row)
  expectTypeOf(input).toExtend<ProductUpdateInput>()
  expectTypeOf(input).not.toHaveProperty('ItemId')
  expectTypeOf(toProductInsert(row).Name).toEqualTypeOf<string | undefined>()
  expectTypeOf(toProductInsert({ Name: 'Cup' }).Name).toEqualTypeOf<string>()
  expect(input).toEqual({ Name: 'Cup', Tags: null })
})

test('a nested object keeps its own ItemId and dates', () => {
  const part = toInput('ItemId CreatedDate', false)
  const entity = toInput('CreatedDate Name', true)
  const convert = toInput('Name', true, { Part: () => part, Entity: () => entity })
  const nested = { ItemId: '1', CreatedDate: 'today', Name: 'N' }
  expect(convert({ ItemId: '0', Part: nested, Entity: nested })).toEqual({
    Part: { ItemId: '1', CreatedDate: 'today' },
    Entity: { ItemId: '1', Name: 'N' },
  })
})

describe('optional conditions', () => {
  const where = (conditions: Parameters<typeof omitUndefined<ProductWhere>>[0]): ProductWhere =>
    omitUndefined<ProductWhere>(conditions)

  test('lose the values that are undefined, and the filters that consist of them', () => {
    expect(
      where({
        Name: { contains: undefined, neq: null },
        Sku: { eq: undefined },
        Price: undefined,
        Stock: { gte: 0, lt: undefined },
        IsActive: { eq: false },
        CategoryId: { in: [] },
      }),
    ).toEqual({
      Name: { neq: null },
      Stock: { gte: 0 },
      IsActive: { eq: false },
      CategoryId: { in: [] },
    })
    expect(where({ Name: { eq: undefined } })).toEqual({})
  })

  test('lose them in alternatives, too', () => {
    const undefinedOnly = { and: [{ Name: { eq: undefined } }, { Sku: undefined }] }
    expect(where({ or: [{ Name: { eq: 'a' } }, undefinedOnly, { Price: { lt: 1 } }] })).toEqual({
      or: [{ Name: { eq: 'a' } }, { Price: { lt: 1 } }],
    })
    expect(where({ or: [undefinedOnly], and: [] })).toEqual({})
  })

  test('keep dates as they are', () => {
    const before = new Date(0)
    expect(where({ ReleasedAt: { lt: before, gt: undefined } })).toEqual({
      ReleasedAt: { lt: before },
    })
  })
})
