import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { receiveWebhook, type WebhookOptions } from './webhook.ts'

/**
 * Starts an HTTP server on this machine that receives events from a local platform. Used
 * for bundlers without a server, and for servers that the platform cannot call because
 * they run in middleware mode or have an untrusted certificate.
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
