import { eventHub } from './control/event-hub.ts'
import type { Database } from './database/database.ts'
import { buildApp } from './http/app.ts'
import { type PlatformOptions, type ResolvedOptions, resolveOptions } from './options.ts'
import type { LoadedProject } from './projects/load-project.ts'
import type { ProjectSource } from './projects/project-source.ts'
import type { Services } from './services.ts'

/** A running platform. */
export interface Platform {
  /** Answers a request; nothing goes over a network. */
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * Loads a project's folder, or a project made by a program. What is the same
   * as before is not written.
   *
   * @throws PlatformError `PROJECT_INVALID`, naming the file and the member.
   */
  readonly loadProject: (source: string | ProjectSource) => Promise<LoadedProject>
  /** Keys of the projects, in order. */
  readonly projectKeys: () => Promise<readonly string[]>
  /** Ends the platform. Data in a folder or a server stays. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** A platform that takes requests before its database is open; they wait. */
export interface StartingPlatform {
  readonly app: ReturnType<typeof buildApp>
  /** Resolves once the database is open and the projects are loaded. */
  readonly ready: Promise<Platform>
  readonly close: () => Promise<void>
}

/**
 * Makes a platform in this process.
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
  const starting = startingPlatform(resolveOptions(options))
  try {
    return await starting.ready
  } catch (error) {
    await starting.close()
    throw error
  }
}

/** Begins to open a platform, and returns at once. */
export function startingPlatform(options: ResolvedOptions): StartingPlatform {
  const opened = openServices(options)
  const ready = opened.then(async (services) => {
    for (const source of options.projects) await load(services, source, options.onlyChanged)
    return platform
  })
  // Whoever awaits `ready` hears of it; unawaited, it must not end the process.
  ready.catch(() => {})
  const app = buildApp(options, async () => {
    await ready
    return opened
  })
  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= opened.then(
      ({ database }: { database: Database }) => database.close(),
      () => {},
    ))
  const platform: Platform = {
    fetch: async (request) => app.fetch(request),
    loadProject: async (source) => load(await opened, source, false),
    projectKeys: async () => {
      const projects = await (await opened).projects.list()
      return projects.map(({ key }) => key)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  return { app, ready, close }
}

/** The parts that need the driver are imported here, so that a server listens before they are. */
async function openServices(options: ResolvedOptions): Promise<Services> {
  const { openDatabase } = await import('./database/open-database.ts')
  const { localizationOf } = await import('./localization/localization.ts')
  const { projectDirectory } = await import('./projects/project-directory.ts')
  const database = await openDatabase(options)
  return {
    options,
    database,
    projects: projectDirectory(database),
    localization: localizationOf(database),
    gateway: once(async () => {
      const { gatewayOf } = await import('./data/gateway.ts')
      return gatewayOf(database, options)
    }),
    events: eventHub(),
  }
}

/** Calls `make` with the first call and answers the same ever after. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

async function load(
  services: Services,
  source: string | ProjectSource,
  onlyChanged: boolean,
): Promise<LoadedProject> {
  const { loadProject } = await import('./projects/load-project.ts')
  return loadProject(services, source, { onlyChanged })
}
