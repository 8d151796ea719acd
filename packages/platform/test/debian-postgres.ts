import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from '@servicekit/workspace/free-port'
import { startServer } from './start-server.ts'

const run = promisify(execFile)
const programs = '/usr/lib/postgresql/15/bin'
const isThere = (): boolean => existsSync(join(programs, 'postgres'))

/**
 * Returns why PostgreSQL 15 is not available on this machine, or undefined if it is. With
 * CI=true, as root on a Debian that packages it, it is installed.
 */
export async function postgres15Fault(): Promise<string | undefined> {
  if (isThere()) return undefined
  const how = 'install the package postgresql-15 of Debian 12'
  if (process.env['CI'] !== 'true' || process.getuid?.() !== 0) return how
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const wait = ['-qq', '-o', 'DPkg::Lock::Timeout=180']
  const install = ['install', '-y', '--no-install-recommends', 'postgresql-15']
  await run('apt-get', [...wait, 'update'], { env }).catch(() => {})
  // Other versions of Debian package other versions of PostgreSQL.
  await run('apt-get', [...wait, ...install], { env }).catch(() => {})
  return isThere() ? undefined : how
}

/** Starts PostgreSQL 15 in a temporary folder. */
export async function startPostgres15() {
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-postgres15-'))
  const data = join(folder, 'data')
  // PostgreSQL refuses to run as root; use the user that its package created.
  const user = process.getuid?.() === 0 ? await owner() : undefined
  if (user) await chown(folder, user.uid, user.gid)
  const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C']
  await run(join(programs, 'initdb'), ['-D', data, ...options], { ...user, cwd: folder })
  const port = await freePort()
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`]
  const server = await startServer({
    command: join(programs, 'postgres'),
    args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    port,
    cwd: folder,
    ...user,
  })
  const databaseUrl = `postgres://postgres@127.0.0.1:${port}/postgres`
  while (await isStarting(databaseUrl));
  return {
    databaseUrl,
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

async function owner(): Promise<{ uid: number; gid: number }> {
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  return { uid: await idOf('-u'), gid: await idOf('-g') }
}
