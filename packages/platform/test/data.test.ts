import { data as wire, Rejection } from '@servicekit/contract'
import { buildClientSchema, getIntrospectionQuery, printSchema, validateSchema } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { machineToken } from '@servicekit/testing/administrator'
import { onEachEngine } from '@servicekit/testing/engines'
import { send } from './gateway-client.ts'
import { get, project, storefront, storefrontKey } from '@servicekit/testing/projects'

const field = (name: string, type: string, more: Partial<wire.SchemaField> = {}) => ({
  name,
  type,
  isArray: false,
  requiredOn: 'None',
  ...more,
})
const thing = {
  schemaName: 'Thing',
  schemaType: 1,
  querySchema: 'Things',
  mutationSchemas: [{ name: 'updateThing' }, { name: 'insertAThing' }],
  fields: [
    field('Name', 'String', { requiredOn: 'Both' }),
    field('Count', 'Int'),
    field('When', 'DateTime'),
    field('Big', 'Long'),
    field('Parts', 'Part', { isArray: true }),
    field('constructor', 'String'),
    field('Free', 'Nowhere'),
    field('Place', 'GeoJson'),
  ],
}
const part = {
  schemaName: 'Part',
  schemaType: 2,
  querySchema: 'Parts',
  fields: [field('Label', 'String', { requiredOn: 'Insert' }), field('Inner', 'Part')],
}
const schemas = [thing, part]

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open({
      projects: [storefront],
      clock: () => new Date('2026-01-02T03:04:05.678Z'),
    })
    await platform.loadProject(project('A', { 'en-US': {} }, { schemas }))
    await platform.loadProject(project('B', {}, { schemas }))
    await platform.loadProject(project('NONE'))
  })
  const run = (query: string, variables?: Record<string, unknown>, key = 'A') =>
    send(platform, key, query, variables)
  const runSignedIn = async (query: string, key: string) =>
    send(platform, key, query, undefined, await machineToken(platform, key, []))

  describe('the schema listing', () => {
    const list = (query: Record<string, string>, key: string | null = storefrontKey) =>
      get(platform, '/data/v4/schemas', { ProjectKey: storefrontKey, ...query }, { key })

    it('returns the definitions unchanged, in pages', async () => {
      const first = wire.SchemaListing.parse(await (await list({ PageSize: '4' })).json())
      expect(first).toMatchObject({ isSuccess: true, httpStatusCode: 200, errors: null })
      expect(first.data!.totalCount).toBe(6)
      expect(first.data!.items.map(({ schemaName }) => schemaName)).toEqual([
        'Product',
        'Category',
        'Customer',
        'Order',
      ])
      expect(first.data!.items[1]!.mutationSchemas).toEqual([
        { name: 'insertCategory' },
        { name: 'insertManyCategory' },
        { name: 'updateCategory' },
        { name: 'updateManyCategory' },
        { name: 'deleteCategory' },
        { name: 'deleteManyCategory' },
      ])
      const second = wire.SchemaListing.parse(
        await (await list({ PageSize: '4', PageNo: '2' })).json(),
      )
      expect(second.data!.items.map(({ schemaName }) => schemaName)).toEqual([
        'Address',
        'OrderLine',
      ])
    })

    it.each([
      ['the key is missing', {}, null, 400],
      ['the project is unknown', { ProjectKey: 'nobody' }, 'nobody', 404],
      ['the page is 0', { PageNo: '0' }, storefrontKey, 400],
      ['the page is no number', { PageNo: 'two' }, storefrontKey, 400],
    ])('refuses when %s', async (_, query, key, status) => {
      const response = await list(query as Record<string, string>, key)
      expect(response.status).toBe(status)
      expect(Rejection.parse(await response.json()).IsSuccess).toBe(false)
    })
  })

  describe('the executable schema', () => {
    it('is valid, and introspects to itself', async () => {
      const { data } = await runSignedIn(getIntrospectionQuery(), storefrontKey)
      const schema = buildClientSchema(data)
      expect(validateSchema(schema)).toEqual([])
      const printed = printSchema(schema)
      for (const line of [
        'Products(where: ProductFilterInput, order: [DynamicSortInput!], paging: PaginationInput, input: DynamicQueryInput): ProductResult',
        'insertProduct(input: ProductInsertInput): ActionResponse',
        'insertCategory(input: CategoryInsertInput): ActionResponse',
        'items: [Product!]!',
        'or: [ProductFilterInput]',
        'totalImpactedData: Long!',
        'CompareAtPrice: Float',
        'ShippingAddress: Address',
        'Lines: [OrderLine]',
        'HomeAddress: Address',
      ]) {
        expect(printed).toContain(line)
      }
      expect(printed).not.toContain('insertAddress')
      expect(printed).not.toContain('Addresses')
    })

    it('uses the operation names of the listing', async () => {
      const { data } = await run('mutation { insertAThing(input: {Name: "x"}) { acknowledged } }')
      expect(data.insertAThing.acknowledged).toBe(true)
      expect((await run('mutation { insertThing(input: {Name: "x"}) { itemId } }')).code).toBe(
        'VALIDATION_ERROR',
      )
    })

    it('prefixes query names with get if the dialect requires it', async () => {
      await platform.loadProject(project('GETS', {}, { schemas, dialect: { queryNaming: 'get' } }))
      const { data } = await run('{ getThings { totalCount } }', undefined, 'GETS')
      expect(data).toEqual({ getThings: { totalCount: 0 } })
    })

    it('follows a changed definition', async () => {
      await platform.loadProject(project('CHANGES', {}, { schemas: [thing] }))
      expect((await run('{ Things { items { Colour } } }', undefined, 'CHANGES')).code).toBe(
        'VALIDATION_ERROR',
      )
      const changed = { ...thing, fields: [...thing.fields, field('Colour', 'String')] }
      await platform.loadProject(project('CHANGES', {}, { schemas: [changed] }))
      const { data } = await run('{ Things { items { Colour } } }', undefined, 'CHANGES')
      expect(data).toEqual({ Things: { items: [] } })
    })

    it('works for a project without schemas', async () => {
      const { data } = await run('{ __typename _gateway }', undefined, 'NONE')
      expect(data).toEqual({ __typename: 'Query', _gateway: null })
    })

    it('skips what GraphQL cannot express, and reports it as problems', async () => {
      const odd = [
        {
          ...thing,
          fields: [field('a b', 'String'), field('__x', 'String'), field('Ok', 'String')],
        },
        { ...thing, schemaName: `Robert'); drop table` },
        { ...thing, schemaName: 'Query' },
        { ...thing, schemaName: 'ThingResult' },
        { ...thing, schemaName: 'Twin' },
        { schemaName: 'Bare' },
        { schemaName: '__proto__', schemaType: 1, querySchema: '__proto__', fields: [] },
      ]
      const { problems } = await platform.loadProject(project('ODD', {}, { schemas: odd }))
      expect(problems.map(({ schema, member }) => [schema, member])).toEqual([
        [`Robert'); drop table`, undefined],
        ['Query', undefined],
        ['ThingResult', undefined],
        ['__proto__', undefined],
        ['Twin', undefined],
        ['Twin', undefined],
        ['Twin', undefined],
        ['Thing', 'a b'],
        ['Thing', '__x'],
      ])
      const { data } = await runSignedIn(
        '{ Things { items { Ok } } __type(name: "BareInsertInput") { name } }',
        'ODD',
      )
      expect(data).toEqual({ Things: { items: [] }, __type: { name: 'BareInsertInput' } })
    })
  })

  describe('lists', () => {
    it('return an envelope, with ten rows by default', async () => {
      const { data } = await run(
        '{ Products { items { ItemId Name } totalCount pageNo pageSize totalPages hasNextPage hasPreviousPage } }',
        undefined,
        storefrontKey,
      )
      const { items, ...page } = data.Products
      expect(items).toHaveLength(10)
      expect(page).toEqual({
        totalCount: 120,
        pageNo: 1,
        pageSize: 10,
        totalPages: 12,
        hasNextPage: true,
        hasPreviousPage: false,
      })
    })

    it('page through every record once', async () => {
      const seen: string[] = []
      let hasNextPage = true
      for (let pageNo = 1; hasNextPage; pageNo++) {
        const { data } = await run(
          'query($paging: PaginationInput) { Products(paging: $paging) { items { ItemId } hasNextPage hasPreviousPage } }',
          { paging: { pageNo, pageSize: 50 } },
          storefrontKey,
        )
        seen.push(...data.Products.items.map(({ ItemId }: { ItemId: string }) => ItemId))
        expect(data.Products.hasPreviousPage).toBe(pageNo > 1)
        ;({ hasNextPage } = data.Products)
      }
      expect([seen.length, new Set(seen).size]).toEqual([120, 120])
    })

    it('return an empty page beyond the last', async () => {
      const { data } = await run(
        '{ Products(paging: {pageNo: 2147483647, pageSize: 1000}) { items { ItemId } totalCount hasNextPage hasPreviousPage } }',
        undefined,
        storefrontKey,
      )
      expect(data.Products).toEqual({
        items: [],
        totalCount: 120,
        hasNextPage: false,
        hasPreviousPage: true,
      })
    })

    it.each([
      ['pageNo alone', '{pageNo: 1}'],
      ['pageSize alone', '{pageSize: 1}'],
      ['a null beside a number', '{pageNo: 1, pageSize: null}'],
      ['page 0', '{pageNo: 0, pageSize: 1}'],
      ['a size of 0', '{pageNo: 1, pageSize: 0}'],
      ['a size above the limit', '{pageNo: 1, pageSize: 1001}'],
    ])('refuse %s', async (_, paging) => {
      const outcome = await run(`{ Products(paging: ${paging}) { totalCount } }`, {}, storefrontKey)
      expect([outcome.status, outcome.code]).toEqual([200, 'VALIDATION_ERROR'])
      expect(outcome.data).toEqual({ Products: null })
    })

    it('read nested objects, arrays and every scalar', async () => {
      const { data, errors } = await runSignedIn(
        `{ Orders(paging: {pageNo: 1, pageSize: 1000}) { items {
            ItemId CreatedDate Tags Number Status IsGift TrackingNumbers
            Lines { Sku Quantity UnitPrice IsPersonalised }
            ShippingAddress { City Location } } }
           Customers { items { HomeAddress { City } LifetimeValueCents FavouriteProductIds } }
           Categories { items { Slug SortOrder } } }`,
        storefrontKey,
      )
      expect(errors).toEqual([])
      expect(data.Orders.items).toHaveLength(150)
      expect(data.Orders.items[0]).toMatchObject({
        CreatedDate: '2025-05-07T08:46:30.000Z',
        Tags: [],
        Number: 20250500001,
        Lines: [{ Sku: 'PLN-008', Quantity: 1, UnitPrice: 38 }, { Sku: 'BRD-010' }],
      })
    })
  })

  describe('inserts', () => {
    const insert = (input: Record<string, unknown>, key = 'A') =>
      run(
        'mutation($input: ThingInsertInput!) { insertAThing(input: $input) { acknowledged itemId totalImpactedData message } }',
        { input },
        key,
      )
    const read = async (itemId: string, fields: string, key = 'A') => {
      const { data } = await run(
        `query($id: String!) { Things(where: {ItemId: {eq: $id}}) { items { ${fields} } } }`,
        { id: itemId },
        key,
      )
      return data.Things.items[0]
    }

    it('fill the system fields', async () => {
      const { data } = await insert({ Name: 'one' })
      const { itemId } = data.insertAThing
      expect(data.insertAThing).toEqual({
        acknowledged: true,
        itemId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        totalImpactedData: 1,
        message: null,
      })
      expect(
        await read(
          itemId,
          'ItemId CreatedDate LastUpdatedDate CreatedBy LastUpdatedBy Language OrganizationId Tags Name Count',
        ),
      ).toEqual({
        ItemId: itemId,
        CreatedDate: '2026-01-02T03:04:05.678Z',
        LastUpdatedDate: '2026-01-02T03:04:05.678Z',
        CreatedBy: 'anonymous',
        LastUpdatedBy: 'anonymous',
        Language: 'en-US',
        OrganizationId: 'org-A',
        Tags: [],
        Name: 'one',
        Count: null,
      })
    })

    it('keep the values they receive', async () => {
      const input = {
        ItemId: `it's "mine" \u{1f600}`,
        Language: 'de-DE',
        OrganizationId: 'org',
        Tags: ['a', 'b,c', '{"d"}', ''],
        Name: `'); drop table servicekit.records; -- \\ " \u2028 \t`,
        Count: -2_147_483_648,
        When: '2025-06-01T12:00:00+02:00',
        Big: Number.MAX_SAFE_INTEGER,
        Parts: [{ Label: 'outer', Inner: { Label: 'inner' } }, { Label: '' }],
        constructor: 'a field like any other',
        Free: { ['__proto__']: 1, any: [null, 'thing'] },
        Place: { type: 'Point', coordinates: [1.5, -2] },
      }
      const { data } = await insert(input)
      expect(data.insertAThing.acknowledged).toBe(true)
      expect(
        await read(
          input.ItemId,
          'ItemId Language OrganizationId Tags Name Count When Big Parts { Label Inner { Label } } constructor Free Place',
        ),
      ).toEqual({
        ...input,
        When: '2025-06-01T10:00:00.000Z',
        Parts: [
          { Label: 'outer', Inner: { Label: 'inner' } },
          { Label: '', Inner: null },
        ],
      })
    })

    it('do not return members that every object has', async () => {
      const { data } = await insert({ Name: 'plain' })
      expect(await read(data.insertAThing.itemId, 'constructor')).toEqual({ constructor: null })
    })

    it.each([
      ['a required field is missing', { Count: 1 }, /Name/],
      ['a required field is null', { Name: null }, /Name/],
      ['a nested required field is missing', { Name: 'x', Parts: [{}] }, /Parts\[0\]\.Label/],
      ['it is missing deeper', { Name: 'x', Parts: [{ Label: 'l', Inner: {} }] }, /Inner\.Label/],
      ['a text has U+0000', { Name: 'a\u0000b' }, /U\+0000/],
      ['a nested text has U+0000', { Name: 'x', Free: { a: ['\u0000'] } }, /Free\.a\.0/],
      ['a name has U+0000', { Name: 'x', Free: { 'a\u0000': 1 } }, /U\+0000/],
      ['a text is half a character', { Name: 'a\ud800' }, /surrogate/],
      ['an id has U+0000', { Name: 'x', ItemId: '\u0000' }, /U\+0000/],
      ['an integer is too large', { Name: 'x', Count: 2_147_483_648 }, /Int/],
      ['a long has more than 64 bits', { Name: 'x', Big: 2n ** 63n }, /Long/],
      ['a long contains one', { Name: 'x', Big: { a: [2n ** 63n] } }, /Long cannot be {"a":\[9/],
      ['an instant contains a long', { Name: 'x', When: { a: 2n ** 63n } }, /DateTime cannot be {/],
      ['an instant is none', { Name: 'x', When: '2025-02-31T00:00:00Z' }, /DateTime/],
      ['a field is unknown', { Name: 'x', Nothing: 1 }, /Nothing/],
      ['a system field is not theirs', { Name: 'x', CreatedBy: 'me' }, /CreatedBy/],
      ['a type is wrong', { Name: 1 }, /String/],
    ])('are refused when %s', async (_, input, message) => {
      const { status, errors, code, data } = await insert(input)
      expect([status, code]).toEqual([200, 'VALIDATION_ERROR'])
      expect(errors[0]!.message).toMatch(message)
      expect(data?.insertAThing ?? null).toBeNull()
    })

    it('are not acknowledged when the id is taken', async () => {
      expect((await insert({ Name: 'x', ItemId: 'taken' })).data.insertAThing.itemId).toBe('taken')
      const { data, errors } = await insert({ Name: 'y', ItemId: 'taken' })
      expect(errors).toEqual([])
      expect(data.insertAThing).toEqual({
        acknowledged: false,
        itemId: null,
        totalImpactedData: 0,
        message: expect.stringContaining('taken'),
      })
      expect((await read('taken', 'Name')).Name).toBe('x')
    })

    it('run in order, and fail independently', async () => {
      const { data, errors } = await run(`mutation {
        a: insertAThing(input: {ItemId: "m1", Name: "1"}) { itemId }
        b: insertAThing(input: {ItemId: "m2"}) { itemId }
        c: insertAThing(input: {ItemId: "m3", Name: "3"}) { itemId }
      }`)
      expect(data).toEqual({ a: { itemId: 'm1' }, b: null, c: { itemId: 'm3' } })
      expect(errors.map(({ path }) => path)).toEqual([['b']])
      expect((await read('m3', 'Name')).Name).toBe('3')
    })

    it('stay within their project', async () => {
      await insert({ Name: 'of A', ItemId: 'same-id' }, 'A')
      expect(await read('same-id', 'Name', 'B')).toBeUndefined()
      expect(
        (await insert({ Name: 'of B', ItemId: 'same-id' }, 'B')).data.insertAThing,
      ).toMatchObject({
        acknowledged: true,
      })
      expect((await read('same-id', 'Name', 'A')).Name).toBe('of A')
      expect((await read('same-id', 'Name', 'B')).Name).toBe('of B')
      const { data } = await run('{ Things { totalCount } }', undefined, 'B')
      expect(data.Things.totalCount).toBe(1)
    })
  })

  describe('requests', () => {
    const post = (body: string, headers: Record<string, string> = { 'x-service-key': 'A' }) =>
      platform.fetch(
        new Request('http://platform.local/data/v4/gateway', { method: 'POST', headers, body }),
      )

    it.each([
      ['is no JSON', '{'],
      ['is no object', '[]'],
      ['has no query', '{"variables": {}}'],
      ['has an empty query', '{"query": ""}'],
      ['has a query that is no text', '{"query": {}}'],
      ['has variables that are no object', '{"query": "{x}", "variables": 1}'],
    ])('are refused with 400 when the body %s', async (_, body) => {
      const response = await post(body)
      expect(response.status).toBe(400)
      Rejection.parse(await response.json())
    })

    it('are refused without a key and with an unknown one', async () => {
      const body = JSON.stringify({ query: '{ __typename }' })
      expect((await post(body, {})).status).toBe(400)
      expect((await post(body, { 'x-service-key': 'nobody' })).status).toBe(404)
    })

    it.each([
      ['does not parse', '{'],
      ['names an unknown field', '{ Nothing }'],
      ['has no operation', 'fragment F on Thing { Name }'],
      ['has two operations', 'query A { __typename } query B { __typename }'],
      ['lacks a variable', 'query($p: PaginationInput!) { Things(paging: $p) { totalCount } }'],
      [
        'nests too deep',
        `{ Things { items { ${'Parts { Inner { '.repeat(1)}${'Inner { '.repeat(12)}Label${' }'.repeat(14)} } } }`,
      ],
      ['is endless', `{ Things { items { ...F } } } fragment F on Thing { ...F }`],
      [
        'has too many root fields',
        `{ ${Array.from({ length: 51 }, (_, i) => `a${i}: __typename`).join(' ')} }`,
      ],
      ['has too many tokens', `{ ${'__typename '.repeat(11_000)} }`],
      [
        'nests values beyond the stack',
        `{ Things(where: ${'{and:['.repeat(3000)}${']}'.repeat(3000)}) { totalCount } }`,
      ],
    ])('answer 200 with errors when the document %s', async (_, query) => {
      const { status, code } = await run(query)
      expect([status, code]).toEqual([200, 'VALIDATION_ERROR'])
    })

    it('return 200 with errors if variables are nested too deeply', async () => {
      let where: unknown = {}
      for (let depth = 0; depth < 5000; depth++) where = { and: [where] }
      const query = 'query($w: ThingFilterInput) { Things(where: $w) { totalCount } }'
      const text = `{"query": ${JSON.stringify(query)}, "variables": {"w": ${'{"and":['.repeat(5000)}${']}'.repeat(5000)}}}`
      const body = (await (await post(text)).json()) as wire.GatewayResponseBody
      expect(body.errors![0]!.extensions!.code).toBe('VALIDATION_ERROR')
      const within = (await run(query, { w: { and: [{ and: [{ Name: { eq: 'x' } }] }] } })).errors
      expect(within).toEqual([])
    })

    const both = 'query A { __typename } mutation B { insertAThing(input: {Name: "x"}) { itemId } }'
    it.each([
      ['A', { data: { __typename: 'Query' } }],
      ['B', { data: { insertAThing: { itemId: expect.any(String) as string } } }],
      ['C', { errors: [{ message: 'Unknown operation named "C".' }] }],
      [null, { errors: [{ message: expect.stringContaining('operation name') as string }] }],
      ['', { errors: [{ message: expect.stringContaining('operation name') as string }] }],
    ])('run the operation that operationName names: %j', async (operationName, expected) => {
      const extensions = { persistedQuery: { version: 1 } }
      const response = await post(JSON.stringify({ query: both, operationName, extensions }))
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject(expected)
    })

    it('may name the only operation', async () => {
      const query = 'query Only { __typename }'
      const named = await post(JSON.stringify({ query, operationName: 'Only' }))
      expect(await named.json()).toEqual({ data: { __typename: 'Query' } })
      const other = await post(JSON.stringify({ query, operationName: 'Other' }))
      expect(((await other.json()) as wire.GatewayResponseBody).errors![0]!.extensions!.code).toBe(
        'VALIDATION_ERROR',
      )
    })

    it('may introspect deeper than they may select', async () => {
      expect((await runSignedIn(getIntrospectionQuery(), 'A')).errors).toEqual([])
    })

    it('hide the details of an internal error', async () => {
      const faults: Error[] = []
      const own = await createPlatform({
        ...(await engine.location()),
        onError: (fault) => faults.push(fault),
      })
      const broken = { ...thing, fields: [field('Count', 'Int')] }
      await own.loadProject(project('X', {}, { schemas: [broken] }))
      await own.close()
      const answer = await send(own, 'X', '{ Things { totalCount } }')
      expect(answer.status).toBe(503)
      expect(JSON.stringify(answer)).not.toMatch(/pool|select|stack/i)
      expect(faults).toEqual([])
    })
  })
})
