import { sql } from 'drizzle-orm'
import type { ResolvedOptions } from '../options.ts'
import type { Database } from './database.ts'

/** Interval of measurements in ms: clocks that are set, or a server that replaces another. */
const intervalMs = 30_000
/** Differences in ms above which a warning is logged. */
const warnMs = 2000

/** Statement that reads the clock of a database, as `ms` since 1970. */
export const clockSql = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms'

/**
 * Measures by how many ms the clock of this machine is ahead of another one.
 *
 * @returns the difference that was found, which may be wrong by `halfTrip`.
 */
export async function measureSkew(readClock: () => Promise<number>) {
  const [startedAt, started] = [Date.now(), performance.now()]
  const ms = await readClock()
  const halfTrip = (performance.now() - started) / 2
  return { found: startedAt + halfTrip - ms, halfTrip }
}

/**
 * Measures how far the clock of this machine is ahead of that of a PostgreSQL database, and
 * corrects the platform's clock by the difference: instances that share a database write times
 * that others compare, such as those of rate limits, due jobs, sessions and signed URLs. Other
 * clocks than that of the machine are used as they are.
 */
export function createClockSkew(
  database: Pick<Database, 'engine' | 'unscoped'>,
  { clock, onLog }: Pick<ResolvedOptions, 'clock' | 'onLog'>,
) {
  const isShared = database.engine === 'postgresql' && clock.isSystem
  let skewMs = 0
  let loggedMs = 0
  let timer: NodeJS.Timeout | undefined

  /** Returns the skew in ms; undefined for a database or a clock that is not shared. */
  const measure = async (): Promise<number | undefined> => {
    if (!isShared) return undefined
    const { found, halfTrip } = await measureSkew(async () => {
      const { rows } = await database.unscoped.execute<{ ms: number }>(sql.raw(clockSql))
      return rows[0]!.ms
    })
    // The clock does not move for what the measurement cannot distinguish.
    if (Math.abs(found - skewMs) <= halfTrip + 1) return Math.round(skewMs)
    skewMs = found
    clock.correct(-skewMs)
    warn()
    return Math.round(skewMs)
  }
  const warn = (): void => {
    if (Math.abs(skewMs) <= warnMs || Math.abs(skewMs - loggedMs) <= warnMs) return
    loggedMs = skewMs
    const seconds = (Math.abs(skewMs) / 1000).toFixed(1)
    const message = `The clock of this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} that of the database, whose time is used. Synchronise it.`
    onLog?.({ event: 'notice', level: 'warn', at: clock.now().toISOString(), message })
  }
  return {
    measure,
    /** Measures now and from time to time. */
    start: async (): Promise<void> => {
      await measure()
      // Errors are those of the database, which requests report.
      if (isShared) timer = setInterval(() => void measure().catch(() => {}), intervalMs).unref()
    },
    stop: (): void => clearInterval(timer),
  }
}
