import { isDeep } from '@servicekit/testing/is-deep'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Platform } from '../src/index.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { send } from './gateway-client.ts'
import { project } from '@servicekit/testing/projects'

type Row = Record<string, unknown>
type Where = Record<string, unknown>

const names = ['', 'a', 'A', 'ab', 'aé', '%', '_', "o'clock", '\\', 'ß', 'ﬀ', '\u{1f600}', '🇩🇪b']
const counts = [-2_147_483_648, -1, 0, 1, 2, 10, 2_147_483_647]
const rates = [-1.5, 0, 0.1, 0.30000000000000004, 1, 1e21, 1e-7]
const longs = [
  -(2n ** 63n),
  -Number.MAX_SAFE_INTEGER,
  0,
  1,
  4_294_967_296,
  Number.MAX_SAFE_INTEGER,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
]
const dates = ['2024-12-31T23:59:59.999Z', '2025-01-01T00:00:00.000Z', '2025-06-01T10:00:00.000Z']
const values: Record<string, readonly unknown[]> = {
  Name: names,
  Count: counts,
  Rate: rates,
  Big: longs,
  On: [true, false],
  When: dates,
  CreatedDate: dates,
  Language: ['de-DE', 'en-US'],
}
const types: Record<string, string> = {
  Name: 'String',
  Count: 'Int',
  Rate: 'Float',
  Big: 'Long',
  On: 'Boolean',
  When: 'DateTime',
}
const schema = {
  schemaName: 'Thing',
  schemaType: 1,
  querySchema: 'Things',
  fields: Object.entries(types).map(([name, type]) => ({ name, type })),
}

/** 120 records with every value of every field, including nulls and missing members. */
const rows: Row[] = Array.from({ length: 120 }, (_, index) => {
  const row: Row = { ItemId: `id-${String(index).padStart(3, '0')}` }
  for (const [place, [name, list]] of Object.entries(values).entries()) {
    const turn = (index * (place + 3) + place) % (list.length + 2)
    if (turn < list.length) row[name] = list[turn]
    else if (turn === list.length) row[name] = null
  }
  row['CreatedDate'] ??= dates[0]
  return row
})

const bytes = (text: string): Buffer => Buffer.from(text)
const contains: Record<string, (value: string, part: string) => boolean> = {
  contains: (value, part) => value.includes(part),
  startsWith: (value, part) => value.startsWith(part),
  endsWith: (value, part) => value.endsWith(part),
}

/** Compares two values of one field; null sorts below everything. */
function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a === 'string') return Buffer.compare(bytes(a), bytes(b as string))
  return a === b ? 0 : (a as bigint) < (b as bigint) ? -1 : 1
}

function holds(row: Row, name: string, operator: string, operand: unknown): boolean {
  const value = row[name] ?? null
  if (operator === 'eq') return value === operand
  if (operator === 'neq') return value !== operand
  if (operator === 'in') return (operand as unknown[]).includes(value)
  if (value === null) return false
  if (operator in contains) return contains[operator]!(value as string, operand as string)
  const order = compare(value, operand)
  return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[operator]!
}

function matches(row: Row, where: Where): boolean {
  return Object.entries(where).every(([name, part]) => {
    if (name === 'and') return (part as Where[]).every((one) => matches(row, one))
    if (name === 'or') {
      // A part without conditions is ignored rather than matching everything.
      const parts = (part as Where[]).filter((one) => !isEmpty(one))
      return parts.length === 0 || parts.some((one) => matches(row, one))
    }
    return Object.entries(part as Where).every(([operator, operand]) =>
      holds(row, name, operator, operand),
    )
  })
}

const isEmpty = (where: Where): boolean =>
  Object.entries(where).every(([name, part]) =>
    name === 'and' || name === 'or'
      ? (part as Where[]).every(isEmpty)
      : Object.keys(part as Where).length === 0,
  )

const operand = (name: string) => fc.constantFrom(...values[name]!)
const conditions = fc.constantFrom(...Object.keys(values)).chain((name) => {
  const isText = name === 'Name' || name === 'Language'
  const single = isText
    ? ['contains', 'startsWith', 'endsWith']
    : name === 'On'
      ? []
      : ['gt', 'gte', 'lt', 'lte']
  const entry = fc.oneof(
    fc.tuple(fc.constantFrom('eq', 'neq'), fc.oneof(operand(name), fc.constant(null))),
    ...(single.length > 0 ? [fc.tuple(fc.constantFrom(...single), operand(name))] : []),
    ...(name === 'On'
      ? []
      : [
          fc.tuple(
            fc.constant('in'),
            fc.array(fc.oneof(operand(name), fc.constant(null)), { maxLength: 4 }),
          ),
        ]),
  )
  return fc
    .uniqueArray(entry, { selector: ([operator]) => operator, maxLength: 2 })
    .map((entries): Where => ({ [name]: Object.fromEntries(entries) }))
})
const where: fc.Arbitrary<Where> = fc.letrec<{ where: Where }>((tie) => ({
  where: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.array(conditions, { maxLength: 3 }).map((parts) => Object.assign({}, ...parts) as Where),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('where'), { maxLength: 3 }), conditions)
      .map(([name, parts, beside]) => ({ ...beside, [name]: parts })),
  ),
})).where
const order = fc.uniqueArray(
  fc.record({
    field: fc.constantFrom('ItemId', ...Object.keys(values)),
    direction: fc.constantFrom('ASC', 'DESC'),
  }),
  { selector: ({ field }) => field, maxLength: 3 },
)

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open()
    await platform.loadProject(project('P', {}, { schemas: [schema], records: { Thing: rows } }))
  })
  const list = (variables: Record<string, unknown>) =>
    send(
      platform,
      'P',
      `query($where: ThingFilterInput, $order: [DynamicSortInput!], $paging: PaginationInput) {
        Things(where: $where, order: $order, paging: $paging) {
          items { ItemId ${Object.keys(values).join(' ')} }
          totalCount totalPages hasNextPage hasPreviousPage } }`,
      variables,
    )

  it('stores records as they were loaded', async () => {
    const { data } = await list({ paging: { pageNo: 1, pageSize: 1000 } })
    const whole = rows.map((row) => ({
      ItemId: row['ItemId'],
      ...Object.fromEntries(Object.keys(values).map((name) => [name, row[name] ?? null])),
    }))
    expect(data.Things.items).toEqual(whole)
  })

  it('finds, sorts and pages exactly what plain code finds', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        where,
        order,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 50 }),
        async (where, order, pageNo, pageSize) => {
          const found = rows
            .filter((row) => matches(row, where))
            .toSorted((a, b) => {
              for (const { field, direction } of order) {
                const result = compare(a[field] ?? null, b[field] ?? null)
                if (result !== 0) return direction === 'DESC' ? -result : result
              }
              return 0
            })
          const { data, errors } = await list({ where, order, paging: { pageNo, pageSize } })
          expect(errors).toEqual([])
          const start = (pageNo - 1) * pageSize
          const { items, ...page } = data.Things
          expect(items.map(({ ItemId }: Row) => ItemId)).toEqual(
            found.slice(start, start + pageSize).map(({ ItemId }) => ItemId),
          )
          expect(page).toEqual({
            totalCount: found.length,
            totalPages: Math.ceil(found.length / pageSize),
            hasNextPage: start + pageSize < found.length,
            hasPreviousPage: pageNo > 1,
          })
        },
      ),
      { numRuns: isDeep ? 250 : 80 },
    )
  })

  describe('rejects', () => {
    it.each([
      ['a null where a value is needed', { where: { Count: { gt: null } } }],
      ['a null list', { where: { Name: { in: null } } }],
      ['a null to search for', { where: { Name: { contains: null } } }],
      ['an unknown field', { where: { Nothing: { eq: 1 } } }],
      ['a year that the database lacks', { where: { CreatedDate: { gt: '0000-01-01' } } }],
      [
        'an instant in such a year',
        { where: { LastUpdatedDate: { in: ['0001-01-01T00:00:00+14:00'] } } },
      ],
      ['an operator of another type', { where: { On: { gt: true } } }],
      ['an unknown field to sort by', { order: [{ field: 'Nothing' }] }],
      ['a hostile field to sort by', { order: [{ field: `Name" desc; drop table x; --` }] }],
      ['a list to sort by', { order: [{ field: 'Tags' }] }],
      ['an unknown direction', { order: [{ field: 'Name', direction: 'UP' }] }],
      [
        'too many conditions',
        { where: { and: Array.from({ length: 501 }, () => ({ Count: { eq: 1 } })) } },
      ],
      [
        'conditions that nest too deep',
        { where: Array.from({ length: 20 }).reduce((inner) => ({ and: [inner] }), {}) },
      ],
    ])('%s', async (_, variables) => {
      const { status, code } = await list(variables as Record<string, unknown>)
      expect([status, code]).toEqual([200, 'VALIDATION_ERROR'])
    })
  })

  it.each([
    ['nothing', {}],
    ['null', null],
    ['an empty or', { or: [] }],
    ['an empty and', { and: [] }],
    ['an or of nothing', { or: [{}, null] }],
    ['a field without operators', { Name: {} }],
    ['a null field', { Name: null }],
  ])('ignores the empty condition %s', async (_, where) => {
    const { data, errors } = await list({ where })
    expect([errors, data.Things.totalCount]).toEqual([[], 120])
  })

  it('treats a value of another type than its field as null instead of failing', async () => {
    const records = { Thing: [{ ItemId: '1', Count: 'many', Name: 5, On: 'yes', When: 'soon' }] }
    const loaded = await platform.loadProject(project('ODD', {}, { schemas: [schema], records }))
    expect(loaded.problems.map(({ member }) => member)).toEqual([
      '1 Count',
      '1 Name',
      '1 On',
      '1 When',
    ])
    const { data, errors } = await send(
      platform,
      'ODD',
      '{ Things(where: {Count: {neq: 1}, On: {neq: true}}, order: [{field: "Count"}]) { items { ItemId Name When } } }',
    )
    expect([errors, data.Things.items]).toEqual([[], [{ ItemId: '1', Name: '5', When: 'soon' }]])
  })
})
