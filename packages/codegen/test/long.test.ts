import { createClient } from '@servicekit/client'
import { createClientGateway } from '@servicekit/client/gateway'
import { handlerTransport } from '@servicekit/client/testing'
import { createPlatform, type Platform } from '@servicekit/platform'
import { printExactJson } from '@servicekit/core/exact-json'
import { project } from '@servicekit/testing/projects'
import { isDeep } from '@servicekit/testing/is-deep'
import fc from 'fast-check'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Gateway, GatewayResult } from '../__snapshots__/storefront/gateway.ts'
import { buildModel, emitAll, normaliseListing } from '../src/index.ts'
import { handleOperation, pageOf } from '../src/msw.ts'
import { loadModules } from './load-modules.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const field = (name: string, type: string, isArray = false) => ({ name, type, isArray })
const listing = [
  {
    schemaName: 'Thing',
    schemaType: 1,
    querySchema: 'Things',
    mutationSchemas: ['insertThing', 'insertManyThing', 'updateThing', 'updateManyThing'],
    fields: [
      field('Text', 'String'),
      field('Big', 'Long'),
      field('Bigs', 'Long', true),
      field('Rate', 'Float'),
      field('Rates', 'Float', true),
      field('Part', 'Part'),
      field('Parts', 'Part', true),
    ],
  },
  {
    schemaName: 'Part',
    schemaType: 2,
    fields: [field('Text', 'String'), field('Big', 'Long'), field('Parts', 'Part', true)],
  },
]
const types = ['number', 'bigint', 'string'] as const
type LongType = (typeof types)[number]

/** Call of a generated module, whose types other tests check. */
// oxlint-disable-next-line typescript/no-explicit-any
type Call = (...args: readonly unknown[]) => any

async function generated(long: LongType): Promise<Readonly<Record<string, Call>>> {
  const model = buildModel(normaliseListing(listing))
  const options = { long, validators: true, factories: true, queryOptions: true } as const
  const modules = await loadModules(emitAll(model, options), afterAll)
  return Object.assign({}, ...modules.values()) as Readonly<Record<string, Call>>
}

/** Returns an integer as generated code does. */
const asType = (long: LongType, value: bigint | number): unknown =>
  ({ number: Number, bigint: BigInt, string: String })[long](value)

const limits = [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n]
const isSafe = (value: bigint): boolean => Number.isSafeInteger(Number(value))
const sorted = [...limits].sort((one, other) => (one < other ? -1 : 1))

const baseUrl = 'http://platform.test'
const projectKey = 'Plong'
let platform: Platform
beforeAll(async () => {
  platform = await createPlatform({})
  const schemas = listing as never
  await platform.loadProject(project(projectKey, {}, { schemas }))
  await platform.loadProject(project('Pempty', {}, { schemas }))
})
afterAll(() => platform.close())
const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

const fetchPlatform = (url: string | URL | Request, init?: RequestInit): Promise<Response> =>
  platform.fetch(new Request(url, init))

/** Gateways that send requests in every way, each to records of its own. */
const gateways: Readonly<Record<string, (key: string) => Gateway>> = {
  'its fetch': (key) => ({ baseUrl, projectKey: key, fetch: fetchPlatform }),
  'the client': (key) =>
    createClientGateway({
      client: createClient({
        baseUrl,
        projectKey: key,
        transport: handlerTransport((request) => platform.fetch(request)),
      }),
    }),
}

const must = async <T>(result: Promise<GatewayResult<T>>): Promise<T> => {
  const settled = await result
  expect(settled).toMatchObject({ ok: true })
  return (settled as { readonly data: T }).data
}

describe.each(Object.entries(gateways))('over %s', (name, open) => {
  describe.each(types)('a Long as %s', (long) => {
    let module: Awaited<ReturnType<typeof generated>>
    let gateway: Gateway
    beforeAll(async () => {
      module = await generated(long)
      const key = `P${name.length}${long}`
      await platform.loadProject(project(key, {}, { schemas: listing as never }))
      gateway = open(key)
    })
    const input = (value: bigint) => (long === 'number' ? value : asType(long, value))

    test('is inserted, found, sorted, read and updated exactly', async () => {
      for (const value of limits) {
        const Big = input(value)
        const Part = { Big, Parts: [{ Big }, { Text: `${value}` }] }
        const inserted = await must(
          module['insertThing']!(gateway, {
            ItemId: `${value}`,
            Text: `${value}`,
            Big,
            Bigs: [Big, input(1n)],
            Rate: 2 ** 60,
            Rates: [2 ** 70, 0.1],
            Part,
            Parts: [Part],
          }),
        )
        expect(inserted).toMatchObject({ itemId: `${value}`, totalImpactedData: 1 })
      }
      const idsOf = async (options: object): Promise<unknown> => {
        const { items } = (await must(
          module['listThings']!(gateway, { select: [], ...options }),
        )) as { items: { ItemId: string }[] }
        return items.map(({ ItemId }) => ItemId)
      }
      const order = [{ field: 'Big' }]
      expect(await idsOf({ order })).toEqual(sorted.map(String))
      for (const value of limits) {
        const Big = input(value)
        expect(await idsOf({ where: { Big: { eq: Big } } })).toEqual([`${value}`])
        expect(await idsOf({ where: { or: [{ Big: { in: [Big] } }] } })).toEqual([`${value}`])
        const greater = sorted.filter((one) => one > value).map(String)
        expect(await idsOf({ where: { and: [{ Big: { gt: Big } }] }, order })).toEqual(greater)
        const documented = module['execute']!(
          gateway,
          'query($big: Long, $where: ThingFilterInput) { Things(where: {and: [$where, {Big: {gte: $big}}]}) { totalCount } }',
          { big: Big, where: { Big: { lte: Big } } },
        )
        expect(await must(documented)).toEqual({ Things: { totalCount: 1 } })
      }
      for (const value of limits) await readEach(value)
      const where = { Big: { in: limits.map(input) } }
      const change = { Big: input(2n ** 62n + 1n), Parts: [{ Big: input(2n ** 62n + 3n) }] }
      await must(module['updateManyThing']!(gateway, where, change))
      expect(await idsOf({ where: { Big: { eq: input(2n ** 62n + 1n) } } })).toHaveLength(5)
      await must(module['updateThing']!(gateway, `${limits[0]}`, { Big: input(7n) }))
      expect(await must(module['getThing']!(gateway, `${limits[0]}`, { select: ['Big'] }))).toEqual(
        {
          ItemId: `${limits[0]}`,
          Big: asType(long, 7n),
        },
      )
    })

    /** Reads one record in every way. */
    async function readEach(value: bigint): Promise<void> {
      const where = { ItemId: { eq: `${value}` } }
      const Big = asType(long, value)
      const flat = { Big, Bigs: [Big, asType(long, 1)] }
      const floats = { Text: `${value}`, Rate: 2 ** 60, Rates: [2 ** 70, 0.1] }
      const Part = { Big, Parts: [{ Big }, { Big: null }] }
      const select = { Big: true, Part: { Big: true, Parts: { Big: true } }, Parts: { Big: true } }
      const ItemId = `${value}`
      const row = { ItemId, Big, Part, Parts: [{ Big }] }
      const page = (items: unknown) => ({ items: [items], totalCount: 1 })
      const walked = async (walk: AsyncGenerator<unknown>) => (await walk.next()).value as unknown
      const nested = '{ Things(where: $where) { rows: items { ...F Parts { Big } } } }'
      const document = `query($where: ThingFilterInput) ${nested}
        fragment F on Thing { id: ItemId, Renamed: Big ... on Thing { Part { Big: Big ...P } } Parts { b: Big } }
        fragment P on Part { Parts @include(if: true) { Big } }`
      const calls: readonly (readonly [
        name: string,
        call: () => Promise<unknown>,
        data: unknown,
      ])[] = [
        [
          'list',
          () => module['listThings']!(gateway, { where }),
          page({ ItemId, ...flat, ...floats }),
        ],
        ['get', () => module['getThing']!(gateway, ItemId), { ItemId, ...flat, ...floats }],
        ['nested list', () => module['listThingsNested']!(gateway, { where, select }), page(row)],
        ['nested get', () => module['getThingNested']!(gateway, ItemId, { select }), row],
        ['walk', () => walked(module['walkThings']!(gateway, { where })), page(flat)],
        [
          'nested walk',
          () => walked(module['walkThingsNested']!(gateway, { where, select })),
          page(row),
        ],
        ['options', () => module['listThingsOptions']!(gateway, { where }).queryFn({}), page(flat)],
        [
          'document',
          () => module['execute']!(gateway, module['listThingsDocument'], { where }),
          { Things: page({ ItemId, ...flat }) },
        ],
        [
          'own document',
          () => module['execute']!(gateway, document, { where }),
          { Things: { rows: [{ id: ItemId, Renamed: Big, Part, Parts: [{ b: Big, Big }] }] } },
        ],
      ]
      for (const [name, call, data] of calls) {
        const isUnknown = name.endsWith('document')
        // 2^53 is a number exactly, which is certain where the type is not known.
        if (long === 'number' && isUnknown && value === 2n ** 53n) continue
        const path = expect.arrayContaining([name === 'own document' ? 'rows' : 'items', 0])
        const error = expect.objectContaining({ path, extensions: { code: 'LONG_ROUNDED' } })
        const rounded = { errors: expect.arrayContaining([error]) as unknown }
        const result = (await call().catch((thrown: unknown) => thrown)) as object
        const outcome = 'ok' in result || 'errors' in result ? result : { ok: true, data: result }
        const isRounded = long === 'number' && !isSafe(value)
        expect([name, outcome]).toMatchObject([name, isRounded ? rounded : { ok: true, data }])
      }
    }
  })
})

/** Texts that a scanner may mistake for numbers, or for the end of a text. */
const hostile = fc
  .array(
    fc.constantFrom(
      '123456789012345678901',
      '"',
      '\\',
      '\\"',
      ':',
      '\u0001',
      '0:1',
      'e+',
      '-1',
      ',',
    ),
  )
  .map((parts) => parts.join(''))
const integer = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: 2n ** 53n - 9n, max: 2n ** 53n + 9n }),
  fc.bigInt({ min: -(2n ** 53n) - 9n, max: -(2n ** 53n) + 9n }),
)
const float = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((one) => !Object.is(one, -0))

describe.each(types)('any row with Longs as %s', (long) => {
  let module: Awaited<ReturnType<typeof generated>>
  beforeAll(async () => void (module = await generated(long)))
  const rows = fc.array(
    fc.record({
      Text: hostile,
      Big: integer,
      Bigs: fc.array(integer),
      Rate: float,
      Rates: fc.array(fc.oneof(float, fc.constant(2 ** 70))),
    }),
    { maxLength: 4 },
  )
  /** Gateway that returns these rows, with Longs in digits. */
  const gatewayOf = (items: readonly object[]): Gateway => ({
    baseUrl,
    projectKey,
    fetch: async () => new Response(printExactJson({ data: { Things: { items } } })),
  })

  test('is read exactly, or is an error', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (records) => {
        const gateway = gatewayOf(records)
        const result = await module['listThings']!(gateway)
        const errors = records
          .flatMap(({ Big, Bigs }) => [Big, ...Bigs])
          .filter((value) => long === 'number' && !isSafe(value))
          .map(() => ({ extensions: { code: 'LONG_ROUNDED' } }))
        const items = records.map(({ Big, Bigs, ...rest }) => ({
          ...rest,
          Big: asType(long, Big),
          Bigs: Bigs.map((one) => asType(long, one)),
        }))
        const isExact = errors.length === 0
        expect(result).toMatchObject(
          isExact ? { ok: true, data: { items } } : { ok: false, errors },
        )
        const document = '{ Things { items { Text Big Bigs Rate Rates } } }'
        const executed = await module['execute']!(gateway, document)
        const data = { Things: { items } }
        // A number that is exact is no error where the type is not known.
        expect(isExact || executed.ok ? executed.data : data).toEqual(data)
      }),
      { numRuns: isDeep ? 500 : 40 },
    )
  })

  test('is an error if it is not written in digits and a number may round it', async () => {
    const fetchText = (text: string): Gateway => ({
      baseUrl,
      projectKey,
      fetch: async () => new Response(`{"data": {"Things": {"items": [{"Big": ${text}}]}}}`),
    })
    for (const text of ['9.007199254740993e15', '9007199254740993.0', '-1e19']) {
      const errors = [
        { message: expect.stringContaining('Big'), extensions: { code: 'LONG_ROUNDED' } },
      ]
      expect(await module['listThings']!(fetchText(text))).toMatchObject({ ok: false, errors })
    }
    const data = { items: [{ Big: asType(long, 12_000n) }] }
    expect(await module['listThings']!(fetchText('1.2e4'))).toMatchObject({ ok: true, data })
  })
})

test.each(types)('a handler of msw takes and returns rows with Longs as %s', async (long) => {
  const module = await generated(long)
  const row = (module['makeThing'] as Call)({ Big: asType(long, 2n ** 53n - 1n) }, 5) as object
  const received: unknown[] = []
  server.resetHandlers(
    handleOperation(module['listThingsDocument'] as never, (variables) => {
      received.push(variables)
      return pageOf([row]) as never
    }),
  )
  const gateway = { baseUrl: 'https://api.example.com', projectKey: 'P' }
  const where = { Big: { eq: long === 'number' ? 5 : asType(long, 2n ** 53n + 1n) } }
  const result = await must<{ items: unknown[] }>(module['listThings']!(gateway, { where }))
  expect(result.items[0]).toEqual(row)
  expect(received).toEqual([{ where: { Big: { eq: long === 'number' ? 5 : 2n ** 53n + 1n } } }])
})

test.each(types)('validators and factories have Longs as %s', async (long) => {
  const module = await generated(long)
  const row = module['makeThing']!() as { Big: unknown; Bigs: unknown }
  expect([row.Big, row.Bigs]).toEqual([asType(long, 1), [asType(long, 1)]])
  const issuesOf = (name: string, value: object) => {
    const schema = module[name] as unknown as Record<
      string,
      { validate: (value: object) => object }
    >
    return schema['~standard']!.validate(value)
  }
  expect(issuesOf('ThingSchema', row)).toEqual({ value: row })
  expect(issuesOf('ThingInsertSchema', module['makeThingInsertInput']!())).toHaveProperty('value')
  for (const value of ['x', 1.5, 2 ** 53, true]) {
    expect(issuesOf('ThingInsertSchema', { Big: value })).toMatchObject({
      issues: [{ code: 'EXPECTED_INTEGER', path: ['Big'] }],
    })
  }
})

test.each(types)('a field that the listing does not have is never rounded as %s', async (long) => {
  const module = await generated(long)
  const body = '{"data": {"Others": [{"Sum": 9007199254740993, "Mean": 1e30, "Count": 2}]}}'
  const gateway = { baseUrl, projectKey, fetch: async () => new Response(body) }
  const result = (await module['execute']!(gateway, '{ Others { Sum Mean Count } }')) as object
  const data = (Sum: unknown) => ({ Others: [{ Sum, Mean: 1e30, Count: 2 }] })
  expect(result).toMatchObject(
    long === 'number'
      ? {
          ok: false,
          errors: [{ path: ['Others', 0, 'Sum'], extensions: { code: 'LONG_ROUNDED' } }],
        }
      : { ok: true, data: data(asType(long, 9007199254740993n)) },
  )
})

test('a string that is no integer is not sent as a Long', async () => {
  const module = await generated('string')
  const gateway = { baseUrl, projectKey: 'Pempty', fetch: fetchPlatform }
  expect(await module['countThings']!(gateway, { Big: { eq: 'many' } })).toMatchObject({
    ok: false,
    errors: [{ message: expect.stringContaining('Long cannot be "many"') as string }],
  })
  expect(await module['countThings']!(gateway, { Text: { eq: '5' } })).toEqual({
    ok: true,
    data: 0,
  })
})
