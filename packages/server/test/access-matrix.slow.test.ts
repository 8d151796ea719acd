import { rm, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { describeAccessMatrix } from '@servicekit/testing/access-matrix'
import type { OpenPlatform } from '@servicekit/testing/matrix-world'
import { startBalancer } from '@servicekit/testing/balancer'
import { openServer } from '@servicekit/testing/open-server'

/** Opens a server behind a reverse proxy, and sends requests to the proxy. */
const open: OpenPlatform = async ({ projects = [], controlToken = '' }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'servicekit-matrix-'))
  const server = await openServer({
    dataDir,
    controlToken,
    storage: { strategy: 'Local' },
    rateLimitPerMinute: 0,
    suggestions: { perMinute: 1000 },
  })
  const proxy = await startBalancer()
  proxy.use([server.baseUrl])
  for (const source of projects) await server.platform.loadProject(source)
  return {
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
      return fetch(`${proxy.baseUrl}${pathname}${search}`, {
        method,
        headers,
        body,
        redirect: 'manual',
      })
    },
    close: async () => {
      await proxy.close()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

// The same as for the platform, but over HTTP through a proxy.
describe('of servicekit serve behind a reverse proxy', () => {
  describeAccessMatrix(open)
})
