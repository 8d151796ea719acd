import { migrateDatabase, PlatformError } from '@servicekit/platform'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkConnections } from './config/check-connections.ts'
import {
  formatConfig,
  formatConnections,
  type ServeFlag,
  settingFlags,
} from './config/describe-settings.ts'
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
  connect: {
    type: 'boolean',
    description:
      'With --check-config: connect to database, storage, mail server and public URL as well',
  },
  fix: {
    type: 'boolean',
    description: 'With --connect: create the bucket, and let the own origins use its signed URLs',
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
 * Runs the server until the signal is aborted, or its embedded database has stopped.
 *
 * @returns whether it stopped because of the signal and within its time limit.
 * @throws PlatformError `OPTION_INVALID` with all problems of the configuration, and what
 * {@link startServer} throws.
 */
export async function serve({ stdout, signal, ...options }: CommandInput): Promise<boolean> {
  for (const name of ['connect', 'fix']) {
    if (options.flags.get(name) !== 'true') continue
    throw new PlatformError('OPTION_INVALID', `--${name} needs --check-config.`)
  }
  const { settings } = await resolveConfig(options)
  const log = createLog(settings.log.level, stdout)
  const server = await startServer(settings, log)
  const ending = AbortSignal.any([signal, server.failed])
  await new Promise<void>((resolve) => {
    if (ending.aborted) resolve()
    else ending.addEventListener('abort', () => resolve(), { once: true })
  })
  const { delayMs, timeoutMs } = settings.shutdown
  const limitMs = delayMs + timeoutMs + closeMs
  const limit = sleep(limitMs, false, { ref: false })
  const isComplete = await Promise.race([server.stop().then(() => true), limit])
  if (!isComplete) {
    const message = `A request or job still uses the database ${limitMs} ms after the signal. The process exits.`
    log({ event: 'stopped', level: 'error', message })
  }
  return isComplete && !server.failed.aborted
}

/** Settings in effect, and the state of what they connect to. */
export interface CheckedConfig {
  readonly text: string
  /** `false` if a connection failed. */
  readonly isComplete: boolean
}

/**
 * Checks the settings; with the flag `connect` also what they connect to, which the flag `fix`
 * prepares.
 *
 * @throws PlatformError `OPTION_INVALID`
 */
export async function checkConfig(options: ConfigOptions): Promise<CheckedConfig> {
  const isSet = (name: string): boolean => options.flags.get(name) === 'true'
  if (isSet('fix') && !isSet('connect')) {
    throw new PlatformError('OPTION_INVALID', '--fix needs --connect.')
  }
  const config = await resolveConfig(options)
  const text = formatConfig(config)
  if (!isSet('connect')) return { text, isComplete: true }
  const checks = await checkConnections(config.settings, isSet('fix'))
  return {
    text: `${text}\n${formatConnections(checks)}`,
    isComplete: checks.every(({ state }) => state !== 'failed'),
  }
}

/**
 * Applies the pending migrations of the database, or only finds them.
 *
 * @returns their ids.
 * @throws PlatformError `OPTION_INVALID`, `DATABASE_FAILED`, `DATABASE_INCOMPATIBLE`
 */
export async function runMigrations(
  options: ConfigOptions & {
    readonly dryRun: boolean
    /** Called while a migration waits for other sessions. */
    readonly onNotice?: (message: string) => void
  },
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
  const { dryRun, onNotice } = options
  return migrateDatabase(databaseUrl, { dryRun, ...(onNotice && { onNotice }) })
}
