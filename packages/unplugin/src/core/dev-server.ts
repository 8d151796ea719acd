import { sep } from 'node:path'
import { findByImportName } from '@servicekit/catalog'
import type { ServicekitError } from '@servicekit/client'
import { reasonOf } from '@servicekit/core'
import type {
  EnvironmentModuleGraph,
  EnvironmentModuleNode,
  HotChannelClient,
  ViteDevServer,
} from 'vite'
import { followFolder } from './follow-folder.ts'
import { followSource } from './follow-source.ts'
import { editSpecifier, packSpecifier, type VirtualModule, virtualId, virtualOf } from './ids.ts'
import { acceptKeys, keyFormData } from './key-form.ts'
import { keyFormEvent } from './key-form-data.ts'
import type { PluginContext } from './plugin-context.ts'
import type { SessionChange } from './session-change.ts'
import { createWarner, type Session } from './session.ts'
import type { UnknownKey, UnknownKeyError } from './unknown-key.ts'
import { specifiersOf } from './used-messages.ts'
import { editEvent, messagesNamed, type PackEdit, splitEdit } from './dev-code.ts'
import { unknownKeyEvent } from './virtual-code.ts'
import { receiveWebhook, webhookPath } from './webhook.ts'

/**
 * Updates a running development server when translations change: on events of the service,
 * when polling finds a change, and when the snapshot changes on disk. Edited translations
 * are replaced in the page without a reload.
 *
 * @returns a function that stops it. Anything attached to the server ends with the
 * server.
 */
export async function updateServer(
  server: ViteDevServer,
  context: PluginContext,
): Promise<() => void | Promise<void>> {
  const { session } = await context.open()
  const { warn } = createWarner(context.settings.log)
  const unsubscribe = session.subscribe((change) => {
    applyChange(server, context, session, change).catch(warn)
  })
  await acceptKeys(server, context)
  showUnknownKeys(server, context, session)
  await followConfig(server, context)
  const { project } = await context.open()
  if (project.folder) {
    const stop = await followFolder(context, {
      watcher: server.watcher,
      onInvalid: showInvalidFiles(server),
    })
    return () => {
      unsubscribe()
      return stop()
    }
  }
  await followSnapshot(server, context)
  const follower = await followSource(context, () => shownLanguages(server, session))
  if (!follower) return unsubscribe
  server.middlewares.use(webhookPath, (request, response) => {
    const { webhook: secret } = context.options
    receiveWebhook(request, response, { secret, onEvent: follower.refresh }).catch(warn)
  })
  return () => {
    unsubscribe()
    return follower.stop()
  }
}

/** Shows the first file that is not valid in the overlay of pages, until it is. */
function showInvalidFiles({ environments }: ViteDevServer) {
  const { hot } = environments.client
  let isShown = false
  return (errors: readonly ServicekitError[]): void => {
    const [error] = errors
    if (error) {
      const { file, line, column } = error.details
      const loc = { file: String(file), line: Number(line), column: Number(column) }
      const message = error.message.split('\n', 1)[0]!
      hot.send({ type: 'error', err: { message, stack: '', plugin: 'servicekit', loc } })
    } else if (isShown) hot.send({ type: 'update', updates: [] })
    isShown = error !== undefined
  }
}

/**
 * Reloads the snapshot when its lock file changes on disk. A checkout writes files one by
 * one. If the snapshot is inconsistent, it is reloaded at the next file change.
 */
async function followSnapshot(
  { watcher }: ViteDevServer,
  { open, settings }: PluginContext,
): Promise<void> {
  const { project, session } = await open()
  const { lockFile, snapshotDir } = project.options
  const warner = createWarner(settings.log)
  let isInconsistent = false
  const reload = async (): Promise<void> => {
    try {
      await session.reload()
      isInconsistent = false
      warner.reset()
    } catch (error) {
      isInconsistent = true
      warner.warn(error)
    }
  }
  watcher.add([lockFile, snapshotDir])
  watcher.on('all', (_event, file) => {
    const isSnapshot = file.startsWith(snapshotDir + sep)
    if (file === lockFile || (isInconsistent && isSnapshot)) void reload()
  })
}

/** Restarts the server when an option of the config file changes. */
async function followConfig(server: ViteDevServer, context: PluginContext): Promise<void> {
  const { config } = await context.open()
  const { log } = context.settings
  const restart = async (): Promise<void> => {
    try {
      const change = await config.read()
      if (change === undefined) return
      log.info(`${change}. Restarting the server.`)
      context.reset()
      await server.restart()
    } catch (error) {
      log.warn(reasonOf(error))
    }
  }
  server.watcher.add([...(await config.files())])
  server.watcher.on('all', (_event, file) => {
    void config.concerns(file).then((isConfig) => (isConfig ? restart() : undefined))
  })
}

async function applyChange(
  server: ViteDevServer,
  context: PluginContext,
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
  if (change.needsReload) {
    graph.invalidateAll()
    client.hot.send({ type: 'full-reload' })
    return
  }
  const model = session.model()
  const reloaded: EnvironmentModuleNode[] = []
  const edits: Record<string, PackEdit> = {}
  const packs = nodesOf(graph, 'pack')
  for (const name of new Set([...change.translations.keys(), ...change.keys])) {
    const names = change.translations.get(name)
    const isWhole = change.keys.has(name) || !names || names.size > maxEdits
    const module = model.modules.find((one) => one.name === name)
    if (!module) continue
    // Other languages may fall back to the changed translation.
    for (const { code } of model.catalog.languages) {
      const loaded = packs.filter(
        ({ virtual }) => virtual.module === name && virtual.language === code,
      )
      const edited = isWhole ? undefined : editedNames(loaded, names)
      if (!edited) reloaded.push(...loaded.map(({ node }) => node))
      else if (edited.size > 0) {
        for (const { node } of loaded) graph.invalidateModule(node)
        const messages = messagesNamed(module, edited)
        const { texts, others } = splitEdit(messages, code, model)
        const url =
          others.length > 0 ? editUrl(server, editSpecifier(name, code, others)) : undefined
        edits[packSpecifier(name, code)] = { texts, ...(url !== undefined && { url }) }
      }
    }
  }
  if (Object.keys(edits).length > 0) client.hot.send(editEvent, edits)
  for (const name of change.keys) {
    // The page uses none of the added keys, and shows the removed ones by name, so it is not
    // reloaded. The imports of removed keys are checked again.
    for (const module of keyModules(graph, name)) {
      const outdated = change.removed.has(name) ? [module, ...importersOf(module)] : [module]
      for (const one of outdated) invalidate(graph, one)
    }
  }
  for (const module of nodesOf(graph, 'unknown')) {
    const { module: name, key } = module.virtual
    const found = findByImportName(model.modules, name)
    if (!found?.messages.some((message) => message.name === key || message.key === key)) continue
    // The key now exists, so its importers must import it again. Those that cannot be replaced
    // in the page show its translation through the replacement.
    for (const importer of module.node.importers) {
      invalidate(graph, importer)
      if (importer.isSelfAccepting) reloaded.push(importer)
    }
    reloaded.push(module.node)
  }
  await Promise.all(reloaded.map((module) => client.reloadModule(module)))
  // Updates close the error overlay, so errors are reported afterwards.
  await reportRemovedKeys(server, context, change)
}

/** Returns the languages of the loaded packs, and the one that most messages fall back to. */
function shownLanguages({ environments }: ViteDevServer, session: Session): readonly string[] {
  const packs = nodesOf(environments.client.moduleGraph, 'pack')
  const loaded = packs.map(({ virtual }) => virtual.language)
  return [...new Set([...loaded, session.model().catalog.defaultLanguage])]
}

/** Maximum number of messages that are updated by themselves; a URL contains their names. */
const maxEdits = 50
let lastEdit = Date.now()

/** Returns the edited names that loaded packs contain. */
const editedNames = (
  packs: readonly { readonly virtual: { readonly names: readonly string[] } }[],
  edited: ReadonlySet<string>,
): ReadonlySet<string> =>
  new Set(
    packs.flatMap(({ virtual: { names } }) =>
      names.length === 0 ? [...edited] : names.filter((name) => edited.has(name)),
    ),
  )

/**
 * Returns the URL of the translations of a pack that changed. The pack itself stays as the page
 * has loaded it, and is created again for the next page.
 */
function editUrl({ config, environments }: ViteDevServer, specifier: string): string {
  const { moduleGraph } = environments.client
  const earlier = moduleGraph.getModuleById(virtualId(specifier))
  if (earlier) moduleGraph.invalidateModule(earlier)
  return `${config.base}@id/__x00__${specifier}?t=${++lastEdit}`
}

/**
 * Returns the nodes of a key module, which may be imported by two specifiers, and those of its
 * imported keys.
 */
const keyModules = (graph: EnvironmentModuleGraph, name: string) => [
  ...specifiersOf({ name }).flatMap((specifier) => graph.getModuleById(virtualId(specifier)) ?? []),
  ...nodesOf(graph, 'imported').flatMap(({ node, virtual }) =>
    virtual.module === name ? node : [],
  ),
]

/** Returns the importers of a key module, and those of its extended versions. */
const importersOf = (module: EnvironmentModuleNode): readonly EnvironmentModuleNode[] =>
  [...module.importers].flatMap((importer) =>
    importer.id !== null && virtualOf(importer.id)
      ? [importer, ...importersOf(importer)]
      : importer,
  )

const invalidate = (graph: EnvironmentModuleGraph, module: EnvironmentModuleNode): void =>
  graph.invalidateModule(module, new Set(), Date.now(), true)

/** Returns the modules of a kind that pages have requested. */
const nodesOf = <Kind extends VirtualModule['kind']>(graph: EnvironmentModuleGraph, kind: Kind) =>
  [...graph.idToModuleMap.values()].flatMap((node) => {
    const virtual = node.id === null ? undefined : virtualOf(node.id)
    return virtual?.kind === kind
      ? [{ node, virtual: virtual as Extract<VirtualModule, { kind: Kind }> }]
      : []
  })

/**
 * Reports keys that were removed while the page is open, in the terminal and in the
 * overlay.
 */
async function reportRemovedKeys(
  { environments: { client } }: ViteDevServer,
  context: PluginContext,
  { removed }: SessionChange,
): Promise<void> {
  const modules = [...removed].flatMap((name) => keyModules(client.moduleGraph, name))
  const { session } = await context.open()
  for (const { url, id } of modules.flatMap(importersOf)) {
    // Compile errors have their own overlay.
    await client.transformRequest(url).catch(() => undefined)
    const error = id === null ? undefined : context.unknownKeys.get(id)?.[0]
    if (error) sendError(client.hot, error, context, session)
  }
}

/** Sends the error of an unknown key to each page that uses it. */
function showUnknownKeys(
  { environments }: ViteDevServer,
  context: PluginContext,
  session: Session,
): void {
  environments.client.hot.on(unknownKeyEvent, (unknown: UnknownKey, client) => {
    const error = [...context.unknownKeys.values()]
      .flat()
      .find(({ module, name }) => module === unknown.module && name === unknown.name)
    if (error) sendError(client, error, context, session)
  })
}

/** Sends an error to the overlay, and to the form that creates the key. */
function sendError(
  client: Pick<HotChannelClient, 'send'>,
  error: UnknownKeyError,
  { settings }: PluginContext,
  session: Session,
): void {
  client.send({ type: 'error', err: overlayOf(error) })
  if (!settings.canAddKeys) return
  const data = keyFormData(error, session.model())
  client.send({ type: 'custom', event: keyFormEvent, data })
}

const overlayOf = ({ summary, file, position, frame }: UnknownKeyError) => ({
  message: summary,
  stack: '',
  plugin: 'servicekit',
  id: file,
  frame,
  ...(position ? { loc: { file, line: position.line, column: position.column } } : {}),
})
