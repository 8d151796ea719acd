import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { send } from './gateway-client.ts'
import { project } from '@servicekit/testing/projects'

const schema = {
  schemaName: 'Thing',
  schemaType: 1,
  querySchema: 'Things',
  fields: [
    { name: 'Name', type: 'String' },
    { name: 'Count', type: 'Int' },
    { name: 'On', type: 'Boolean' },
    { name: 'When', type: 'DateTime' },
    { name: 'Any', type: 'Nowhere' },
  ],
}
const records = {
  Thing: [
    { ItemId: 'a', Name: 'Apple', Count: 1, On: true, When: '2025-01-01T00:00:00.000Z' },
    { ItemId: 'b', Name: 'apple pie', Count: 2, On: false, When: '2025-02-01T00:00:00.000Z' },
    { ItemId: 'c', Name: 'a.b*c', Count: 3, When: '2025-03-01T00:00:00.000Z' },
    { ItemId: 'd' },
  ],
}

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform()
})
afterAll(() => platform?.close())
beforeEach(async () => {
  await platform.loadProject(project('P', {}, { schemas: [schema], records }))
})

const list = (input: Record<string, unknown>, more = '') =>
  send(
    platform,
    'P',
    `query ($input: DynamicQueryInput) { Things(input: $input ${more}) {
      items { ItemId } totalCount pageNo pageSize } }`,
    { input },
  )
const idsOf = async (input: Record<string, unknown>, more?: string): Promise<string> => {
  const { data, errors } = await list(input, more)
  expect(errors).toEqual([])
  return data.Things.items.map(({ ItemId }: { ItemId: string }) => ItemId).join('')
}

/** Reloading a project moves its changed records to the end. */
const sort = '{"ItemId": 1}'
const unchanged = () => idsOf({ filter: '{"Name": {"$ne": "changed"}}', sort })

describe('a list with input: DynamicQueryInput', () => {
  it.each([
    [{ ItemId: 'b' }, 'b'],
    [{ _id: 'b' }, 'b'],
    [{ Name: 'Apple', Count: 1 }, 'a'],
    [{ Name: null }, 'd'],
    [{ Count: { $eq: 2 } }, 'b'],
    [{ Count: { $ne: 2 } }, 'acd'],
    [{ Count: { $gt: 1, $lt: 3 } }, 'b'],
    [{ Count: { $gte: 2 } }, 'bc'],
    [{ Count: { $lte: 2 } }, 'ab'],
    [{ Count: { $in: [1, 3] } }, 'ac'],
    [{ Count: { $in: [null, 3] } }, 'cd'],
    [{ Count: { $in: [] } }, ''],
    [{ Count: { $nin: [1, 3] } }, 'bd'],
    [{ Count: { $nin: [1, null] } }, 'bc'],
    [{ Count: { $exists: false } }, 'd'],
    [{ Count: { $exists: true } }, 'abc'],
    [{ On: true }, 'a'],
    [{ When: { $gte: '2025-02-01' } }, 'bc'],
    [{ When: { $lt: { $date: '2025-02-01T01:00:00+01:00' } } }, 'a'],
    [{ Name: { $regex: 'pple' } }, 'ab'],
    [{ Name: { $regex: '^apple' } }, 'b'],
    [{ Name: { $regex: '^APPLE', $options: 'i' } }, 'ab'],
    [{ Name: { $regex: 'PIE$', $options: 'i' } }, 'b'],
    [{ Name: { $regex: '^apple$', $options: 'i' } }, 'a'],
    [{ Name: { $regex: '.*pie.*' } }, 'b'],
    [{ Name: { $regex: 'a\\.b\\*c' } }, 'c'],
    [{ $or: [{ Count: 1 }, { Name: { $regex: 'pie' } }] }, 'ab'],
    [{ $and: [{ Count: { $gt: 1 } }, { On: false }] }, 'b'],
    [{ $or: [{ $and: [{ Count: 3 }] }, { ItemId: 'd' }] }, 'cd'],
    [{}, 'abcd'],
    [null, 'abcd'],
  ])('finds by the filter %j', async (filter, expected) => {
    expect(await idsOf({ filter: JSON.stringify(filter), sort })).toBe(expected)
  })

  it.each([
    ['{"Count":-1}', 'cbad'],
    ['{"Count":1}', 'dabc'],
    ['{"On":"desc","Count":"ASC"}', 'abdc'],
    ['[{"field":"Count","direction":"DESC"}]', 'cbad'],
    ['{}', 'abcd'],
    ['', 'abcd'],
  ])('sorts by %s', async (sort, expected) => {
    expect(await idsOf({ sort })).toBe(expected)
  })

  it('pages, and accepts either member of paging alone', async () => {
    expect((await list({ pageNo: 2, pageSize: 3 })).data.Things).toEqual({
      items: [{ ItemId: 'd' }],
      totalCount: 4,
      pageNo: 2,
      pageSize: 3,
    })
    expect((await list({ pageSize: 2 })).data.Things).toMatchObject({ pageNo: 1, pageSize: 2 })
    expect((await list({ pageNo: 2 })).data.Things).toMatchObject({ pageNo: 2, pageSize: 10 })
  })

  it('combines filter and where, and sorts by order before sort', async () => {
    const where = 'where: {Count: {gt: 1}}, order: [{field: "Count", direction: DESC}]'
    expect(await idsOf({ filter: '{"Count": {"$lt": 9}}', sort: '{"Count": 1}' }, where)).toBe('cb')
  })
})

const refused: readonly (readonly [string, RegExp])[] = [
  ['{', /filter is not JSON/],
  ["{'ItemId': 'a'}", /filter is not JSON/],
  ['[]', /filter must be an object/],
  ['"a"', /filter must be an object/],
  ['{"Nothing": 1}', /no field "Nothing"/],
  ['{"__proto__": 1}', /no field "__proto__"/],
  ['{"constructor": {"$eq": 1}}', /no field "constructor"/],
  ['{"Any": 1}', /no field "Any"/],
  ['{"Tags": "t"}', /no field "Tags"/],
  ['{"$where": "1"}', /\$where/],
  ['{"Count": {"$constructor": 1}}', /\$constructor/],
  ['{"Count": {"gt": 1}}', /gt/],
  ['{"Count": "many"}', /Count/],
  ['{"Count": {"$gt": null}}', /null/],
  ['{"CreatedDate": {"$gt": "0000-01-01"}}', /0000-01-01/],
  ['{"Count": {"$in": 1}}', /\$in/],
  ['{"Count": {"$regex": "1"}}', /\$regex/],
  ['{"Name": {"$regex": "(a+)+$"}}', /\$regex/],
  ['{"Name": {"$regex": "a", "$options": "x"}}', /\$options/],
  ['{"Name": ["a"]}', /^filter: Name cannot be compared with a list or an object\.$/],
  ['{"Name": {"$date": {"a": 1}}}', /^filter: Name cannot be compared with a list or an object\.$/],
  ['{"$or": {"Count": 1}}', /\$or/],
  [`${'{"$and":['.repeat(40)}{"Count":1}${']}'.repeat(40)}`, /deeper/],
]

it('refuses a filter whose value nests so deeply that reading it would overflow the stack', async () => {
  const value = `${'['.repeat(5000)}${2n ** 63n}${']'.repeat(5000)}`
  const { errors } = await list({ filter: `{"Name": ${value}}` })
  expect(errors[0]!.message).toBe('filter: Name cannot be compared with a list or an object.')
})

it.each(refused)(
  'refuses the filter %s, of a list, an update and a delete',
  async (filter, reason) => {
    const outcomes = [
      await list({ filter }),
      await send(platform, 'P', change, { filter }),
      await send(platform, 'P', remove, { filter }),
    ]
    for (const { status, code, errors } of outcomes) {
      expect([status, code]).toEqual([200, 'VALIDATION_ERROR'])
      expect(errors[0]!.message).toMatch(reason)
    }
    expect(await unchanged()).toBe('abcd')
  },
)

it.each(['{', '[1]', '"Name"', '{"Nothing": 1}', '{"Name": 2}', '{"__proto__": 1}', '{"Tags": 1}'])(
  'refuses the sort %s',
  async (sort) => {
    const { status, code } = await list({ sort })
    expect([status, code]).toEqual([200, 'VALIDATION_ERROR'])
  },
)

const change = `mutation ($filter: String) { m: updateThing(filter: $filter, input: {Name: "changed"}) {
  acknowledged itemId totalImpactedData } }`
const remove = `mutation ($filter: String, $input: ThingDeleteInput) {
  m: deleteThing(filter: $filter, input: $input) { acknowledged itemId totalImpactedData } }`
const many = (mutation: string) => mutation.replace('Thing(', 'ManyThing(')

describe('changes by filter', () => {
  const filter = JSON.stringify({ ItemId: 'b' })

  it('update one record', async () => {
    const { data } = await send(platform, 'P', change, { filter })
    expect(data.m).toEqual({ acknowledged: true, itemId: 'b', totalImpactedData: 1 })
    expect(await idsOf({ filter: '{"Name": "changed"}', sort })).toBe('b')
  })

  it.each([{ isHardDelete: true }, { isHardDelete: false }, null])(
    'delete one record, with the input %j',
    async (input) => {
      const { data } = await send(platform, 'P', remove, { filter, input })
      expect(data.m).toEqual({ acknowledged: true, itemId: 'b', totalImpactedData: 1 })
      expect(await idsOf({ sort })).toBe('acd')
    },
  )

  it('update and delete many records', async () => {
    const found = JSON.stringify({ Count: { $gte: 2 } })
    const updated = await send(platform, 'P', many(change), { filter: found })
    expect(updated.data.m.totalImpactedData).toBe(2)
    expect(await idsOf({ filter: '{"Name": "changed"}', sort })).toBe('bc')
    const removed = await send(platform, 'P', many(remove), { filter: found })
    expect(removed.data.m.totalImpactedData).toBe(2)
    expect(await idsOf({ sort })).toBe('ad')
  })

  it('need both filter and where to match', async () => {
    const both =
      'mutation { m: deleteManyThing(filter: "{\\"Count\\": 1}", where: {Count: {eq: 2}}) { totalImpactedData } }'
    expect((await send(platform, 'P', both)).data.m.totalImpactedData).toBe(0)
  })

  it.each([undefined, '', ' ', '{}', 'null', '{"$or": []}', '{"$and": [{}]}', '{"Count": {}}'])(
    'change nothing where the filter is %j',
    async (empty) => {
      for (const mutation of [change, remove, many(change), many(remove)]) {
        const { code, errors } = await send(platform, 'P', mutation, { filter: empty })
        expect([code, errors[0]!.message]).toEqual([
          'VALIDATION_ERROR',
          'where or filter: a condition is required.',
        ])
      }
      expect(await unchanged()).toBe('abcd')
    },
  )
})
