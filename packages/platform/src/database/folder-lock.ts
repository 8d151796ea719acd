import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PlatformError } from '../errors.ts'

interface Holder {
  readonly pid: number
  /** When the process was started, so that a number given out again is not taken for it. */
  readonly started: string
  readonly token: string
}

/**
 * Makes this process the only one that uses `folder`, by a file in it. A process
 * that was killed leaves the file behind, which the next one takes over.
 *
 * @returns what gives the folder free.
 * @throws PlatformError `DATABASE_IN_USE` with the number of the process that holds it.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'lock.json')
  const mine: Holder = {
    pid: process.pid,
    started: (await startOf(process.pid)) ?? '',
    token: randomUUID(),
  }
  for (let attempt = 0; attempt < 5; attempt++) {
    if (await create(path, mine)) return () => release(path, mine)
    const other = await readHolder(path)
    if (other && (await isRunning(other))) {
      throw new PlatformError('DATABASE_IN_USE', 'Another process uses this data folder.', {
        facts: { dataDir: folder, process: other.pid },
        help: 'End that process, or choose another folder.',
      })
    }
    await removeStale(path, other)
  }
  throw new PlatformError('DATABASE_IN_USE', 'Other processes are opening this data folder.', {
    facts: { dataDir: folder },
  })
}

/**
 * The file appears with its content: one that was seen empty could be taken for
 * a left-over. Where there are no hard links, the name is claimed first.
 */
async function create(path: string, holder: Holder): Promise<boolean> {
  const own = `${path}.${holder.token}`
  await writeFile(own, JSON.stringify(holder))
  try {
    await link(own, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error
      return writeFile(path, JSON.stringify(holder), { flag: 'wx' })
    })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(own, { force: true })
  }
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

/**
 * Takes a left-over file away under a name of its own. If it is not the one that
 * was looked at, somebody else was faster, and it is put back.
 */
async function removeStale(path: string, seen: Holder | undefined): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  const taken = await readHolder(aside)
  if (taken?.token === seen?.token) await rm(aside, { force: true })
  else await rename(aside, path)
}

async function release(path: string, mine: Holder): Promise<void> {
  if ((await readHolder(path))?.token === mine.token) await rm(path, { force: true })
}

async function isRunning(holder: Holder): Promise<boolean> {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const started = await startOf(holder.pid)
  return started === undefined || holder.started === '' || started === holder.started
}

/** Start time of a process in clock ticks; known on Linux only. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
