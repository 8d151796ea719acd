import type { AddressInfo } from 'node:net'
import { sep } from 'node:path'
import type { EnvironmentModuleGraph, ViteDevServer } from 'vite'
import { createComplaint } from './complaint.ts'
import { followSource } from './follow-source.ts'
import { modulePrefix, packSpecifier, virtualId } from './ids.ts'
import { listenToPlatform } from './listen-to-platform.ts'
import { poll } from './poll.ts'
import type { Log, Session, SessionChange } from './session.ts'
import { receiveWebhook, webhookPath } from './webhook.ts'
import type { Workshop } from './workshop.ts'

/**
 * Keeps a running development server in step with the texts: when the
 * platform's webhook calls, when a poll finds a change, and when the snapshot
 * changes on disk. An edited text is replaced in the page without a reload.
 *
 * @returns a function that ends it; what belongs to the server ends with it.
 */
export async function followTexts(server: ViteDevServer, workshop: Workshop): Promise<() => void> {
  const { project, session } = await workshop.open()
  const { pollMs, webhook: secret } = workshop.options
  const { log } = workshop.settings
  const apply = (change: SessionChange | undefined): void => {
    if (change) applyChange(server, session, change)
  }
  followSnapshot(server, session, project.options, apply, log)
  if (!project.hasSource || (await project.frozen())) return () => undefined

  const complaint = createComplaint(log)
  const refresh = async (moduleId?: string): Promise<void> => {
    try {
      apply(await session.refresh(moduleId))
      complaint.forget()
    } catch (error) {
      complaint.say(error)
    }
  }
  const onEvent = (moduleId: string | undefined): void => void refresh(moduleId)
  server.middlewares.use(webhookPath, (request, response) => {
    receiveWebhook(request, response, { secret, onEvent }).catch(complaint.say)
  })
  const { httpServer } = server
  // Part of another server, or behind a certificate that the platform does not know.
  if (!httpServer || server.config.server.https) return followSource(workshop, apply)

  let stopListening: (() => void) | undefined
  let hasEnded = false
  httpServer.once('listening', async () => {
    const address = httpServer.address()
    if (typeof address !== 'object' || address === null) return
    const serverUrl = `http://${hostOf(address)}/`
    const stop = await listenToPlatform({
      ...project.options,
      serverUrl,
      secret,
      onBack: () => void refresh(),
    })
    if (hasEnded) stop()
    else stopListening = stop
  })
  const stopPolling = pollMs > 0 ? poll(pollMs, refresh) : undefined
  return () => {
    hasEnded = true
    stopPolling?.()
    stopListening?.()
  }
}

/**
 * Reads the snapshot again when its lock changes on disk. A checkout writes the
 * files one after the other, so that what does not fit together yet is looked at
 * again when the next of them comes.
 */
function followSnapshot(
  server: ViteDevServer,
  session: Session,
  { lockFile, snapshotDir }: { readonly lockFile: string; readonly snapshotDir: string },
  apply: (change: SessionChange | undefined) => void,
  log: Log,
): void {
  const complaint = createComplaint(log)
  let isTorn = false
  const read = async (): Promise<void> => {
    try {
      apply(await session.reload())
      isTorn = false
      complaint.forget()
    } catch (error) {
      isTorn = true
      complaint.say(error)
    }
  }
  server.watcher.add([lockFile, snapshotDir])
  server.watcher.on('all', (_event, file) => {
    if (file === lockFile || (isTorn && file.startsWith(snapshotDir + sep))) void read()
  })
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
