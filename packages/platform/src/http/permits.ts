import { sql } from 'drizzle-orm'
import type { RunStatement } from '../database/database.ts'

/** Fixed-window request counter. */
export interface Permits {
  /** @returns true if one more request of an address is within the limit of this window. */
  readonly take: (address: string, window: number) => boolean | Promise<boolean>
}

/** Creates a counter for a single process, without a database. */
export function localPermits(limit: number): Permits {
  let current = 0
  let counts = new Map<string, number>()
  return {
    take: (address, window) => {
      if (window !== current) {
        current = window
        counts = new Map()
      }
      const count = (counts.get(address) ?? 0) + 1
      counts.set(address, count)
      return count <= limit
    },
  }
}

/** Number of fetches per window and address; more if the limit is small. */
const fetches = 20

/** Permits of this instance for an address in a window. */
interface Share {
  left: number
  /** True if the database has no more permits. */
  isOver: boolean
  fetching: Promise<void> | undefined
}

/**
 * Creates a counter shared by all instances on one database. Each instance fetches
 * permits in portions, so that most requests need no query. The total never exceeds the
 * limit; permits that an instance fetched but did not use are lost to the others.
 *
 * @param onFault called if the database is unavailable; requests are allowed meanwhile.
 * @param kind separates independent counters.
 */
export function sharedPermits(
  limit: number,
  execute: RunStatement,
  onFault: (fault: Error) => void,
  kind = 'requests',
): Permits {
  const portion = Math.max(1, Math.floor(limit / fetches))
  let current = 0
  let shares = new Map<string, Share>()

  const fetchMore = async (share: Share, address: string, window: number): Promise<void> => {
    try {
      const { rows } = await execute(sql`
        insert into servicekit.rate_windows as w (address, window_number, used, kind)
        values (${address}, ${window}, ${portion}, ${kind})
        on conflict (kind, address, window_number) do update set used = w.used + excluded.used
          where w.used < ${limit}
        returning used`)
      const used = rows[0]?.['used'] as number | undefined
      const granted = used === undefined ? 0 : Math.min(portion, limit - (used - portion))
      share.left += Math.max(0, granted)
      share.isOver = granted < portion
    } catch (error) {
      share.left += portion
      onFault(error as Error)
    } finally {
      share.fetching = undefined
    }
  }

  return {
    take: async (address, window) => {
      if (window !== current) {
        current = window
        shares = new Map()
        execute(sql`
          delete from servicekit.rate_windows
          where window_number < ${window} and kind = ${kind}`).catch(onFault)
      }
      const share = shares.get(address) ?? { left: 0, isOver: false, fetching: undefined }
      shares.set(address, share)
      while (share.left === 0 && !share.isOver) {
        await (share.fetching ??= fetchMore(share, address, window))
      }
      if (share.left === 0) return false
      share.left--
      return true
    },
  }
}
