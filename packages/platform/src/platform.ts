import { createEvents } from './control/events.ts'
import { createFaults, type Faults } from './control/fault-rules.ts'
import { createListeners } from './control/listeners.ts'
import type { Database } from './database/database.ts'
import { openDatabase } from './database/open-database.ts'
import { buildApp } from './http/app.ts'
import { type AppEnv, requestIdHeader } from './http/app-env.ts'
import { toResponse } from './http/answer.ts'
import { problem } from './http/refusals.ts'
import { underWay } from './http/under-way.ts'
import type { PlatformOptions, ResolvedOptions } from './options.ts'
import type { LoadedProject } from './projects/load-project.ts'
import type { ProjectSource } from './projects/project-source.ts'
import type { PreparedProject } from './projects/read-data.ts'
import type { Watching } from './projects/watch-project.ts'
import { resolveOptions } from './resolve-options.ts'
import type { Services } from './services.ts'

/** Running platform. */
export interface Platform {
  /** Handles a request in process, without a network. A Node server passes its bindings. */
  readonly fetch: (request: Request, bindings?: AppEnv['Bindings']) => Promise<Response>
  /**
   * Loads a project from a folder or a project object. Writes only what changed.
   *
   * @throws PlatformError `PROJECT_INVALID` with the file and the member.
   */
  readonly loadProject: (source: string | ProjectSource) => Promise<LoadedProject>
  /** Fault injection rules of this process, the same as those of the control routes. */
  readonly faults: Faults
  /** Returns the keys of all projects, sorted. */
  readonly projectKeys: () => Promise<readonly string[]>
  /** Closes the platform. Data in a folder or on a server is kept. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** Platform that accepts requests before its database is open; they wait. */
export interface StartingPlatform {
  readonly platform: Platform
  /** Resolves once the database is open and the projects are loaded. */
  readonly ready: Promise<void>
  /** Startup warnings; complete once `ready` has resolved. */
  readonly notices: readonly string[]
  /** Starts reading the projects; a server calls it once it listens. */
  readonly begin: () => void
}

/**
 * Creates a platform in this process.
 *
 * ```ts
 * await using platform = await createPlatform({ projects: ['fixtures/projects/storefront'] })
 * const response = await platform.fetch(new Request('http://local/localization/v4/…'))
 * ```
 *
 * @throws PlatformError `OPTION_INVALID`, `PROJECT_INVALID`, `DATABASE_IN_USE`,
 * `DATABASE_INCOMPATIBLE`, `DATABASE_FAILED`
 */
export async function createPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const { platform, ready, begin } = startingPlatform(resolveOptions(options))
  begin()
  try {
    await ready
    return platform
  } catch (error) {
    await platform.close()
    throw error
  }
}

/** Loads a project into a platform; equivalent to its method `loadProject`. */
export const loadProject = (
  platform: Platform,
  source: string | ProjectSource,
): Promise<LoadedProject> => platform.loadProject(source)

/**
 * Starts opening a platform, and returns immediately.
 *
 * @param database opened from the options by default; may be passed if it was opened
 * earlier.
 */
export function startingPlatform(
  options: ResolvedOptions,
  database: Promise<Database> = openDatabase(options),
): StartingPlatform {
  const opened = openServices(options, database)
  // It may reject before it is awaited, which must not end the process.
  opened.catch(() => {})
  const watched: Watching[] = []
  const notices: string[] = []
  let isReady = false
  let isClosing = false
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const prepare = async (): Promise<void> => {
    await begun
    // Read the folders while the database opens.
    const [services, projects] = await Promise.all([opened, readProjects(options)])
    await loadAll(services, projects)
    if (projects.length > 0 && !options.openProjects) {
      const { closedProjects } = await import('./identity/closed-projects.ts')
      notices.push(...(await closedProjects(services)))
    }
    for (const message of notices) {
      options.onLog?.({ event: 'notice', level: 'warn', at: options.now().toISOString(), message })
    }
    if (options.watch) watched.push(...(await watchProjects(services, options)))
    isReady = true
    // Existing data may contain pending jobs.
    if (options.dataDir !== undefined || options.databaseUrl !== undefined) services.queue.wake()
  }
  const ready = prepare()
  // Errors are reported to whoever awaits `ready`. If nobody does, they must not end the
  // process.
  ready.catch(() => {})
  const requests = underWay()
  const rules = createFaults(options.now)
  const app = buildApp(options, {
    services: async () => {
      await ready
      return opened
    },
    isReady: () => isReady && !isClosing,
    faults: rules,
  })
  const close = once(async () => {
    begin()
    // Report as not ready first, so that proxies stop sending requests while pending ones
    // finish.
    isClosing = true
    const services = await opened.catch(() => undefined)
    await ready.catch(() => {})
    await Promise.all(watched.map((one) => one.close()))
    services?.events.emit('close')
    await requests.settled()
    await services?.queue.close()
    await services?.listeners.close()
    if (services) await (await services.storage()).close()
    await services?.database.close()
  })
  const platform: Platform = {
    fetch: async (request, bindings) =>
      isClosing ? closing(request, options) : requests.count(() => app.fetch(request, bindings)),
    faults: rules,
    loadProject: async (source) => load(await opened, source, false),
    projectKeys: async () => {
      const projects = await (await opened).projects.list()
      return projects.map(({ key }) => key)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  return { platform, ready, notices, begin }
}

/** Creates the response while the platform closes. Clients may retry with another instance. */
function closing(request: Request, { newRequestId }: ResolvedOptions): Response {
  const id = newRequestId()
  const answer = problem(503, 'The platform is closing.', id)
  const how = { 'retry-after': '1', connection: 'close', [requestIdHeader]: id }
  return toResponse(request, { ...answer, headers: { ...answer.headers, ...how } })
}

/**
 * Imports the parts that need the driver lazily, so that a server listens before they are
 * loaded.
 */
async function openServices(
  options: ResolvedOptions,
  opening: Promise<Database>,
): Promise<Services> {
  const [database, { localizationOf }, { projectDirectory }, { queueOf }, { lockMsOf }] =
    await Promise.all([
      opening,
      import('./localization/localization.ts'),
      import('./projects/project-directory.ts'),
      import('./queue/queue.ts'),
      import('./queue/jobs.ts'),
    ])
  const events = createEvents()
  const listeners = createListeners(events, options.onFault)
  for (const { projectKey, ...listener } of options.listeners) listeners.add(projectKey, listener)
  const queue = queueOf({
    database,
    clock: options.clock,
    lockMs: lockMsOf(options),
    onFault: options.onFault,
    handlers: {
      webhook: once(async () => {
        const { webhookDelivery } = await import('./webhooks/deliver.ts')
        return webhookDelivery(services)
      }),
      translate: once(async () => {
        const { autoTranslation } = await import('./localization/auto-translate.ts')
        return autoTranslation(services)
      }),
    },
  })
  const services: Services = {
    options,
    database,
    projects: projectDirectory(database),
    localization: localizationOf(database),
    gateway: once(async () => {
      const { gatewayOf } = await import('./data/gateway.ts')
      return gatewayOf(database, options)
    }),
    identity: once(async () => {
      const { identityOf } = await import('./identity/identity.ts')
      return identityOf(database, options)
    }),
    storage: once(async () => {
      const { storageOf } = await import('./storage/storage.ts')
      return storageOf(services)
    }),
    suggest: once(async () => {
      const { suggestFrom } = await import('./suggestions/suggest.ts')
      return suggestFrom(database, options)
    }),
    secret: once(async () => {
      const { tokenSecret } = await import('./tools/token-secret.ts')
      return tokenSecret(options)
    }),
    events,
    sources: new Map(),
    listeners,
    queue,
  }
  return services
}

/** Memoizes an asynchronous function, unless it fails. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    if (!made) {
      made = make()
      // Do not cache failures, because the cause may be temporary, such as a full disk.
      made.catch(() => (made = undefined))
    }
    return made
  }
}

async function readProjects({ projects }: ResolvedOptions): Promise<readonly PreparedProject[]> {
  if (projects.length === 0) return []
  const { readPrepared } = await import('./projects/load-project.ts')
  return Promise.all(projects.map((source) => readPrepared(source)))
}

async function loadAll(services: Services, projects: readonly PreparedProject[]): Promise<void> {
  if (projects.length === 0) return
  const { onlyChanged } = services.options
  const { loadProject } = await import('./projects/load-project.ts')
  for (const project of projects) await loadProject(services, project, { onlyChanged })
}

async function load(
  services: Services,
  source: string | ProjectSource,
  onlyChanged: boolean,
): Promise<LoadedProject> {
  const { loadProject, readPrepared } = await import('./projects/load-project.ts')
  return loadProject(services, await readPrepared(source), { onlyChanged })
}

async function watchProjects(
  services: Services,
  { projects, onFault }: ResolvedOptions,
): Promise<readonly Watching[]> {
  const { watchFolder } = await import('./projects/watch-project.ts')
  const folders = projects.filter((source) => typeof source === 'string')
  return Promise.all(
    folders.map((folder) => watchFolder(folder, () => load(services, folder, true), onFault)),
  )
}
