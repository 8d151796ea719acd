import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PlatformError } from '../errors.ts'

/** A claim to a folder, as a file in it tells others. */
interface Claim {
  readonly pid: number
  /** When the process was started, so that a number given out again is not taken for it. */
  readonly started: string
  readonly token: string
  readonly isHeld: boolean
}

const fileOf = (folder: string, token: string): string => join(folder, `lock-${token}.json`)
const namePattern = /^lock-(.+)\.json$/

/** Longest time to wait for others that ask at the same moment, in ms. */
const patienceMs = 2000

/**
 * Makes this process the only one that uses `folder`.
 *
 * Whoever asks puts a claim of its own there first and looks for others then, so
 * of two that ask at once at least one sees the other. Claims of processes that
 * were killed are left behind, and removed by who holds the folder next.
 *
 * @returns what gives the folder free.
 * @throws PlatformError `DATABASE_IN_USE` with the number of the process that holds it.
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
      // The first by name stays and waits for the others to see it; they step back meanwhile.
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
    facts: { dataDir: folder, process: holder.pid },
    help: 'End that process, or choose another folder.',
  })

/** Writes a claim; others see it whole or not at all. */
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
        // Not one of ours, or of a machine that lost power: nobody holds it.
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

/** Start time of a process in clock ticks; known on Linux only. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
