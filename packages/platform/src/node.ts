/**
 * Node server for the platform: it listens before its database is open, for a fast start;
 * early requests wait.
 */
import { isLoopbackHost } from '@servicekit/core'
import { openDatabase } from './database/open-database.ts'
import type { Listening, ListenOptions } from './listen.ts'
import type { PlatformOptions } from './options.ts'
import type { Platform } from './platform.ts'
import { PlatformError } from './errors.ts'
import { resolveOptions } from './resolve-options.ts'

export type { Listening, ListenOptions } from './listen.ts'

/** Options of {@link startPlatform}: those of a platform, and of listening. */
export interface StartOptions extends Omit<PlatformOptions, 'projects'>, ListenOptions {
  /** Project folder, or several folders. */
  readonly projectDir?: string | readonly string[]
  /** Called with the base URL when the server listens, before its database is open. */
  readonly onListening?: (baseUrl: string) => void
}

/** Platform that listens on a port. */
export interface StartedPlatform {
  readonly baseUrl: string
  readonly port: number
  /** Keys of the loaded projects, in the order of their folders. */
  readonly projectKeys: readonly string[]
  /** Startup warnings, such as projects without an administrator. */
  readonly notices: readonly string[]
  readonly platform: Platform
  /** Closes the server and the platform. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/**
 * Serves a platform on a port.
 *
 * @throws PlatformError `LISTEN_FAILED` if the port is in use or not permitted,
 * `OPTION_INVALID` if it is not a valid port.
 */
export async function listen(
  platform: Pick<Platform, 'fetch'>,
  options: ListenOptions = {},
): Promise<Listening> {
  return (await import('./listen.ts')).listen(platform, options)
}

/**
 * Starts a platform on a port, and resolves when its projects are loaded.
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
  // Open the database first, because it takes longest; it starts in its own thread during
  // the imports.
  const database = openDatabase(resolved)
  database.catch(() => {})
  const starting = import('./platform.ts').then(({ startingPlatform }) =>
    startingPlatform(resolved, database),
  )
  let server: Listening | undefined
  const close = async (): Promise<void> => {
    const { platform } = await starting
    // Close both at once: event streams only end with the platform, and the server waits
    // for them.
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
