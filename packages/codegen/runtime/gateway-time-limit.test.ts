import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createGateway, type Gateway } from '../__snapshots__/storefront/gateway.ts'
import { listProducts, walkProducts } from '../__snapshots__/storefront/product.ts'
import { queryOptions } from './gateway-query.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

beforeEach(() => {
  const collecting = setInterval(collectGarbage, 50)
  onTestFinished(() => clearInterval(collecting))
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  // Unlike that of a spy, its results are not kept.
  vi.stubGlobal('AbortSignal', { timeout: () => timeout(500), any: AbortSignal.any })
})

/** Returns a gateway that sends the head and the first byte of each response. */
async function stallingGateway(): Promise<Gateway> {
  const server = createServer((_, response) => void response.write(' '))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return createGateway({ baseUrl: `http://127.0.0.1:${port}`, projectKey: 'P1' })
}

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
    const gateway = await stallingGateway()
    const outcome = await call(gateway, new AbortController().signal).catch(
      (error: unknown) => error,
    )
    expect(outcome).toMatchObject({
      errors: [{ message: expect.stringContaining('TimeoutError') as string }],
    })
  },
)
