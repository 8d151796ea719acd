import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PlatformError } from '../errors.ts'

/*
 * Not a library: proper-lockfile recognises a killed process only after seconds, and takes
 * a lock for abandoned while its process is suspended.
 */

/** Name of a lock file: process id, start time of the process, and a random part. */
const namePattern = /^lock-(\d+)-(\d*)-[\w-]+$/

/**
 * Locks `folder` for this process.
 *
 * Each process first writes its own lock file and then looks for those of others, so that
 * of two concurrent processes at least one sees the other. Whoever sees one withdraws and
 * tries again. Files of killed processes are removed.
 *
 * @param maxWaitMs time to wait for another process, such as one that is just closing.
 * @returns a function that releases the lock.
 * @throws PlatformError `DATABASE_IN_USE` with the id of the process that holds it.
 */
export async function lockFolder(folder: string, maxWaitMs = 1000): Promise<() => Promise<void>> {
  const name = `lock-${process.pid}-${await startTime(process.pid)}-${randomUUID()}`
  const release = (): Promise<void> => rm(join(folder, name), { force: true })
  const until = Date.now() + maxWaitMs
  for (;;) {
    await writeFile(join(folder, name), '')
    const others = (await readdir(folder)).filter((one) => namePattern.test(one) && one !== name)
    const running = await runningOf(others)
    if (running.length === 0) {
      for (const one of others) await rm(join(folder, one), { force: true })
      return release
    }
    await release()
    if (Date.now() > until) {
      throw new PlatformError('DATABASE_IN_USE', 'Another process uses this data folder.', {
        details: { dataDir: folder, process: running[0]! },
        help: 'End that process, or choose another folder.',
      })
    }
    await sleep(10 + Math.random() * 40)
  }
}

/** Returns the ids of the processes that run, of those that wrote lock files. */
async function runningOf(names: readonly string[]): Promise<readonly number[]> {
  const running: number[] = []
  for (const name of names) {
    const [, id, started] = namePattern.exec(name)!
    const pid = Number(id)
    // The id may belong to another process by now.
    if (isRunning(pid) && (await startTime(pid)) === started) running.push(pid)
  }
  return running
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Returns the start time of a process in clock ticks; empty except on Linux. */
async function startTime(pid: number): Promise<string> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
