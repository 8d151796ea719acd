import { describe, expect, test } from 'vitest'
import { listOrders, listOrdersNested } from '../__snapshots__/storefront/order.ts'
import { insertProduct, listProducts } from '../__snapshots__/storefront/product.ts'
import {
  createGateway,
  execute,
  type Gateway,
  orThrow,
} from '../__snapshots__/storefront/gateway.ts'

interface Sent {
  readonly url: string
  readonly init: RequestInit
  readonly body: { readonly query: string; readonly variables?: unknown }
}

/** A gateway whose service answers what it is told, and the requests that it got. */
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

describe('requests', () => {
  test('a list is one POST with the project’s header', async () => {
    const { gateway, sent } = answering(() => Response.json({ data: { Products: page } }), {
      headers: { authorization: 'Bearer x' },
    })
    const result = await listProducts(gateway, {
      select: ['Name', 'Price', 'Name', 'ItemId'],
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
        '{Products(where:$where,order:$order,paging:$paging){items{ItemId,Name,Price}' +
        'totalCount pageNo pageSize totalPages hasNextPage hasPreviousPage}}',
    )
  })

  test('without select every scalar is asked for, and no object', async () => {
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

  test('a nested selection names its objects, and leaves out empty ones', async () => {
    const { gateway, sent } = answering(() => Response.json({ data: { Orders: page } }))
    await listOrdersNested(gateway, {
      select: { Number: true, ShippingAddress: { City: true, Location: true }, Lines: {} },
    })
    expect(sent[0]?.body.query).toContain('items{ItemId,Number,ShippingAddress{City,Location}}')
  })

  test('an insert sends its input, dates as ISO 8601', async () => {
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

  test('any document can be run', async () => {
    const data = { Products: { totalCount: 3 } }
    const { gateway } = answering(() => Response.json({ data }))
    expect(await execute(gateway, '{ Products { totalCount } }')).toEqual({ ok: true, data })
  })

  test('one call can differ: spread the gateway', async () => {
    const { gateway, sent } = answering(() => Response.json({ data: { Products: page } }))
    const { signal } = new AbortController()
    await listProducts({ ...gateway, signal, credentials: undefined })
    expect(sent[0]?.init).toMatchObject({ signal, credentials: undefined })
  })
})

describe('results', () => {
  test('errors are read before data, which becomes partial', async () => {
    const errors = [{ message: 'No', extensions: { code: 'VALIDATION_ERROR' } }]
    const { gateway } = answering(() => Response.json({ data: { Products: page }, errors }))
    expect(await listProducts(gateway)).toEqual({
      ok: false,
      errors,
      partial: { Products: page },
    })
  })

  test('an empty or null list of errors is none', async () => {
    for (const errors of [[], null]) {
      const { gateway } = answering(() => Response.json({ data: { Products: page }, errors }))
      expect(await listProducts(gateway)).toEqual({ ok: true, data: page })
    }
  })

  test('an insert that is not acknowledged has failed', async () => {
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

  test('an acknowledged insert of nothing has not', async () => {
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
    ['a page of HTML', 502, '<html>Bad gateway</html>', 'HTTP 502'],
    ['an empty body', 200, '', 'HTTP 200'],
    ['null', 200, 'null', 'HTTP 200'],
    ['no data', 200, '{"data": null}', 'HTTP 200'],
    ['no such member', 200, '{"data": {"Products": null}}', 'HTTP 200'],
    ['an errors object', 400, '{"errors": {"ProjectKey": "missing"}}', 'HTTP 400'],
  ])('%s is a failure with a message', async (_, status, body, message) => {
    const { gateway } = answering(() => new Response(body, { status }))
    const result = await listProducts(gateway)
    expect(result).toMatchObject({ ok: false, errors: [{ message, cause: { status } }] })
  })

  test('no network is a failure too, with its cause', async () => {
    const cause = new TypeError('fetch failed')
    const { gateway } = answering(() => Promise.reject(cause))
    expect(await listProducts(gateway)).toEqual({
      ok: false,
      errors: [{ message: 'HTTP TypeError: fetch failed', cause }],
      partial: undefined,
    })
  })

  test('the throwing form gives the data, or an error with the errors', async () => {
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
