/**
 * Minimal service in a separate process, so that its work does not count for the client. It
 * responds to every request with the body of its first message, and replies with its URL.
 */
import { createServer } from 'node:http'

process.once('message', (/** @type {{ body: string }} */ { body }) => {
  const server = createServer((_, response) => {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      etag: '"1f0c"',
    })
    response.end(body)
  })
  // A connection that closes between two rounds would cost one contender a new one.
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    process.send?.({ baseUrl: `http://127.0.0.1:${port}` })
  })
})
// Exits with its parent process, however that ends.
process.once('disconnect', () => process.exit())
