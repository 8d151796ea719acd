import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCore } from '@servicekit/client/core'
import { gatewayOptions } from '@servicekit/client/data'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createGateway } from '../__snapshots__/storefront/gateway.ts'
import { listProducts } from '../__snapshots__/storefront/product.ts'

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

describe("a gateway over the client's core reports", () => {
  test.each<[what: string, status: number, type: string, body: string, error: object]>([
    ['a page of HTML', 200, 'text/html', '<html>', { name: 'ResponseShapeError' }],
    [
      'an incomplete body',
      200,
      'application/json',
      '{"data": {"Prod',
      { name: 'ResponseShapeError' },
    ],
    [
      'null without an error',
      200,
      'application/json',
      '{"data": {"Products": null}}',
      { name: 'ResponseShapeError', details: { expected: 'a value in data.Products' } },
    ],
    [
      'a problem',
      500,
      'application/problem+json',
      '{"title": "Broken", "status": 500}',
      { name: 'RequestError', status: 500 },
    ],
  ])('%s as a typed error', async (_, status, type, body, error) => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(status, { 'content-type': type })
      response.end(body)
    })
    const core = createCore({ baseUrl, projectKey: 'P1', retry: { attempts: 1 } })
    const result = await listProducts(createGateway(gatewayOptions(core)))
    expect(result).toMatchObject({ ok: false, errors: [{ cause: error }] })
    const first = result.ok ? undefined : result.errors[0]
    expect(first?.cause).toHaveProperty('message', first?.message)
  })

  test('an exceeded time limit', async () => {
    const baseUrl = await serve(() => {})
    const core = createCore({ baseUrl, projectKey: 'P1', timeoutMs: 50, retry: { attempts: 1 } })
    expect(await listProducts(createGateway(gatewayOptions(core)))).toMatchObject({
      ok: false,
      errors: [{ cause: { code: 'REQUEST_TIMED_OUT' } }],
    })
  })
})
