/**
 * A service as small as can be, in a process of its own, so that none of its work
 * counts for who asks: it answers everything with the body that it is sent at its
 * start, and says then where it listens.
 */
import { createServer } from 'node:http'

process.once('message', (/** @type {string} */ body) => {
  const server = createServer((_, response) => {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      etag: '"1f0c"',
    })
    response.end(body)
  })
  // A connection that is given up between two rounds would cost one contender a new one.
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    process.send?.(`http://127.0.0.1:${port}`)
  })
})
// It ends with who started it, however that one ends.
process.once('disconnect', () => process.exit())
