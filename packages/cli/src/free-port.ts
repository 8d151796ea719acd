import { createServer } from 'node:net'

/** Returns whether no program listens on a port. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}

/** Returns the first free port of `count`, or the first one if all are in use. */
export async function firstFreePort(first: number, count: number, host?: string): Promise<number> {
  for (let port = first; port < first + count; port++) if (await isFree(port, host)) return port
  return first
}
