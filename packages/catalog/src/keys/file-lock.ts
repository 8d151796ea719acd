import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ServicekitError } from '@servicekit/client'
import { sleep } from '@servicekit/core'

/** Work under a lock takes milliseconds; an older lock was left by a process that was killed. */
const staleMs = 10_000
const waitMs = 30_000

/**
 * Runs work while no other process does under the same lock file, which exists meanwhile. A lock
 * of a process that was killed is taken over.
 *
 * @throws ServicekitError EMIT_FAILED if the lock is not free after half a minute.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const own = `${process.pid} ${randomUUID()}`
  await mkdir(dirname(file), { recursive: true })
  for (let pauseMs = 5, waitedMs = 0; !(await take(file, own)); waitedMs += pauseMs) {
    if (waitedMs > waitMs) {
      throw new ServicekitError(`Could not lock ${file}`, {
        code: 'EMIT_FAILED',
        details: { file },
        help: 'Another process is writing the same files. Remove the file if there is none.',
      })
    }
    await removeIfStale(file)
    pauseMs = Math.min(pauseMs * 2, 100)
    await sleep(pauseMs)
  }
  try {
    return await work()
  } finally {
    if ((await ownerOf(file)) === own) await rm(file, { force: true })
  }
}

async function take(file: string, own: string): Promise<boolean> {
  try {
    await writeFile(file, own, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

const ownerOf = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch(() => undefined)

/** Removes a lock whose owner was killed. */
async function removeIfStale(file: string): Promise<void> {
  const owner = await ownerOf(file)
  const found = await stat(file).catch(() => undefined)
  if (owner === undefined || !found) return
  const isOld = Date.now() - found.mtimeMs > staleMs
  // A lock without content was just created.
  if (!isOld && (owner === '' || isAlive(Number.parseInt(owner, 10)))) return
  const moved = `${file}.${randomUUID()}`
  await rename(file, moved).catch(() => undefined)
  // Another process may have taken the lock over since it was read.
  if ((await ownerOf(moved)) !== owner) await link(moved, file).catch(() => undefined)
  await rm(moved, { force: true })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
