import { setTimeout as sleep } from 'node:timers/promises'
import { createFaults, type Faults } from './control/fault-rules.ts'
import type { Database } from './database/database.ts'
import { openDatabase } from './database/open-database.ts'
import { isControlOpen } from './http/address.ts'
import { type AppEnv, requestIdHeader } from './http/app-env.ts'
import { buildApp } from './app/app.ts'
import { unavailable } from './http/responses.ts'
import { warnWithoutAdministrator } from './identity/authority.ts'
import type { PlatformOptions, ResolvedOptions } from './options.ts'
import { type LoadedProject, loadProject } from './projects/load-project.ts'
import { prepareProject } from './projects/prepare-project.ts'
import type { ProjectSource } from './project-source.ts'
import type { watchFolder } from './projects/watch-project.ts'
import { resolveOptions } from './resolve-options.ts'
import { createServices } from './services.ts'
import { originOf } from './storage/storage-options.ts'

/** Running platform. */
export interface Platform {
  /** Handles a request in process, without a network. A Node server passes its bindings. */
  readonly fetch: (request: Request, bindings?: AppEnv['Bindings']) => Promise<Response>
  /**
   * Handles a request that the platform has no route for, such as one for a page of the console:
   * with the request id, the log, the check of the host and the error responses of the platform.
   */
  readonly handle: (
    request: Request,
    bindings: AppEnv['Bindings'] | undefined,
    handler: () => Promise<Response>,
  ) => Promise<Response>
  /**
   * Loads a project from a folder or a project object. Writes only what changed.
   *
   * @throws PlatformError `PROJECT_INVALID` with the file and the member.
   */
  readonly loadProject: (source: string | ProjectSource) => Promise<LoadedProject>
  /** Returns true if the control operations are open to the sender of a request without a token. */
  readonly isControlOpen: (request: Request, bindings?: AppEnv['Bindings']) => boolean
  /** Fault injection rules of this process, the same as those of the control routes. */
  readonly faults: Faults
  /** Returns the time by the platform's clock. */
  readonly now: () => Date
  /** Returns the keys of all projects, sorted. */
  readonly projectKeys: () => Promise<readonly string[]>
  /** Origins of object storage, which pages that upload or show files must be allowed to reach. */
  readonly storageOrigins: readonly string[]
  /** Writes to each storage and removes what it wrote. @throws Error if one is not available. */
  readonly checkStorage: () => Promise<void>
  /**
   * Closes the platform. Data in a folder or on a server is kept.
   *
   * @param graceMs time that requests in flight may take; 3000 by default.
   */
  readonly close: (graceMs?: number) => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
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
  const { platform, ready } = beginPlatform(resolveOptions(options))
  try {
    await ready
    return platform
  } catch (error) {
    await platform.close()
    throw error
  }
}

/**
 * Begins to open a platform, which accepts requests immediately; they wait.
 *
 * @param database may be passed if it was opened earlier.
 * @returns `ready`, which resolves with the projects of the options and warnings.
 */
export function beginPlatform(
  options: ResolvedOptions,
  database: Promise<Database> = openDatabase(options),
) {
  const opened = database.then((opened) => createServices(options, opened))
  // Errors are reported to whoever awaits `ready`. If nobody does, they must not end the process.
  opened.catch(() => {})
  const watchers: Awaited<ReturnType<typeof watchFolder>>[] = []
  let isReady = false
  const start = async () => {
    // Read the folders while the database opens.
    const [services, prepared] = await Promise.all([
      opened,
      Promise.all(options.projects.map((source) => prepareProject(source))),
    ])
    await services.clockSkew.start()
    const { onlyChanged, openProjects, onLog, onError, watch } = options
    const projects: LoadedProject[] = []
    for (const project of prepared) projects.push(await loadProject(services, project, onlyChanged))
    const notices = openProjects ? [] : await warnWithoutAdministrator(services)
    for (const message of notices) {
      onLog?.({ event: 'notice', level: 'warn', at: options.now().toISOString(), message })
    }
    const folders = options.projects.filter((source) => typeof source === 'string')
    for (const folder of watch ? folders : []) {
      const watcher = await import('./projects/watch-project.ts')
      const reload = async () => loadProject(services, await prepareProject(folder), true)
      watchers.push(await watcher.watchFolder(folder, reload, onError))
    }
    isReady = true
    // Existing data may contain pending jobs.
    services.queue.wake()
    return { projects, notices }
  }
  const ready = start()
  ready.catch(() => {})
  const faults = createFaults()
  const app = buildApp(options, {
    services: async () => {
      await ready
      return opened
    },
    isReady: () => isReady && closed === undefined,
    faults,
  })
  const inFlight = new Set<Promise<Response>>()
  let closed: Promise<void> | undefined
  const shutDown = async (graceMs = 3000): Promise<void> => {
    const services = await opened.catch(() => undefined)
    await ready.catch(() => {})
    await Promise.all(watchers.map((one) => one.close()))
    if (!services) return
    services.clockSkew.stop()
    const closingEvents = services.events.close()
    await Promise.race([Promise.allSettled(inFlight), sleep(graceMs, undefined, { ref: false })])
    await services.queue.close()
    await services.storage.close()
    await closingEvents
    await services.database.close()
  }
  const close: Platform['close'] = (graceMs) => (closed ??= shutDown(graceMs))
  const track = (respond: () => Response | Promise<Response>): Promise<Response> => {
    if (closed) return Promise.resolve(rejectClosed(options))
    const response = Promise.resolve(respond())
    inFlight.add(response)
    return response.finally(() => inFlight.delete(response))
  }
  const platform: Platform = {
    fetch: (request, bindings) => track(() => app.fetch(request, bindings)),
    handle: (request, bindings, handler) => track(() => app.handle(request, bindings, handler)),
    isControlOpen: (raw, env) => isControlOpen({ env, req: { raw } }, options),
    faults,
    now: options.now,
    loadProject: async (source) => loadProject(await opened, await prepareProject(source)),
    projectKeys: async () => {
      const projects = await (await opened).projects.list()
      return projects.map(({ key }) => key)
    },
    storageOrigins: options.storage.flatMap((one) => originOf(one) ?? []),
    checkStorage: async () => (await opened).storage.check(),
    close,
    [Symbol.asyncDispose]: () => close(),
  }
  return { platform, ready }
}

/** Creates the response of a closed platform. Clients may retry with another instance. */
function rejectClosed({ newRequestId }: ResolvedOptions): Response {
  const id = newRequestId()
  const response = unavailable('The platform is closing.', id)
  response.headers.set('connection', 'close')
  response.headers.set(requestIdHeader, id)
  return response
}
