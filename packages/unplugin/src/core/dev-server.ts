import type { AddressInfo } from 'node:net'
import { sep } from 'node:path'
import { findByImportName } from '@servicekit/catalog'
import type { EnvironmentModuleGraph, EnvironmentModuleNode, ViteDevServer } from 'vite'
import { createComplaint } from './complaint.ts'
import { followSource } from './follow-source.ts'
import { packSpecifier, virtualId, virtualOf } from './ids.ts'
import { listenToPlatform } from './listen-to-platform.ts'
import { poll } from './poll.ts'
import type { Log, Session, SessionChange } from './session.ts'
import type { UnknownKey, UnknownKeyError } from './unknown-key.ts'
import { specifiersOf } from './used-messages.ts'
import { unknownKeyEvent } from './virtual-code.ts'
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
  const complaint = createComplaint(log)
  const apply = (change: SessionChange | undefined): void => {
    if (change) applyChange(server, workshop, session, change).catch(complaint.say)
  }
  showUnknownKeys(server, workshop)
  followSnapshot(server, session, project.options, apply, log)
  if (!project.hasSource || (await project.frozen())) return () => undefined

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

async function applyChange(
  server: ViteDevServer,
  workshop: Workshop,
  session: Session,
  change: SessionChange,
): Promise<void> {
  const { client, ...others } = server.environments
  const { moduleGraph: graph } = client
  // What renders on the server is made anew by the next request.
  for (const { moduleGraph, hot } of Object.values(others)) {
    moduleGraph.invalidateAll()
    hot.send({ type: 'full-reload' })
  }
  if (change.reshaped) {
    graph.invalidateAll()
    client.hot.send({ type: 'full-reload' })
    return
  }
  const model = session.model()
  const reloaded: EnvironmentModuleNode[] = []
  for (const name of change.texts) {
    // A text that others fall back to is in their packs too.
    for (const { code } of model.catalog.languages) {
      const module = graph.getModuleById(virtualId(packSpecifier(name, code)))
      if (module) reloaded.push(module)
    }
  }
  for (const name of change.keys) {
    const isGone = change.gone.has(name)
    for (const specifier of specifiersOf({ name })) outdate(graph, specifier, isGone)
  }
  for (const module of standIns(graph)) {
    const { module: name, key } = module.virtual
    const found = findByImportName(model.modules, name)
    if (!found?.messages.some((message) => message.name === key || message.key === key)) continue
    // The key exists now: its importers ask for it anew.
    for (const importer of module.node.importers) invalidate(graph, importer)
    reloaded.push(module.node)
  }
  await Promise.all(reloaded.map((module) => client.reloadModule(module)))
  // Updates close the overlay, so it comes after them.
  await reportGone(server, workshop, change)
}

/**
 * What imports a module of keys from now on gets the new one; the page is left as
 * it is: it asks for none of the keys that came, and shows those that went by name.
 *
 * @param isGone whether a key went, so that the imports of files are looked at again.
 */
function outdate(graph: EnvironmentModuleGraph, specifier: string, isGone: boolean): void {
  const module = graph.getModuleById(virtualId(specifier))
  if (!module) return
  if (isGone) for (const importer of module.importers) invalidate(graph, importer)
  invalidate(graph, module)
}

const invalidate = (graph: EnvironmentModuleGraph, module: EnvironmentModuleNode): void =>
  graph.invalidateModule(module, new Set(), Date.now(), true)

/** Modules of the page that stand in for keys which do not exist. */
const standIns = (graph: EnvironmentModuleGraph) =>
  [...graph.idToModuleMap.values()].flatMap((node) => {
    const virtual = node.id === null ? undefined : virtualOf(node.id)
    return virtual?.kind === 'unknown' ? [{ node, virtual }] : []
  })

/** Reports keys that went while the page is open: in the terminal and in the overlay. */
async function reportGone(
  { environments: { client } }: ViteDevServer,
  { unknownKeys }: Workshop,
  { gone }: SessionChange,
): Promise<void> {
  const specifiers = [...gone].flatMap((name) => specifiersOf({ name }))
  for (const specifier of specifiers) {
    const module = client.moduleGraph.getModuleById(virtualId(specifier))
    for (const { url, id } of module?.importers ?? []) {
      // What does not compile has an overlay of its own.
      await client.transformRequest(url).catch(() => undefined)
      const [error] = id === null ? [] : unknownKeys.of(id)
      if (error) client.hot.send({ type: 'error', err: overlayOf(error) })
    }
  }
}

/** Shows the error of an unknown key to each page that shows the key. */
function showUnknownKeys({ environments }: ViteDevServer, { unknownKeys }: Workshop): void {
  environments.client.hot.on(unknownKeyEvent, (unknown: UnknownKey, client) => {
    const error = unknownKeys.find(unknown)
    if (error) client.send({ type: 'error', err: overlayOf(error) })
  })
}

const overlayOf = ({ summary, file, place, frame }: UnknownKeyError) => ({
  message: summary,
  stack: '',
  plugin: 'servicekit',
  id: file,
  frame,
  ...(place ? { loc: { file, line: place.line, column: place.column } } : {}),
})
