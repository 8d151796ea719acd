import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/*
 * Not a library: proper-lockfile recognises a killed process only after seconds, and takes
 * a lock for abandoned while its process is suspended.
 */

/** Name of a lock file: process id, start time of the process, and a random part. */
const namePattern = /^lock-(\d+)-(\d*)-[\w-]+$/

/** Error for a folder that another process keeps locked. */
export class FolderLockedError extends Error {
  /** Id of the other process. */
  readonly process: number

  constructor(folder: string, process: number) {
    super(`Process ${process} uses the folder ${folder}`)
    this.name = 'FolderLockedError'
    this.process = process
  }
}

/**
 * Locks a folder for this process.
 *
 * Each process writes a lock file and then looks for those of others, so that of two
 * concurrent processes at least one sees the other. Then the first by name waits, and the
 * others withdraw their file. Files of ended processes are removed.
 *
 * @param maxWaitMs Time to wait for another process in ms.
 * @returns a function that releases the lock.
 * @throws FolderLockedError
 */
export async function lockFolder(folder: string, maxWaitMs: number): Promise<() => Promise<void>> {
  const name = `lock-${process.pid}-${await startTime(process.pid)}-${randomUUID()}`
  const release = (): Promise<void> => rm(join(folder, name), { force: true })
  const until = Date.now() + maxWaitMs
  let isFirst = false
  for (;;) {
    let others = await otherLocks(folder, name)
    if (isFirst || others.length === 0) {
      await writeFile(join(folder, name), '')
      others = await otherLocks(folder, name)
      if (others.length === 0) return release
      isFirst = others.every((other) => name < other)
      if (!isFirst) await release()
    }
    if (Date.now() > until) {
      await release()
      throw new FolderLockedError(folder, Number(namePattern.exec(others[0]!)![1]))
    }
    await sleep(10 + Math.random() * 40)
  }
}

/** Returns the other lock files; removes those of ended processes. */
async function otherLocks(folder: string, name: string): Promise<readonly string[]> {
  const locks: string[] = []
  for (const other of await readdir(folder)) {
    const [, id, started] = namePattern.exec(other) ?? []
    if (id === undefined || other === name) continue
    if (await isHeld(Number(id), started!)) locks.push(other)
    else await rm(join(folder, other), { force: true })
  }
  return locks
}

/** Returns false if a process has ended; its id may belong to another one by now. */
async function isHeld(pid: number, started: string): Promise<boolean> {
  if (!isRunning(pid)) return false
  const current = await startTime(pid)
  return started === '' || current === '' || started === current
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Returns the start time of a process in clock ticks; empty where it cannot be read. */
async function startTime(pid: number): Promise<string> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
