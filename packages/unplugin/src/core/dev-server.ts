import type { AddressInfo } from 'node:net'
import type { EnvironmentModuleGraph, ViteDevServer } from 'vite'
import { modulePrefix, packSpecifier, virtualId } from './ids.ts'
import { listenToPlatform } from './listen-to-platform.ts'
import { poll } from './poll.ts'
import type { Log, Session, SessionChange } from './session.ts'
import { receiveWebhook, webhookPath, type WebhookOptions } from './webhook.ts'

export interface FollowOptions {
  readonly session: Session
  readonly pollMs: number
  readonly secret: WebhookOptions['secret']
  readonly log: Log
  /** Whether the service may be asked; a frozen build follows the files alone. */
  readonly online: boolean
  readonly lockFile: string
  readonly baseUrl: string | undefined
  readonly projectKey: string | undefined
}

/**
 * Keeps a running development server in step with the texts: when the
 * platform's webhook calls, when a poll finds a change, and when the snapshot
 * changes on disk. An edited text is replaced in the page without a reload.
 */
export function followTexts(server: ViteDevServer, options: FollowOptions): void {
  const { session, log } = options
  const apply = (change: SessionChange | undefined): void => {
    if (change) applyChange(server, session, change)
  }
  const complain = (error: unknown): void =>
    log.warn(error instanceof Error ? error.message : String(error))

  server.watcher.add(options.lockFile)
  server.watcher.on('all', (_event, file) => {
    if (file === options.lockFile) session.reload().then(apply, complain)
  })
  if (!options.online) return

  const refresh = (moduleId?: string): Promise<void> =>
    session.refresh(moduleId).then(apply, complain)
  server.middlewares.use(webhookPath, (request, response) => {
    const onEvent = (moduleId: string | undefined): void => void refresh(moduleId)
    receiveWebhook(request, response, { secret: options.secret, onEvent }).catch(complain)
  })
  const listen = keepListening(server, options)
  const look = async (): Promise<void> => {
    // A platform that was started again has forgotten who listens.
    await Promise.all([listen(), refresh()])
  }
  if (options.pollMs > 0) server.httpServer?.once('close', poll(options.pollMs, look))
}

/** Listens to a local platform as soon as the server has an address; the result does so again. */
function keepListening(server: ViteDevServer, options: FollowOptions): () => Promise<void> {
  const { httpServer } = server
  let stop: (() => void) | undefined
  const listen = async (): Promise<void> => {
    const address = httpServer?.address()
    if (typeof address !== 'object' || address === null) return
    const scheme = server.config.server.https ? 'https' : 'http'
    stop = await listenToPlatform({ ...options, serverUrl: `${scheme}://${hostOf(address)}/` })
  }
  httpServer?.once('listening', () => void listen())
  httpServer?.once('close', () => stop?.())
  return listen
}

const hostOf = ({ address, family, port }: AddressInfo): string =>
  /^(?:::|0\.0\.0\.0)$/.test(address)
    ? `localhost:${port}`
    : `${family === 'IPv6' ? `[${address}]` : address}:${port}`

function applyChange(server: ViteDevServer, session: Session, change: SessionChange): void {
  const { client, ...others } = server.environments
  // What renders on the server is made anew by the next request.
  for (const { moduleGraph, hot } of Object.values(others)) {
    moduleGraph.invalidateAll()
    hot.send({ type: 'full-reload' })
  }
  const reload = (specifier: string): void => {
    const module = client.moduleGraph.getModuleById(virtualId(specifier))
    if (module) void client.reloadModule(module)
  }
  if (change.reshaped) {
    client.moduleGraph.invalidateAll()
    client.hot.send({ type: 'full-reload' })
    return
  }
  for (const name of change.texts) {
    // A text that others fall back to is in their packs too.
    for (const { code } of session.model().catalog.languages) reload(packSpecifier(name, code))
  }
  for (const name of change.keys) {
    if (change.gone.has(name)) reload(modulePrefix + name)
    else outdate(client.moduleGraph, modulePrefix + name)
  }
}

/**
 * What imports a module of keys from now on gets the new one; the page, which
 * asks for none of the keys that came, is left as it is.
 */
function outdate(graph: EnvironmentModuleGraph, specifier: string): void {
  const module = graph.getModuleById(virtualId(specifier))
  if (module) graph.invalidateModule(module, new Set(), Date.now(), true)
}
