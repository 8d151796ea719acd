import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { onTestFinished } from 'vitest'

/** Collects garbage every 50 ms until the test ends, such as signals that nothing refers to. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collecting = setInterval(runInNewContext('gc') as () => void, 50)
  onTestFinished(() => clearInterval(collecting))
}

/** Starts a server that sends the head and the first byte of each response; returns its URL. */
export async function startStallingServer(status = 200): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(status).write(' '))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
