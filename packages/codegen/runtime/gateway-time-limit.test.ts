import { collectGarbage, startStallingServer } from '@servicekit/testing/stalling-server'
import { beforeEach, expect, test, vi } from 'vitest'
import { createGateway, type Gateway } from '../__snapshots__/storefront/gateway.ts'
import { listProducts, walkProducts } from '../__snapshots__/storefront/product.ts'
import { queryOptions } from './gateway-query.ts'

beforeEach(() => {
  collectGarbage()
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  // Unlike those of a spy, its results are not kept.
  vi.stubGlobal('AbortSignal', { timeout: () => timeout(500), any: AbortSignal.any })
})

const asRequest: Gateway['fetch'] = (url, init) => fetch(new Request(url, init))
const productQuery = queryOptions('Product', 'list', listProducts as never, 1)

test.each<[what: string, call: (gateway: Gateway, signal: AbortSignal) => Promise<unknown>]>([
  ['a list', (gateway) => listProducts(gateway)],
  ['a list over a fetch of requests', (gateway) => listProducts({ ...gateway, fetch: asRequest })],
  ['a walk', (gateway) => walkProducts(gateway).next()],
  ['a walk with a signal', (gateway, signal) => walkProducts(gateway, { signal }).next()],
  ['a query of a library', (gateway, signal) => productQuery(gateway).queryFn({ signal })],
])(
  '%s ends at its time limit when the body stalls, despite garbage collection',
  async (_, call) => {
    const gateway = createGateway({ baseUrl: await startStallingServer(), projectKey: 'P1' })
    const outcome = await call(gateway, new AbortController().signal).catch(
      (error: unknown) => error,
    )
    expect(outcome).toMatchObject({
      errors: [{ message: expect.stringContaining('TimeoutError') as string }],
    })
  },
)
