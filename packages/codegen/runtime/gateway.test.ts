import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCore, RequestError } from '@servicekit/client/core'
import type { GatewayResult as ClientResult } from '@servicekit/client/data'
import { createClientGateway } from '@servicekit/client/gateway'
import { toInstant } from '@servicekit/core'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import {
  getOrderNested,
  listOrders,
  listOrdersNested,
  walkOrdersNested,
} from '../__snapshots__/storefront/order.ts'
import {
  countProducts,
  getProduct,
  insertProduct,
  insertProductDocument,
  listProducts,
  listProductsDocument,
  type ProductWhere,
  walkProducts,
} from '../__snapshots__/storefront/product.ts'
import { queryOptions } from './gateway-query.ts'
import { type StandardSchema, validator } from './gateway-validate.ts'
import {
  createGateway,
  execute,
  type Gateway,
  type GatewayResult,
  orThrow,
} from '../__snapshots__/storefront/gateway.ts'

interface Sent {
  readonly url: string
  readonly init: RequestInit
  readonly body: { readonly query: string; readonly variables?: unknown }
}

/** A gateway with a canned response, and the requests that it received. */
function answering(
  answer: () => Response | Promise<Response>,
  options: Partial<Gateway> = {},
): { readonly gateway: Gateway; readonly sent: Sent[] } {
  const sent: Sent[] = []
  const gateway = createGateway({
    baseUrl: 'https://api.example.com',
    projectKey: 'P1',
    fetch: async (url, init) => {
      sent.push({ url, init, body: JSON.parse(String(init.body)) as Sent['body'] })
      return answer()
    },
    ...options,
  })
  return { gateway, sent }
}

/** A server until the test is over; resolves with its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const page = {
  items: [{ ItemId: '1', Name: 'Cup', Price: 12 }],
  totalCount: 1,
  pageNo: 1,
  pageSize: 10,
  totalPages: 1,
  hasNextPage: false,
  hasPreviousPage: false,
}
const product = { Name: 'Cup', Price: 12, Sku: 'C-1' }
const inserted = { acknowledged: true, itemId: '7', totalImpactedData: 1, message: null }

describe('a request', () => {
  test('a list is one POST with the project header', async () => {
    const { gateway, sent } = answering(() => Response.json({ data: { Products: page } }), {
      headers: { authorization: 'Bearer x' },
    })
    const result = await listProducts(gateway, {
      select: ['Name', 'Price'],
      where: { Price: { gt: 5 } },
      order: [{ field: 'Price', direction: 'ASC' }],
      paging: { pageNo: 1, pageSize: 10 },
    })
    expect(result).toEqual({ ok: true, data: page })
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({
      url: 'https://api.example.com/data/v4/gateway',
      init: {
        method: 'POST',
        credentials: 'include',
        headers: {
          'content-type': 'application/json',
          'x-service-key': 'P1',
          authorization: 'Bearer x',
        },
      },
      body: {
        variables: {
          where: { Price: { gt: 5 } },
          order: [{ field: 'Price', direction: 'ASC' }],
          paging: { pageNo: 1, pageSize: 10 },
        },
      },
    })
    expect(sent[0]?.body.query).toBe(
      'query($where:ProductFilterInput,$order:[DynamicSortInput!],$paging:PaginationInput)' +
        '{Products(where:$where,order:$order,paging:$paging){items{ItemId Name,Price}' +
        'totalCount pageNo pageSize totalPages hasNextPage hasPreviousPage}}',
    )
  })

  test('a list without select requests every scalar and no object', async () => {
    const { gateway, sent } = answering(() => Response.json({ data: { Orders: page } }))
    await listOrders(gateway)
    const [, items] = /items\{([^}]*)\}/.exec(sent[0]?.body.query ?? '') ?? []
    expect(items?.split(/[ ,]/)).toEqual([
      'ItemId',
      'CreatedDate',
      'LastUpdatedDate',
      'CreatedBy',
      'LastUpdatedBy',
      'Language',
      'OrganizationId',
      'Tags',
      'Number',
      'CustomerId',
      'Status',
      'PlacedAt',
      'DeliveredAt',
      'ChangeReason',
      'IsGift',
      'Subtotal',
      'ShippingCost',
      'Total',
      'Currency',
      'TrackingNumbers',
    ])
  })

  test('a nested selection omits empty objects', async () => {
    const { gateway, sent } = answering(() => Response.json({ data: { Orders: page } }))
    await listOrdersNested(gateway, {
      select: { Number: true, ShippingAddress: { City: true, Location: true }, Lines: {} },
    })
    expect(sent[0]?.body.query).toContain('items{ItemId Number,ShippingAddress{City,Location}}')
  })

  test('an insert sends its input, with dates as ISO 8601', async () => {
    const { gateway, sent } = answering(() => Response.json({ data: { insertProduct: inserted } }))
    const ReleasedAt = new Date('2025-03-19T06:00:00Z')
    expect(await insertProduct(gateway, { ...product, ReleasedAt })).toEqual({
      ok: true,
      data: inserted,
    })
    expect(sent[0]?.body).toEqual({
      query:
        'mutation($input:ProductInsertInput!){insertProduct(input:$input)' +
        '{acknowledged itemId totalImpactedData message}}',
      variables: { input: { ...product, ReleasedAt: '2025-03-19T06:00:00.000Z' } },
    })
  })

  test('execute runs any document', async () => {
    const data = { Products: { totalCount: 3 } }
    const { gateway } = answering(() => Response.json({ data }))
    expect(await execute(gateway, '{ Products { totalCount } }')).toEqual({ ok: true, data })
  })

  test('spreading the gateway changes a single call', async () => {
    const { gateway, sent } = answering(() => Response.json({ data: { Products: page } }))
    const { signal } = new AbortController()
    await listProducts({ ...gateway, signal, credentials: undefined })
    expect(sent[0]?.init).toMatchObject({ signal, credentials: undefined })
  })
})

describe('a page that the interface does not allow', () => {
  const noItemId = {
    message: 'No ItemId in the rows of the response',
    extensions: { code: 'RESPONSE_INVALID' },
  }
  test.each([
    ['a row without an ItemId', { items: [...page.items, { Name: 'Bowl', Price: 7 }] }],
    ['an ItemId that is a number', { items: [{ ...page.items[0], ItemId: 1 }] }],
    ['a row that is null', { items: [null] }],
    ['no rows', { items: undefined }],
  ])('with %s is a failure of a read by ItemId, and of a walk', async (_, change) => {
    const { gateway } = answering(() =>
      Response.json({ data: { Products: { ...page, ...change } } }),
    )
    expect(await getProduct(gateway, '1')).toMatchObject({ ok: false, errors: [noItemId] })
    await expect(walkProducts(gateway).next()).rejects.toMatchObject({ errors: [noItemId] })
  })

  test.each([
    ['beyond 2^53, which JSON.parse rounds', '9007199254740993'],
    ['that is null', 'null'],
    ['that is a text', '"1"'],
  ])('with a totalCount %s is a failure of a count', async (_, count) => {
    const text = `{"data":{"Products":{"items":[],"totalCount":${count}}}}`
    const { gateway } = answering(() => new Response(text))
    expect(await countProducts(gateway)).toMatchObject({
      ok: false,
      errors: [
        {
          message: 'No exact totalCount in the response',
          extensions: { code: 'RESPONSE_INVALID' },
        },
      ],
    })
  })
})

describe('undefined values', () => {
  const refusing = answering(() => expect.unreachable('nothing may be sent'))
  const nothing = undefined as never

  test.each<[string, ProductWhere, string]>([
    ['a value', { Name: { eq: nothing } }, 'where.Name.eq'],
    ['a filter', { Name: nothing }, 'where.Name'],
    ['a value beside others', { Price: { gt: 5, lt: nothing } }, 'where.Price.lt'],
    ['a member of a list', { Name: { in: ['a', nothing] } }, 'where.Name.in[1]'],
    ['a list', { Name: { in: nothing } }, 'where.Name.in'],
    [
      'a value in and',
      { and: [{ Name: { eq: 'a' } }, { Price: { eq: nothing } }] },
      'where.and[1].Price.eq',
    ],
    [
      'a value in or in and',
      { and: [{ or: [{ Name: { startsWith: nothing } }] }] },
      'where.and[0].or[0].Name.startsWith',
    ],
    ['a condition in or', { or: [{ Name: { eq: 'a' } }, nothing] }, 'where.or[1]'],
    ['a field that is called like an option', { order: nothing } as never, 'where.order'],
    ['the whole condition', nothing, 'where'],
  ])('%s in a condition fails with its name before anything is sent', async (_, where, name) => {
    const { gateway, sent } = refusing
    const message = `${name} is undefined. Nothing was sent`
    const failure = { ok: false, errors: [{ message, extensions: { code: 'VALUE_INVALID' } }] }
    const order = [{ field: 'Name' }] as const
    expect(await listProducts(gateway, { where, order })).toMatchObject(failure)
    expect(await listOrdersNested(gateway, { where: where as never, select: {} })).toMatchObject(
      failure,
    )
    expect(await countProducts(gateway, where)).toMatchObject(failure)
    expect(await execute(gateway, listProductsDocument, { where })).toMatchObject(failure)
    await expect(walkProducts(gateway, { where }).next()).rejects.toThrow(message)
    const { queryFn } = queryOptions('Product', 'list', listProducts, 1)(gateway, { where })
    await expect(queryFn({})).rejects.toThrow(message)
    expect(sent).toEqual([])
  })

  test('a selection that contains itself, or a text, fails before anything is sent', async () => {
    const { gateway, sent } = refusing
    const circle: Record<string, unknown> = { Number: true }
    circle['Lines'] = { Order: circle }
    const refusals: readonly (readonly [never, string])[] = [
      [circle as never, 'select.Lines.Order is circular'],
      [{ Number: 'Number' } as never, 'select.Number must be true or an object'],
    ]
    for (const [select, problem] of refusals) {
      const message = `${problem}. Nothing was sent`
      const errors = [{ message, extensions: { code: 'VALUE_INVALID' } }]
      expect(await listOrdersNested(gateway, { select })).toMatchObject({ ok: false, errors })
      expect(await getOrderNested(gateway, '1', { select })).toMatchObject({ ok: false, errors })
      await expect(walkOrdersNested(gateway, { select }).next()).rejects.toMatchObject({ errors })
    }
    expect(sent).toEqual([])
  })

  test('an id fails with its name before anything is sent', async () => {
    const { gateway, sent } = refusing
    const error = { message: 'The ItemId is undefined', extensions: { code: 'VALUE_INVALID' } }
    const refused = { ok: false, errors: [error], partial: undefined }
    expect(await getProduct(gateway, nothing)).toEqual(refused)
    const select = { Number: true } as const
    expect(await getOrderNested(gateway, nothing, { select })).toEqual(refused)
    expect(sent).toEqual([])
  })

  test('an undefined variable of a document fails with its name', async () => {
    const { gateway, sent } = refusing
    const document =
      'query($id: String) { Products(where: { ItemId: { eq: $id } }) { totalCount } }'
    expect(await execute(gateway, document, { id: nothing })).toMatchObject({
      ok: false,
      errors: [{ message: 'id is undefined. Nothing was sent' }],
    })
    expect(sent).toEqual([])
  })

  test.each(['order', 'paging'])('an undefined %s fails with its name', async (name) => {
    const { gateway, sent } = refusing
    const failure = {
      ok: false,
      errors: [{ message: `${name} is undefined. Nothing was sent` }],
    }
    expect(await listProducts(gateway, { [name]: nothing })).toMatchObject(failure)
    expect(await execute(gateway, listProductsDocument, { [name]: nothing })).toMatchObject(failure)
    expect(sent).toEqual([])
  })

  test('an undefined select and undefined options of a walk count as omitted', async () => {
    const { gateway, sent } = answering(() => Response.json({ data: { Products: page, page } }))
    const where = { Name: { eq: 'Cup' } }
    await listProducts(gateway, { where, select: undefined })
    await listProducts(gateway, { where })
    expect(sent[0]?.body).toEqual(sent[1]?.body)
    await getProduct(gateway, '7', { select: undefined })
    await getProduct(gateway, '7')
    expect(sent[2]?.body).toEqual(sent[3]?.body)
    const walk = { where, select: undefined, order: undefined, pageSize: undefined }
    await walkProducts(gateway, { ...walk, prefetch: undefined, signal: undefined }).next()
    await walkProducts(gateway, { where }).next()
    expect(sent[4]?.body).toEqual(sent[5]?.body)
  })

  test('omitted members and null are sent as they are', async () => {
    const { gateway, sent } = answering(() => Response.json({ data: { Products: page } }))
    expect((await listProducts(gateway)).ok).toBe(true)
    expect((await listProducts(gateway, { where: {} })).ok).toBe(true)
    expect((await listProducts(gateway, { where: { Name: { eq: null } } })).ok).toBe(true)
    expect((await countProducts(gateway)).ok).toBe(true)
    expect((await execute(gateway, listProductsDocument)).ok).toBe(true)
    expect(sent.map(({ body }) => body.variables)).toEqual([
      {},
      { where: {} },
      { where: { Name: { eq: null } } },
      { paging: { pageNo: 1, pageSize: 1 } },
      {},
    ])
  })

  test('an optional member of an input is omitted', async () => {
    const { gateway, sent } = answering(() => Response.json({ data: { insertProduct: inserted } }))
    const input = { ...product, Description: undefined }
    expect((await insertProduct(gateway, input)).ok).toBe(true)
    expect((await execute(gateway, insertProductDocument, { input })).ok).toBe(true)
    for (const { body } of sent) expect(body.variables).toEqual({ input: product })
  })
})

test('a redirect is refused and nothing is sent to its target', async () => {
  const seen: string[] = []
  const elsewhere = await serve((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    response.end('{}')
  })
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `${elsewhere}/steal`
    const baseUrl = await serve((_, response) => response.writeHead(status, { location }).end())
    const options = { baseUrl, projectKey: 'P1', headers: { authorization: 'Bearer secret' } }
    const gateway = createGateway(options)
    expect(await listProducts(gateway)).toMatchObject({ ok: false })
    expect(await insertProduct(gateway, product)).toMatchObject({ ok: false })
    await expect(walkProducts(gateway).next()).rejects.toThrow('fetch failed')
  }
  expect(seen).toEqual([])
})

describe('a walk over the pages of a hostile server', () => {
  const rows = (count: number, from = 0): readonly object[] =>
    Array.from({ length: count }, (_, n) => ({ ItemId: `id-${from + n}` }))
  const million = { totalCount: 1_000_000, totalPages: 10_000, pageSize: 100 }

  /** Walks to the end; resolves with the error, the number of requests and the rows. */
  async function walkAll(
    pageOf: (pageNo: number) => object,
    beforeOf = (pageNo: number) => ({ items: rows(100, (pageNo - 2) * 100) }),
  ): Promise<{ readonly error: unknown; readonly requests: number; readonly ids: string[] }> {
    let requests = 0
    const baseUrl = await serve((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => void chunks.push(chunk))
      request.on('end', () => {
        requests++
        const { variables } = JSON.parse(Buffer.concat(chunks).toString()) as {
          variables: { paging: { pageNo: number } }
        }
        const { pageNo } = variables.paging
        const page = { pageNo, ...pageOf(pageNo) }
        const data = { Products: page, ProductsBefore: beforeOf(pageNo) }
        response.end(JSON.stringify({ data }))
      })
    })
    const ids: string[] = []
    const gateway = createGateway({ baseUrl, projectKey: 'P1' })
    let error: unknown
    try {
      for await (const { items } of walkProducts(gateway, { prefetch: 0, onMoved: () => {} })) {
        ids.push(...items.map(({ ItemId }) => String(ItemId)))
      }
    } catch (cause) {
      error = cause
    }
    return { error, requests, ids }
  }
  const contradiction = { errors: [{ extensions: { code: 'PAGES_CONTRADICT' } }] }

  test.each<[string, (pageNo: number) => object, number]>([
    ['repeats a page', () => ({ ...million, items: rows(100) }), 2],
    ['repeats a short page', () => ({ ...million, items: rows(3) }), 2],
    ['alternates two pages', (pageNo) => ({ ...million, items: rows(100, (pageNo % 2) * 100) }), 3],
    [
      'repeats a page from the middle on',
      (pageNo) => ({ ...million, items: rows(100, Math.min(pageNo, 7) * 100) }),
      8,
    ],
    ['sends empty pages', () => ({ ...million, items: [] }), 1],
    [
      'sends more rows than it announces',
      () => ({ ...million, totalCount: 0, items: rows(100) }),
      1,
    ],
    ['sends no totals', () => ({ items: rows(20) }), 1],
    ['sends only that there is a next page', () => ({ items: rows(20), hasNextPage: true }), 1],
    ['sends no number of pages', () => ({ items: rows(20), totalCount: 20 }), 1],
    ['sends totals that are null', () => ({ items: [], totalCount: null, totalPages: null }), 1],
  ])('stops at once when it %s', async (_, pageOf, expected) => {
    const { error, requests } = await walkAll(pageOf)
    expect(error).toMatchObject(contradiction)
    expect(requests).toBe(expected)
  })

  test('stops when each page announces more pages', async () => {
    const { error, requests } = await walkAll((pageNo) => ({
      ...million,
      totalPages: pageNo + 1,
      items: rows(100, pageNo * 100),
    }))
    expect(error).toMatchObject(contradiction)
    expect(requests).toBeLessThan(110)
  })

  test('continues over pages that overlap, up to the number of pages announced', async () => {
    const { error, requests, ids } = await walkAll((pageNo) => ({
      totalCount: 400,
      totalPages: 4,
      items: rows(100, (pageNo - 1) * 60),
    }))
    expect(error).toBeUndefined()
    expect(requests).toBe(4)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(280)
  })

  test('stops when more pages than announced have the same rows in another order', async () => {
    const { error, requests } = await walkAll((pageNo) => ({
      totalCount: 400,
      totalPages: pageNo + 3,
      items: [...rows(100).slice(pageNo), ...rows(pageNo)],
    }))
    expect(error).toMatchObject(contradiction)
    expect(requests).toBe(1 + 4 + 1)
  })
})

describe("a gateway over the client's core", () => {
  /** A service that responds with these statuses in turn, and with `data` from then on. */
  async function open(data: object, ...statuses: readonly number[]) {
    const requests: string[] = []
    const remaining = [...statuses]
    const baseUrl = await serve((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers['x-service-key']}`)
      response.statusCode = remaining.shift() ?? 200
      response.end(JSON.stringify(response.statusCode === 200 ? { data } : { message: 'Busy' }))
    })
    const core = createCore({ baseUrl, projectKey: 'P1', retry: { attempts: 3, baseDelayMs: 0 } })
    return { gateway: createClientGateway({ client: { core } }), requests }
  }

  test('sends the request of section 4.5, and retries a query but no insert', async () => {
    const reading = await open({ Products: page }, 503, 503)
    expect(await listProducts(reading.gateway)).toEqual({ ok: true, data: page })
    expect(reading.requests).toEqual(Array(3).fill('POST /data/v4/gateway P1'))
    const writing = await open({ insertProduct: inserted }, 503)
    expect(await insertProduct(writing.gateway, product)).toMatchObject({ ok: false })
    expect(writing.requests).toHaveLength(1)
  })

  test('returns a failed request as the cause of the first error', async () => {
    const { gateway } = await open({}, 403)
    const result = await listProducts(gateway)
    expect(result).toMatchObject({ ok: false, errors: [{ cause: { status: 403 } }] })
    expect(result.ok ? undefined : result.errors[0]?.cause).toBeInstanceOf(RequestError)
  })

  test('aborts with the signal of a call', async () => {
    const { gateway, requests } = await open({ Products: page })
    expect(await listProducts({ ...gateway, signal: AbortSignal.abort() })).toMatchObject({
      ok: false,
      errors: [{ cause: { code: 'REQUEST_ABORTED' } }],
    })
    expect(requests).toEqual([])
  })

  // Fails when types are checked.
  expectTypeOf<GatewayResult<string>>().toEqualTypeOf<ClientResult<string>>()
})

describe('validators', () => {
  interface Part {
    readonly Name: string
    readonly Part?: unknown
  }
  const schema: StandardSchema<Part> = validator({
    Name: 'String!',
    Part: { type: '', of: () => schema },
  }) as StandardSchema<Part>
  const issuesOf = (value: unknown) => schema['~standard'].validate(value).issues

  test('report the path of a value that contains itself', () => {
    const value: Record<string, unknown> = { Name: 'a', Part: { Name: 'b' } }
    ;(value['Part'] as Record<string, unknown>)['Part'] = value
    expect(issuesOf(value)).toEqual([
      {
        code: 'CIRCULAR',
        message: 'contains itself',
        path: ['Part', 'Part'],
        params: { field: 'Part' },
      },
    ])
    const shared = { Name: 'c' }
    expect(issuesOf({ ...shared, Part: shared })).toBeUndefined()
  })

  test('report a value that is nested too deeply', () => {
    let value: object = { Name: 'a' }
    for (let depth = 0; depth < 50_000; depth++) value = { Name: 'a', Part: value }
    expect(issuesOf(value)).toMatchObject([{ message: 'is nested deeper than 100 objects' }])
  })
})

describe('a validator of DateTime', () => {
  const schema = validator({ At: 'DateTime' }) as StandardSchema<unknown>
  const accepts = (At: unknown): boolean =>
    schema['~standard'].validate({ At }).issues === undefined

  test.each([
    '2026-02-30',
    '2025-02-29',
    '2026-04-31T10:00:00Z',
    '2026-02-30T10:00',
    '2026-01-01T24:00:00Z',
    '2026-01-01T24:00',
    '2026-01-01T00:60:00Z',
    '2026-13-01',
    '9999-12-31T23:00:00-02:00',
    '0000-01-01',
    '0001-01-01T00:00:00+01:00',
    new Date(8.64e15),
    new Date(-8.64e15),
    '2026-1-1',
    ['2026-01-01'],
    20260101,
    new Date('2026-13-01'),
  ])('refuses %j', (value) => {
    expect(accepts(value)).toBe(false)
  })

  test.each([
    '2024-02-29',
    '2026-01-01T00:00',
    '2026-01-01T23:59:59.999Z',
    '2026-01-01T10:00:00+0530',
    new Date(0),
  ])('accepts %j', (value) => {
    expect(accepts(value)).toBe(true)
  })

  test('accepts no text that the gateway refuses', () => {
    const two = (max: number): fc.Arbitrary<string> =>
      fc.nat(max).map((number) => String(number).padStart(2, '0'))
    const texts = fc
      .record({ month: two(13), day: two(32), hour: two(25), minute: two(61), second: two(61) })
      .chain(({ month, day, hour, minute, second }) =>
        fc.constantFrom(
          `2026-${month}-${day}`,
          `2024-${month}-${day}T${hour}:${minute}`,
          `2026-${month}-${day}T${hour}:${minute}:${second}Z`,
          `2026-${month}-${day}T${hour}:${minute}:${second}.5-${hour}:${minute}`,
        ),
      )
    let accepted = 0
    fc.assert(
      fc.property(texts, (text) => {
        if (!accepts(text)) return true
        accepted++
        return toInstant(text) !== undefined
      }),
      { numRuns: 5000 },
    )
    expect(accepted).toBeGreaterThan(1000)
  })

  test('accepts the same dates as texts and as objects', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        expect(accepts(date)).toBe(accepts(date.toISOString()))
      }),
    )
  })
})

test('a validator of Long refuses bigints beyond 64 bits', () => {
  const schema = validator({ Big: 'Long' }) as StandardSchema<unknown>
  const accepts = (Big: unknown): boolean =>
    schema['~standard'].validate({ Big }).issues === undefined
  expect([2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n, -(2n ** 63n) - 1n].map(accepts)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

describe('a result', () => {
  test('errors take precedence over data, which becomes partial', async () => {
    const errors = [{ message: 'No', extensions: { code: 'VALIDATION_ERROR' } }]
    const { gateway } = answering(() => Response.json({ data: { Products: page }, errors }))
    expect(await listProducts(gateway)).toEqual({
      ok: false,
      errors,
      partial: { Products: page },
    })
  })

  test.each(['no', { message: 'no' }, [null], 5])(
    'errors that are no list of errors, %j, are one error',
    async (errors) => {
      const { gateway } = answering(() => Response.json({ data: { Products: page }, errors }))
      expect(await listProducts(gateway)).toMatchObject({
        ok: false,
        errors: [{ extensions: { code: 'RESPONSE_INVALID' } }],
      })
    },
  )

  test('an empty or null list of errors is a success', async () => {
    for (const errors of [[], null]) {
      const { gateway } = answering(() => Response.json({ data: { Products: page }, errors }))
      expect(await listProducts(gateway)).toEqual({ ok: true, data: page })
    }
  })

  test('an insert that is not acknowledged is a failure', async () => {
    const refused = {
      acknowledged: false,
      itemId: null,
      totalImpactedData: 0,
      message: 'There is one',
    }
    const { gateway } = answering(() => Response.json({ data: { insertProduct: refused } }))
    expect(await insertProduct(gateway, product)).toEqual({
      ok: false,
      errors: [{ message: 'There is one' }],
      partial: refused,
    })
    const silent = { ...refused, message: null }
    const other = answering(() => Response.json({ data: { insertProduct: silent } })).gateway
    expect(await insertProduct(other, product)).toMatchObject({
      errors: [{ message: 'insertProduct was not acknowledged' }],
    })
  })

  test('an acknowledged insert without rows is a success', async () => {
    const data = { ...inserted, totalImpactedData: 0 }
    const { gateway } = answering(() => Response.json({ data: { insertProduct: data } }))
    expect(await insertProduct(gateway, product)).toEqual({ ok: true, data })
  })

  test.each([
    [
      'a refusal',
      404,
      '{"Errors": {"Message": "Project not found"}, "IsSuccess": false}',
      'Project not found',
    ],
    ['a page of HTML', 502, '<html>Bad gateway</html>', 'No Products in the response (HTTP 502)'],
    ['an empty body', 200, '', 'No Products in the response (HTTP 200)'],
    ['null', 200, 'null', 'No Products in the response (HTTP 200)'],
    ['no data', 200, '{"data": null}', 'No Products in the response (HTTP 200)'],
    [
      'errors that are null',
      200,
      '{"data": {"Products": {}}, "errors": [null]}',
      'No Products in the response (HTTP 200)',
    ],
    ['a list', 200, '[]', 'No Products in the response (HTTP 200)'],
    [
      'an errors object',
      400,
      '{"errors": {"ProjectKey": "missing"}}',
      'No Products in the response (HTTP 400)',
    ],
    [
      'an errors object beside data',
      200,
      '{"data": {"Products": {"items": []}}, "errors": {"ProjectKey": "missing"}}',
      'No Products in the response (HTTP 200)',
    ],
    [
      'data with the status of a failure',
      500,
      '{"data": {"Products": {"items": []}}}',
      'No Products in the response (HTTP 500)',
    ],
  ])('%s is a failure with a message', async (_, status, body, message) => {
    const { gateway } = answering(() => new Response(body, { status }))
    const result = await listProducts(gateway)
    expect(result).toMatchObject({ ok: false, errors: [{ message, cause: { status } }] })
  })

  test('a network error is a failure with its cause', async () => {
    const cause = new TypeError('fetch failed')
    const { gateway } = answering(() => Promise.reject(cause))
    expect(await listProducts(gateway)).toEqual({
      ok: false,
      errors: [
        {
          message: 'Request failed: TypeError: fetch failed',
          extensions: { code: 'REQUEST_FAILED' },
          cause,
        },
      ],
      partial: undefined,
    })
  })

  test('a fetch that rejects with a string is a failure too', async () => {
    const { gateway } = answering(() => Promise.reject('Stopped by the user' as unknown as Error))
    const errors = [{ message: 'Request failed: Stopped by the user' }]
    expect(await listProducts(gateway)).toMatchObject({ ok: false, errors })
  })

  test('an input that is not JSON is a failure before anything is sent', async () => {
    const { gateway } = answering(() => expect.unreachable('nothing may be sent'))
    const input: Record<string, unknown> = { ...product }
    input['Name'] = input
    const message = expect.stringMatching(/circular.*'Name'.*Nothing was sent$/s) as string
    const failure = { ok: false, errors: [{ message, extensions: { code: 'VALUE_INVALID' } }] }
    expect(await insertProduct(gateway, input as never)).toMatchObject(failure)
    const variables = { input: input as never }
    expect(await execute(gateway, insertProductDocument, variables)).toMatchObject(failure)
  })

  test('orThrow returns the data or throws the errors', async () => {
    const { gateway } = answering(() => Response.json({ data: { Products: page } }))
    expect((await orThrow(listProducts(gateway))).totalCount).toBe(1)
    const errors = [{ message: 'No' }, { message: 'Nor that' }]
    const failing = answering(() => Response.json({ data: null, errors })).gateway
    await expect(orThrow(listProducts(failing))).rejects.toMatchObject({
      name: 'GatewayOperationError',
      message: 'No',
      errors,
      partial: null,
    })
  })
})
