import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { receiveWebhook, type WebhookOptions } from './webhook.ts'

/**
 * An address on this machine that a local platform tells of changes: for bundlers
 * that serve nothing, and for servers that a platform cannot call because they
 * are part of another one, or have a certificate that only the developer trusts.
 */
export async function receiveEvents(
  options: WebhookOptions,
): Promise<{ readonly serverUrl: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    receiveWebhook(request, response, options).catch(() => response.destroy())
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    serverUrl: `http://127.0.0.1:${port}/`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
