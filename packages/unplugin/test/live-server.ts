import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type BuildManifest, type Problem, repack } from '@servicekit/catalog'
import { repackHandler, type TenantProject } from '@servicekit/catalog/repack'
import { projectOver } from './project.ts'

/** Server of newer packs, which can be down or slow. */
export interface LiveServer {
  readonly origin: string
  /** Translations that were refused. */
  readonly refused: Problem[]
  /** Serves packs for another build. */
  readonly use: (manifest: BuildManifest) => void
  /** Compiles the snapshot of a project for the build: file names and contents. */
  readonly compile: (root: string) => Promise<readonly (readonly [string, string])[]>
  /**
   * `down` closes connections, `slow` holds requests for pointers until the mode changes,
   * `empty` sends packs without content.
   */
  readonly setMode: (mode: 'up' | 'down' | 'slow' | 'empty') => void
  /** Resolves when the next event of a webhook was handled. */
  readonly nextEvent: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Starts a server for the tenants of `source`. */
export async function startLiveServer(
  source: (tenant: string) => TenantProject | undefined,
): Promise<LiveServer> {
  const refused: Problem[] = []
  const held: (() => void)[] = []
  const waiting: (() => void)[] = []
  let mode: 'up' | 'down' | 'slow' | 'empty' = 'up'
  let manifest: BuildManifest | undefined
  let handler: ((request: Request) => Promise<Response>) | undefined
  const listener = getRequestListener(async (request) => {
    const response = await handler!(request)
    if (request.method === 'POST') for (const done of waiting.splice(0)) done()
    return response
  })
  const server = createServer((request, response: ServerResponse) => {
    if (mode === 'empty' && request.url!.endsWith('.js')) {
      response.writeHead(200, {
        'content-type': 'text/javascript',
        'access-control-allow-origin': '*',
      })
      response.end()
    } else if (mode === 'down' && request.method === 'GET') request.socket.destroy()
    else if (mode === 'slow' && request.url!.endsWith('.json')) {
      held.push(() => void listener(request, response))
    } else void listener(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    use(next) {
      manifest = next
      handler = repackHandler({
        manifest: next,
        source,
        maxAgeMs: 3_600_000,
        onProblems: (problems) => void refused.push(...problems),
      })
    },
    async compile(root) {
      const { catalog } = await projectOver(root, undefined).load()
      const { packs } = repack(manifest!, catalog)
      return packs.map(({ name, source }) => [name, source] as const)
    },
    setMode(next) {
      mode = next
      if (next !== 'slow') for (const release of held.splice(0)) release()
    },
    nextEvent: () => new Promise((done) => void waiting.push(done)),
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
}
