import { access, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '@servicekit/client'
import { controlTokenName, withoutUndefined } from '@servicekit/core'
import type { PlatformOptions } from '@servicekit/platform'
import type { StartedPlatform } from '@servicekit/platform/node'
import { announceLocalPlatform, localPlatformPort } from '@servicekit/catalog/config'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { firstFreePort } from '../free-port.ts'
import { duration } from '../format.ts'
import { loadPlatformConsole, loadPlatformServer } from '../optional-packages.ts'
import { resetData } from '../reset-data.ts'
import { runBeside } from '../run-beside.ts'

/** Ports that are tried if other programs use the first one. */
const maxPorts = 20

/** `servicekit dev`: runs the local platform until it is stopped. */
export const dev = defineCommand({
  description: 'Start the local platform',
  flags: {
    project: {
      type: 'string',
      valueHint: 'DIR',
      description:
        'Project folder to load and watch (default: the working directory, if it is one)',
    },
    port: {
      type: 'integer',
      range: [0, 65_535],
      valueHint: 'N',
      description: 'Port; 0 selects any free one (default: 4600, or the next free one)',
    },
    host: {
      type: 'string',
      valueHint: 'NAME',
      description: 'Address to listen on (default: 127.0.0.1)',
    },
    data: {
      type: 'string',
      valueHint: 'DIR',
      description: 'Data folder (default: .servicekit/platform); DATABASE_URL overrides it',
    },
    sample: {
      type: 'boolean',
      description: 'Load the sample project, a shop in six languages',
    },
    memory: { type: 'boolean', description: 'Do not persist data' },
    reset: { type: 'boolean', description: 'Remove the data of the data folder before starting' },
    seed: {
      type: 'integer',
      valueHint: 'N',
      description: 'Generate the same ids in every run; does not persist data',
    },
    clock: {
      type: 'string',
      valueHint: 'TIME',
      description: 'Stop the clock: frozen, or a time such as 2026-01-01T00:00:00Z',
    },
    'public-url': {
      type: 'string',
      valueHint: 'URL',
      description: 'URL that browsers use, if the platform is behind a proxy',
    },
    'allowed-host': {
      type: 'list',
      valueHint: 'NAME',
      description: 'Additional host name to accept; repeatable',
    },
    'key-header': {
      type: 'string',
      valueHint: 'NAME',
      description: 'Header that may carry the project key instead of x-service-key',
    },
    origin: {
      type: 'list',
      valueHint: 'ORIGIN',
      description: 'Origin that may call every project; repeatable',
    },
    'control-token': {
      type: 'string',
      valueHint: 'TOKEN',
      description: 'Token that /_platform routes require (default: SERVICEKIT_CONTROL_TOKEN)',
    },
    'rate-limit': {
      type: 'integer',
      range: [1],
      valueHint: 'N',
      description: 'Maximum requests per minute and address (default: no limit)',
    },
    'trust-proxy': {
      type: 'boolean',
      description: 'Use the last address of X-Forwarded-For as that of the client',
    },
    outgoing: {
      type: 'list',
      valueHint: 'KINDS',
      description: 'Non-public addresses that webhooks may use: loopback,private',
    },
    open: {
      type: 'boolean',
      description: 'Let everyone on this machine use every project without signing in',
    },
    run: {
      type: 'string',
      valueHint: 'COMMAND',
      description: 'Command to run while the platform runs, e.g. "npm run dev"',
    },
    json: { type: 'boolean', description: 'Print one line of JSON when ready' },
  },
  async run(flags, io) {
    const started = performance.now()
    if (flags.sample && flags.project !== undefined) {
      throw new ConfigError('Cannot use --sample together with --project')
    }
    const project = flags.sample
      ? await findSample()
      : (flags.project ?? ((await isProject('.')) ? '.' : undefined))
    const databaseUrl = process.env['DATABASE_URL'] || undefined
    // On persisted data, a seed would generate the same ids again.
    const isPersisted = !flags.memory && flags.seed === undefined
    for (const flag of ['memory', 'seed'] as const) {
      if (flags[flag] && flags.data !== undefined) {
        throw new ConfigError(`Cannot use --${flag} together with --data`)
      }
    }
    if (flags.seed !== undefined && databaseUrl !== undefined) {
      throw new ConfigError('Cannot use --seed together with DATABASE_URL', {
        help: 'The ids would repeat on persisted data. Unset DATABASE_URL or omit --seed.',
      })
    }
    const dataDir = resolve(flags.data ?? '.servicekit/platform')
    if (flags.reset) {
      if (!isPersisted || databaseUrl !== undefined) {
        throw new ConfigError('--reset requires a data folder', {
          help: 'Use it without --memory, --seed and DATABASE_URL.',
        })
      }
      await resetData(dataDir)
    }
    const [{ startPlatform }, { withConsole }] = await Promise.all([
      loadPlatformServer(),
      loadPlatformConsole(),
    ])
    const publicUrl = flags['public-url']
    const failure = new AbortController()
    const signal = AbortSignal.any([io.signal, failure.signal])
    const platform = await startPlatform({
      wrap: (started) => withConsole(started, { allowThisMachine: true, publicUrl }),
      ...withoutUndefined({
        projectDir: project === undefined ? undefined : resolve(project),
        host: flags.host,
        databaseUrl: isPersisted ? databaseUrl : undefined,
        dataDir: isPersisted && databaseUrl === undefined ? dataDir : undefined,
        secret: process.env['SERVICEKIT_SECRET'] || undefined,
        seed: flags.seed,
        clock: flags.clock,
        publicUrl,
        origins: flags.origin,
        allowedHosts: flags['allowed-host'],
        keyHeader: flags['key-header'],
        controlToken: flags['control-token'] ?? (process.env[controlTokenName] || undefined),
        rateLimitPerMinute: flags['rate-limit'],
        trustProxy: flags['trust-proxy'],
        // Validated with the other options.
        outgoing: flags.outgoing as PlatformOptions['outgoing'],
        openProjects: flags.open,
      }),
      port: flags.port ?? (await firstFreePort(localPlatformPort, maxPorts, flags.host)),
      // Browsers send the cookies of a host to all of its ports.
      cookieScope: resolve('.'),
      // Changes made through the platform survive a restart.
      onlyChanged: isPersisted,
      watch: true,
      onError: (error) => io.stderr(`${error.message}\n`),
      onStopped: (error) => {
        io.stderr(`${error.message}\n`)
        failure.abort()
      },
    })
    const withdraw = await announceLocalPlatform('.', platform.baseUrl)
    try {
      io.signal.throwIfAborted()
      for (const notice of platform.notices) io.stderr(`${notice}\n`)
      if (flags.json) io.stdout(`${JSON.stringify(ready(platform))}\n`)
      else {
        const accounts = flags.sample ? await sampleAccounts(project!) : []
        io.stdout(greeting(platform, duration(performance.now() - started), accounts))
      }
      if (flags.run !== undefined) {
        return await runBeside(flags.run, signal, variablesOf(platform))
      }
      await ended(signal)
    } finally {
      await withdraw()
      await platform.close()
    }
    return failure.signal.aborted ? exitCode.findings : exitCode.ok
  },
})

/** Finds the sample project next to the built file, or among the fixtures of the repository. */
async function findSample(): Promise<string> {
  const built = fileURLToPath(new URL('./sample', import.meta.url))
  if (await isProject(built)) return built
  return fileURLToPath(new URL('../../../../fixtures/projects/storefront', import.meta.url))
}

const ready = ({ baseUrl, projectKeys }: StartedPlatform) => ({
  baseUrl,
  projectKey: projectKeys[0],
})

/**
 * Returns the environment variables with which applications find the platform. Only with a
 * single project is it certain which one they use.
 */
const variablesOf = ({ baseUrl, projectKeys }: StartedPlatform): Record<string, string> => {
  const [key, ...others] = projectKeys
  const isCertain = key !== undefined && others.length === 0
  return { SERVICEKIT_URL: baseUrl, ...(isCertain && { SERVICEKIT_PROJECT_KEY: key }) }
}

/** Returns the users of the sample project, `ines@storefront.example (admin)`. */
async function sampleAccounts(folder: string): Promise<readonly string[]> {
  const { users } = JSON.parse(await readFile(join(folder, 'identity.json'), 'utf8')) as {
    users: readonly { email: string; roles: readonly string[] }[]
  }
  return users.map(({ email, roles }) => `${email} (${roles.join(', ')})`)
}

function greeting(
  { baseUrl, projectKeys: [key] }: StartedPlatform,
  time: string,
  accounts: readonly string[],
): string {
  const sample =
    key === undefined || accounts.length === 0
      ? []
      : [
          `Accounts, each with the password storefront: ${accounts.join(', ')}`,
          `Edit a message: ${baseUrl}/console/translations/common/APP_TITLE?project=${key}`,
        ]
  const lines =
    key === undefined
      ? [
          'No project is loaded. Restart with --project DIR, or with --sample.',
          `To load one now, run: servicekit import --from DIR --base-url ${baseUrl}`,
        ]
      : [`  SERVICEKIT_URL=${baseUrl}`, `  SERVICEKIT_PROJECT_KEY=${key}`]
  return [
    `Console: ${baseUrl}/console/${key === undefined ? '' : `?project=${encodeURIComponent(key)}`}`,
    `The local platform is ready (${time})`,
    ...lines,
    ...sample,
    `API reference: ${baseUrl}/_platform/api`,
    'Press Ctrl-C to stop it.',
    '',
  ].join('\n')
}

const isProject = (folder: string): Promise<boolean> =>
  access(join(folder, 'project.json')).then(
    () => true,
    () => false,
  )

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((end) => {
    if (signal.aborted) end()
    else signal.addEventListener('abort', () => end(), { once: true })
  })
