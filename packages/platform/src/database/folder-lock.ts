import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PlatformError } from '../errors.ts'

/** Claim to a folder, stored as a file in it. */
interface Claim {
  readonly pid: number
  /** Start time of the process, to detect a reused process id. */
  readonly started: string
  readonly token: string
  readonly isHeld: boolean
}

const fileOf = (folder: string, token: string): string => join(folder, `lock-${token}.json`)
const namePattern = /^lock-(.+)\.json$/

/** Maximum time to wait for competing processes, in ms. */
const patienceMs = 2000

/**
 * Locks `folder` for this process.
 *
 * Each process first writes its own claim and then looks for others, so that of two
 * concurrent processes at least one sees the other. Claims of killed processes remain,
 * and are removed by the next holder.
 *
 * @returns a function that releases the lock.
 * @throws PlatformError `DATABASE_IN_USE` with the id of the process that holds it.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const mine: Claim = {
    pid: process.pid,
    started: (await startOf(process.pid)) ?? '',
    token: randomUUID(),
    isHeld: false,
  }
  const withdraw = (): Promise<void> => rm(fileOf(folder, mine.token), { force: true })
  const until = Date.now() + patienceMs
  try {
    await put(folder, mine)
    for (;;) {
      const others = (await readClaims(folder)).filter(({ token }) => token !== mine.token)
      const alive = await keepRunning(others)
      const holder = alive.find(({ isHeld }) => isHeld)
      if (holder || (alive.length > 0 && Date.now() > until)) {
        throw inUse(folder, holder ?? alive[0]!)
      }
      if (alive.length === 0) {
        await put(folder, { ...mine, isHeld: true })
        for (const { token } of others) await rm(fileOf(folder, token), { force: true })
        return withdraw
      }
      // The first token keeps its claim and waits; the others withdraw theirs, and try
      // again.
      const isFirst = alive.every(({ token }) => mine.token < token)
      if (!isFirst) await withdraw()
      await sleep(isFirst ? 5 : 10 + Math.random() * 30)
      if (!isFirst) await put(folder, mine)
    }
  } catch (error) {
    await withdraw()
    throw error
  }
}

const inUse = (folder: string, holder: Claim): PlatformError =>
  new PlatformError('DATABASE_IN_USE', 'Another process uses this data folder.', {
    details: { dataDir: folder, process: holder.pid },
    help: 'End that process, or choose another folder.',
  })

/** Writes a claim atomically. */
async function put(folder: string, claim: Claim): Promise<void> {
  const unfinished = join(folder, `claim-${claim.token}`)
  await writeFile(unfinished, JSON.stringify(claim))
  await rename(unfinished, fileOf(folder, claim.token))
}

async function readClaims(folder: string): Promise<readonly Claim[]> {
  const tokens = (await readdir(folder)).flatMap((name) => namePattern.exec(name)?.[1] ?? [])
  const claims = await Promise.all(
    tokens.map(async (token): Promise<Claim | undefined> => {
      const text = await readFile(fileOf(folder, token), 'utf8').catch(() => undefined)
      if (text === undefined) return undefined
      try {
        return { ...(JSON.parse(text) as Claim), token }
      } catch {
        // A file of another program, or truncated by a power failure: nobody holds it.
        return { pid: 0, started: '', token, isHeld: false }
      }
    }),
  )
  return claims.filter((claim) => claim !== undefined)
}

async function keepRunning(claims: readonly Claim[]): Promise<readonly Claim[]> {
  const running = await Promise.all(claims.map(isRunning))
  return claims.filter((_, index) => running[index])
}

async function isRunning({ pid, started }: Claim): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const actual = await startOf(pid)
  return actual === undefined || started === '' || actual === started
}

/** Returns the start time of a process in clock ticks; undefined except on Linux. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
