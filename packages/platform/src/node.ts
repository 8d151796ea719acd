/**
 * The platform as a server of Node: listens on a port, and starts quickly because
 * it listens before its database is open; requests wait for that.
 */
import { isLoopbackHost } from '@servicekit/contract'
import { openDatabase } from './database/open-database.ts'
import type { Listening, ListenOptions } from './listen.ts'
import type { PlatformOptions } from './options.ts'
import type { Platform } from './platform.ts'
import { PlatformError } from './errors.ts'
import { resolveOptions } from './resolve-options.ts'

export type { Listening, ListenOptions } from './listen.ts'

/** What {@link startPlatform} can be told: options of a platform, and where to listen. */
export interface StartOptions extends Omit<PlatformOptions, 'projects'>, ListenOptions {
  /** Folder of the project, or of several. */
  readonly projectDir?: string | readonly string[]
  /** Hears where the server listens, before its database is open. */
  readonly onListening?: (baseUrl: string) => void
}

/** A platform that listens. */
export interface StartedPlatform {
  readonly baseUrl: string
  readonly port: number
  /** Keys of the projects that were loaded, in the order of their folders. */
  readonly projectKeys: readonly string[]
  /** Notices for whoever starts it, such as projects without an administrator. */
  readonly notices: readonly string[]
  readonly platform: Platform
  /** Ends the server and the platform. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/**
 * Serves a platform on a port.
 *
 * @throws PlatformError `LISTEN_FAILED` when the port is taken or may not be used.
 */
export async function listen(
  platform: Pick<Platform, 'fetch'>,
  options: ListenOptions = {},
): Promise<Listening> {
  return (await import('./listen.ts')).listen(platform, options)
}

/**
 * Starts a platform and resolves when its projects are loaded.
 *
 * ```ts
 * const { baseUrl, projectKeys, close } = await startPlatform({ projectDir: 'my-project', port: 4600 })
 * ```
 *
 * @throws PlatformError `OPTION_INVALID`, `PROJECT_INVALID`, `LISTEN_FAILED`,
 * `DATABASE_IN_USE`, `DATABASE_INCOMPATIBLE`, `DATABASE_FAILED`
 */
export async function startPlatform(options: StartOptions = {}): Promise<StartedPlatform> {
  const { projectDir = [], port, host, onListening, ...rest } = options
  const folders = typeof projectDir === 'string' ? [projectDir] : projectDir
  const resolved = resolveOptions({ ...rest, projects: folders })
  if (resolved.openProjects && host !== undefined && !isLoopbackHost(host)) {
    throw new PlatformError(
      'OPTION_INVALID',
      `Cannot use openProjects on ${host}: other machines could change everything.`,
    )
  }
  // The database takes longest, and starts in a thread of its own while the rest is imported.
  const database = openDatabase(resolved)
  database.catch(() => {})
  const starting = import('./platform.ts').then(({ startingPlatform }) =>
    startingPlatform(resolved, database),
  )
  let server: Listening | undefined
  const close = async (): Promise<void> => {
    const { platform } = await starting
    // Event streams never finish by themselves: they end with the platform, and the server waits.
    await Promise.all([platform.close(), server?.close()])
  }
  try {
    server = await listen(
      { fetch: async (request, bindings) => (await starting).platform.fetch(request, bindings) },
      { port, host },
    )
    onListening?.(server.baseUrl)
    const { platform, ready, notices, begin } = await starting
    begin()
    const { readProjectKey } = await import('./projects/read-project.ts')
    const projectKeys = await Promise.all(folders.map((folder) => readProjectKey(folder)))
    await ready
    const { baseUrl, port: actual } = server
    return {
      baseUrl,
      port: actual,
      projectKeys,
      notices,
      platform,
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
