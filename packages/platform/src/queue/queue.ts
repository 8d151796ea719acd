import type { Clock } from '../common/clock.ts'
import type { Database } from '../database/database.ts'
import { delayJob, freeJobs, type Job, type JobKind, nextJobAt, takeJob } from './jobs.ts'

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
  readonly onError: (fault: Error) => void
}

/** Maximum concurrent jobs of one process. */
const maxRunning = 4
/**
 * Maximum time between two polls when other instances add jobs too, or after a failed poll,
 * in ms.
 */
const pollMs = 5000
/** Delay in ms before retrying a job whose handler threw. */
const faultDelayMs = 30_000

/** Creates a queue that stays idle until it is woken. */
export function queueOf({ database, clock, handlers, lockMs, onError }: QueueParts): Queue {
  const isShared = database.engine === 'postgresql'
  const ending = new AbortController()
  const running = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let lookAgain = false
  let timer: NodeJS.Timeout | undefined
  let freed: Promise<void> | undefined

  const work = async (job: Job): Promise<void> => {
    try {
      const handle = await handlers[job.kind]()
      await handle(job, ending.signal)
    } catch (error) {
      const isEnding = ending.signal.aborted
      if (!isEnding) onError(error as Error)
      const later = new Date(clock.now().getTime() + (isEnding ? 0 : faultDelayMs))
      await delayJob(database.directory, job, later).catch(() => {})
    }
  }
  const look = async (): Promise<void> => {
    if (!isShared) {
      freed ??= freeJobs(database.directory)
      await freed.catch((error: unknown) => {
        freed = undefined
        throw error
      })
    }
    while (!ending.signal.aborted && running.size < maxRunning) {
      const job = await takeJob(database.directory, clock.now(), lockMs)
      if (!job) break
      const done = work(job).finally(() => {
        running.delete(done)
        wake()
      })
      running.add(done)
    }
    if (!lookAgain) await plan()
  }
  /**
   * Schedules the next look. A frozen clock sets no timer for future jobs and wakes the queue
   * when it advances.
   */
  const plan = async (): Promise<void> => {
    const wait =
      running.size < maxRunning ? await nextJobAt(database.directory, clock.now()) : undefined
    if (ending.signal.aborted) return
    clearTimeout(timer)
    const isDue = wait !== undefined && (wait === 0 || !clock.isFrozen)
    const delays = [...(isDue ? [Math.max(wait, 10)] : []), ...(isShared ? [pollMs] : [])]
    if (delays.length > 0) timer = setTimeout(wake, Math.min(...delays, 2 ** 31 - 1)).unref()
  }
  const wake = (): void => {
    if (ending.signal.aborted) return
    lookAgain = true
    looking ??= (async () => {
      while (lookAgain) {
        lookAgain = false
        await look().catch((error: Error) => {
          if (ending.signal.aborted) return
          onError(error)
          // The database may come back without notice.
          clearTimeout(timer)
          timer = setTimeout(wake, pollMs).unref()
        })
      }
      looking = undefined
    })()
  }
  const stopClock = clock.onAdvance(() => wake())

  const idle = async (): Promise<void> => {
    const work = (): readonly Promise<void>[] => [...(looking ? [looking] : []), ...running]
    while (work().length > 0) await Promise.all(work())
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
