import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { missingPackage } from './debian-packages.ts'
import { freePort } from './free-port.mjs'
import { startServer } from './start-server.ts'

const run = promisify(execFile)
const programs = '/usr/lib/postgresql/15/bin'

/**
 * Returns why PostgreSQL 15 is not available on this machine, or undefined if it is. With
 * CI=true, as root on a Debian that packages it, it is installed.
 */
export const postgres15Fault = (): Promise<string | undefined> =>
  missingPackage('postgresql-15', join(programs, 'postgres'))

/** Returns why pgbouncer is not available, like `postgres15Fault`. */
export const pgbouncerFault = (): Promise<string | undefined> =>
  missingPackage('pgbouncer', pgbouncer)

export const pgbouncer = '/usr/sbin/pgbouncer'

interface ServerOptions {
  /** Settings such as `max_connections=20`. */
  readonly settings?: readonly string[]
  /** Port of the server of which it becomes a streaming replica. */
  readonly replicaOf?: number
}

/** Starts PostgreSQL 15 in a temporary folder. */
export async function startPostgres15({ settings = [], replicaOf }: ServerOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-postgres15-'))
  const data = join(folder, 'data')
  const user = await postgresUser()
  if (user) await chown(folder, user.uid, user.gid)
  const execute = (program: string, args: readonly string[]) =>
    run(join(programs, program), args, { ...user, cwd: folder })
  const initdb = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C.UTF-8']
  const copy = ['-h', '127.0.0.1', '-p', String(replicaOf), '-U', 'postgres', '-R']
  await (replicaOf === undefined
    ? execute('initdb', ['-D', data, ...initdb])
    : execute('pg_basebackup', ['-D', data, ...copy]))
  const port = await freePort()
  const all = [
    'fsync=off',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    ...settings,
  ]
  const server = await startServer({
    command: join(programs, 'postgres'),
    args: ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])],
    port,
    cwd: folder,
    ...user,
  })
  const databaseUrl = `postgres://postgres@127.0.0.1:${port}/postgres`
  while (await isStarting(databaseUrl));
  return {
    databaseUrl,
    port,
    /** Runs SQL statements in a database. */
    execute: async (sql: string, { user = 'postgres', database = 'postgres' } = {}) => {
      const client = new Client(`postgres://${user}@127.0.0.1:${port}/${database}`)
      await client.connect()
      await client.query(sql).finally(() => client.end())
    },
    /** Ends the server without any cleaning up. */
    kill: server.stop,
    /** Makes a replica a server that accepts writes. */
    promote: () => execute('pg_ctl', ['promote', '-D', data]),
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Returns whether the server listens and still refuses sessions because it is starting up. */
async function isStarting(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString })
  try {
    await client.connect()
    return false
  } catch (error) {
    if ((error as { code?: string }).code !== '57P03') throw error
    return true
  } finally {
    await client.end()
  }
}

/** PostgreSQL and pgbouncer refuse to run as root; returns the user that their packages created. */
export async function postgresUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  return { uid: await idOf('-u'), gid: await idOf('-g') }
}
