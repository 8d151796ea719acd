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
 * Updates a running development server when translations change: on webhook events, when
 * polling finds a change, and when the snapshot changes on disk. Edited translations are
 * replaced in the page without a reload.
 *
 * @returns a function that stops it. Anything attached to the server ends with the
 * server.
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
  // In middleware mode, or with a certificate that the platform does not trust.
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
 * Reloads the snapshot when its lock file changes on disk. A checkout writes files one by
 * one. If the snapshot is inconsistent, it is reloaded at the next file change.
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
  // Server-rendered output is recreated by the next request.
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
    // Other languages may fall back to the changed translation.
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
    // The key now exists, so its importers must import it again.
    for (const importer of module.node.importers) invalidate(graph, importer)
    reloaded.push(module.node)
  }
  await Promise.all(reloaded.map((module) => client.reloadModule(module)))
  // Updates close the error overlay, so errors are reported afterwards.
  await reportGone(server, workshop, change)
}

/**
 * Invalidates a key module for future imports without reloading the page. The page uses
 * none of the added keys, and shows the removed ones by name.
 *
 * @param isGone `true` if a key was removed, so that the imports of files are checked
 * again.
 */
function outdate(graph: EnvironmentModuleGraph, specifier: string, isGone: boolean): void {
  const module = graph.getModuleById(virtualId(specifier))
  if (!module) return
  if (isGone) for (const importer of importersOf(module)) invalidate(graph, importer)
  invalidate(graph, module)
}

/** Returns the importers of a key module, and those of its extended versions. */
const importersOf = (module: EnvironmentModuleNode): readonly EnvironmentModuleNode[] =>
  [...module.importers].flatMap((importer) =>
    importer.id !== null && virtualOf(importer.id)
      ? [importer, ...importersOf(importer)]
      : importer,
  )

const invalidate = (graph: EnvironmentModuleGraph, module: EnvironmentModuleNode): void =>
  graph.invalidateModule(module, new Set(), Date.now(), true)

/** Returns the modules that stand in for unknown keys. */
const standIns = (graph: EnvironmentModuleGraph) =>
  [...graph.idToModuleMap.values()].flatMap((node) => {
    const virtual = node.id === null ? undefined : virtualOf(node.id)
    return virtual?.kind === 'unknown' ? [{ node, virtual }] : []
  })

/**
 * Reports keys that were removed while the page is open, in the terminal and in the
 * overlay.
 */
async function reportGone(
  { environments: { client } }: ViteDevServer,
  { unknownKeys }: Workshop,
  { gone }: SessionChange,
): Promise<void> {
  const specifiers = [...gone].flatMap((name) => specifiersOf({ name }))
  for (const specifier of specifiers) {
    const module = client.moduleGraph.getModuleById(virtualId(specifier))
    for (const { url, id } of module ? importersOf(module) : []) {
      // Compile errors have their own overlay.
      await client.transformRequest(url).catch(() => undefined)
      const [error] = id === null ? [] : unknownKeys.of(id)
      if (error) client.hot.send({ type: 'error', err: overlayOf(error) })
    }
  }
}

/** Sends the error of an unknown key to each page that uses it. */
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
