import type { Clock } from '../common/clock.ts'
import type { Database } from '../database/database.ts'
import { delayJob, type Job, type JobKind, nextJobIn, releaseJobs, takeJob } from './jobs.ts'

/** Handles a job, and finishes or delays it in the transaction that records its outcome. */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>

/** Processes jobs of the database, together with all other instances. */
export interface Queue {
  /** Looks for due jobs; call it after a transaction that added one. */
  readonly wake: () => void
  /** Resolves when no job is due and none is running here. */
  readonly idle: () => Promise<void>
  /** Aborts jobs in flight; they run again later, here or on another instance. */
  readonly close: () => Promise<void>
}

/** Dependencies of a queue. */
export interface QueueParts {
  readonly database: Database
  readonly clock: Clock
  readonly handlers: Readonly<Record<JobKind, () => Promise<JobHandler>>>
  /** Lock duration of a job, in ms. */
  readonly lockMs: number
  readonly onError: (error: Error) => void
}

/** Maximum concurrent jobs of one process. */
const maxRunning = 4
/** Interval in ms of polls for jobs of other instances, and of polls after a failed one. */
const pollMs = 5000
/** Delay in ms before retrying a job whose handler threw. */
const retryDelayMs = 30_000
/** Longest delay of a timer in ms. */
const maxTimerMs = 2 ** 31 - 1

/**
 * Creates a queue that stays idle until it is woken. Not pg-boss: version 12 needs Node 22.12,
 * and it uses the clock of the database, which `clock` cannot freeze.
 */
export function queueOf({ database, clock, handlers, lockMs, onError }: QueueParts): Queue {
  const { unscoped } = database
  const isShared = database.engine === 'postgresql'
  const ending = new AbortController()
  const running = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let lookAgain = false
  let timer: NodeJS.Timeout | undefined
  let isReleased = isShared

  const work = async (job: Job): Promise<void> => {
    try {
      const handle = await handlers[job.kind]()
      await handle(job, ending.signal)
    } catch (error) {
      const isEnding = ending.signal.aborted
      if (!isEnding) onError(error as Error)
      const runAt = new Date(clock.now().getTime() + (isEnding ? 0 : retryDelayMs))
      await delayJob(unscoped, job, runAt).catch(() => {})
    }
  }
  const wakeAfter = (ms: number): void => {
    clearTimeout(timer)
    if (!ending.signal.aborted) timer = setTimeout(wake, Math.min(ms, maxTimerMs)).unref()
  }
  /** Starts due jobs, and schedules the next look. */
  const look = async (): Promise<void> => {
    if (!isReleased) await releaseJobs(unscoped)
    isReleased = true
    while (running.size < maxRunning && !ending.signal.aborted) {
      const job = await takeJob(unscoped, clock.now(), lockMs)
      if (!job) break
      const done = work(job).finally(() => {
        running.delete(done)
        wake()
      })
      running.add(done)
    }
    const wait = running.size < maxRunning ? await nextJobIn(unscoped, clock.now()) : Infinity
    // A frozen clock does not reach future jobs by itself, but wakes the queue when it advances.
    const ownWait = wait > 0 && clock.isFrozen ? Infinity : Math.max(wait, 10)
    const nextLook = Math.min(ownWait, isShared ? pollMs : Infinity)
    if (nextLook < Infinity) wakeAfter(nextLook)
  }
  const wake = (): void => {
    lookAgain = true
    looking ??= (async () => {
      while (lookAgain && !ending.signal.aborted) {
        lookAgain = false
        await look().catch((error: Error) => {
          if (!ending.signal.aborted) onError(error)
          wakeAfter(pollMs)
        })
      }
      looking = undefined
    })()
  }
  const stopClock = clock.onAdvance(() => wake())

  const pending = (): readonly Promise<void>[] => [...running, ...(looking ? [looking] : [])]
  const idle = async (): Promise<void> => {
    while (pending().length > 0) await Promise.all(pending())
  }
  return {
    wake,
    idle,
    close: async () => {
      ending.abort()
      stopClock()
      clearTimeout(timer)
      await idle()
    },
  }
}
