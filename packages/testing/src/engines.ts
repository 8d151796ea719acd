import { startPostgres } from './postgres.mjs'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { createPlatform, type Platform, type PlatformOptions } from '@servicekit/platform'

/** Database engine that a suite runs on. */
export interface Engine {
  readonly name: 'PGlite' | 'PostgreSQL'
  /** Returns options for a new, empty database. */
  readonly location: () => Promise<Pick<PlatformOptions, 'databaseUrl' | 'dataDir'>>
  /** Opens a platform on a new database; it is closed after the suite. */
  readonly open: (options?: PlatformOptions) => Promise<Platform>
}

/** Engines of this run: the projects of vitest.config.ts select them. */
const engines = process.env['SERVICEKIT_TEST_ENGINES'] ?? 'PGlite'

/**
 * Runs a suite on the embedded database and, in `npm run test:all`, on PostgreSQL: the server at
 * `DATABASE_URL`, that of the test run, or one that is started for the suite. If there is none,
 * its tests are skipped with the reason, and fail in CI.
 */
export function onEachEngine(suite: (engine: Engine) => void): void {
  if (engines.includes('PGlite')) {
    describe('on PGlite', () => {
      suite(engineOf('PGlite', async () => ({})))
    })
  }
  if (engines.includes('PostgreSQL')) onPostgres(suite)
}

/** Runs a suite on PostgreSQL, in a file named `*.postgres.test.ts`. */
export function onPostgres(suite: (engine: Engine) => void): void {
  describe('on PostgreSQL', () => {
    let server: Server | undefined
    let reason = ''
    beforeAll(async () => {
      try {
        server = await startServer()
      } catch (error) {
        if (process.env['CI'] === 'true') throw error
        reason = `no PostgreSQL: ${(error as Error).message}`
      }
    })
    beforeEach(({ skip }) => {
      if (reason) skip(reason)
    })
    // Hooks run in reverse order: the suite's platforms close before their server.
    afterAll(() => server?.stop())
    suite(
      engineOf('PostgreSQL', async () => {
        if (!server) throw new Error(reason)
        return { databaseUrl: await server.createDatabase() }
      }),
    )
  })
}

function engineOf(name: Engine['name'], location: Engine['location']): Engine {
  const opened: Platform[] = []
  afterAll(async () => {
    await Promise.all(opened.splice(0).map((platform) => platform.close()))
  })
  return {
    name,
    location,
    open: async (options) => {
      const platform = await createPlatform({ ...(await location()), ...options })
      opened.push(platform)
      return platform
    },
  }
}

interface Server {
  /** @returns the address of a new, empty database. */
  readonly createDatabase: () => Promise<string>
  readonly stop: () => Promise<void>
}

async function startServer(): Promise<Server> {
  const given = process.env['DATABASE_URL'] || process.env['SERVICEKIT_TEST_POSTGRES']
  if (given) return serverAt(given, async () => {})
  const { databaseUrl, stop } = await startPostgres()
  return serverAt(databaseUrl, stop)
}

function serverAt(address: string, stop: () => Promise<void>): Server {
  const made: string[] = []
  const run = async (...statements: string[]): Promise<void> => {
    const client = new Client(address)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  return {
    createDatabase: async () => {
      const name = `servicekit_test_${crypto.randomUUID().replaceAll('-', '')}`
      await run(`create database ${name}`)
      made.push(name)
      const url = new URL(address)
      url.pathname = `/${name}`
      return url.href
    },
    stop: async () => {
      await run(...made.map((name) => `drop database if exists ${name} with (force)`))
      await stop()
    },
  }
}
