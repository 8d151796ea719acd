import { startPostgres } from '@servicekit/testing/postgres'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { openServer } from '@servicekit/testing/open-server'

/** Returns the ids of a process and of its children. */
function processTree(pid: number): readonly number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
  return [pid, ...children.map(Number)]
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    // It has ended.
    return undefined
  }
}

it.skipIf(process.platform !== 'linux')(
  'serves the metrics of the process while PostgreSQL is frozen',
  async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const server = await openServer({ databaseUrl: postgres.databaseUrl })
    onTestFinished(() => server.stop())
    const read = async () => (await fetch(server.metricsUrl!)).text()
    expect(await read()).toMatch(/^servicekit_jobs 0$/m)
    const frozen = processTree(postgres.pid)
    onTestFinished(() => frozen.forEach((pid) => process.kill(pid, 'SIGCONT')))
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    // Ten requests would take all connections of the pool, if they waited for their statements.
    const all = await Promise.all(Array.from({ length: 10 }, read))
    for (const metrics of all) {
      expect(metrics).toMatch(/^servicekit_ready 0$/m)
      expect(metrics).toMatch(/^process_uptime_seconds /m)
      expect(metrics).not.toContain('servicekit_jobs')
    }
    for (const pid of frozen) process.kill(pid, 'SIGCONT')
    await expect.poll(read, { timeout: 30_000 }).toMatch(/^servicekit_ready 1$/m)
    expect(await read()).toMatch(/^servicekit_jobs 0$/m)
  },
  60_000,
)
