import { migrateDatabase, PlatformError } from '@servicekit/platform'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatConfig, type ServeFlag, settingFlags } from './config/describe-settings.ts'
import { sourcesOf } from './config/check-settings.ts'
import { type ConfigOptions, readConfig, resolveConfig } from './config/resolve-config.ts'
import { createLog } from './log.ts'
import { startServer } from './start-server.ts'

/** Flags of `servicekit serve`. */
export const serveFlags = (): Readonly<Record<string, ServeFlag>> => ({
  config: {
    type: 'string',
    valueHint: 'FILE',
    description:
      'Config file (default: SERVICEKIT_CONFIG, then servicekit.server.{ts,mts,js,mjs,json})',
  },
  'check-config': {
    type: 'boolean',
    description: 'Print the settings and where each is set, without secrets, and exit',
  },
  ...settingFlags(),
})

/** Parts of the process that a command uses. */
export interface CommandInput extends ConfigOptions {
  readonly stdout: (text: string) => void
  /** Aborted when the server should stop. */
  readonly signal: AbortSignal
}

/** Time in ms that closing may take after the requests in flight have ended. */
const closeMs = 5000

/**
 * Runs the server until the signal is aborted.
 *
 * @returns whether it stopped within its time limit.
 * @throws PlatformError `OPTION_INVALID` with all problems of the configuration, and what
 * {@link startServer} throws.
 */
export async function serve({ stdout, signal, ...options }: CommandInput): Promise<boolean> {
  const { settings } = await resolveConfig(options)
  const log = createLog(settings.log.level, stdout)
  const server = await startServer(settings, log)
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const { delayMs, timeoutMs } = settings.shutdown
  const limitMs = delayMs + timeoutMs + closeMs
  const limit = sleep(limitMs, false, { ref: false })
  const isComplete = await Promise.race([server.stop().then(() => true), limit])
  if (!isComplete) {
    const message = `A request or job still uses the database ${limitMs} ms after the signal. The process exits.`
    log({ event: 'stopped', level: 'error', message })
  }
  return isComplete
}

/** Returns the settings in effect as text. @throws PlatformError `OPTION_INVALID` */
export const checkConfig = async (options: ConfigOptions): Promise<string> =>
  formatConfig(await resolveConfig(options))

/**
 * Applies the pending migrations of the database, or only finds them.
 *
 * @returns their ids.
 * @throws PlatformError `OPTION_INVALID`, `DATABASE_FAILED`, `DATABASE_INCOMPATIBLE`
 */
export async function runMigrations(
  options: ConfigOptions & { readonly dryRun: boolean },
): Promise<readonly string[]> {
  const { config, problems } = await readConfig(options)
  const own = problems.find(({ name }) => name === 'databaseUrl')
  const { databaseUrl } = config.settings
  if (own || databaseUrl === undefined) {
    const message = own?.message ?? `is missing. ${sourcesOf('databaseUrl')}`
    throw new PlatformError('OPTION_INVALID', 'There is no database to migrate.', {
      details: { databaseUrl: message },
    })
  }
  return migrateDatabase(databaseUrl, { dryRun: options.dryRun })
}
