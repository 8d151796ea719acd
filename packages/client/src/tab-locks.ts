import type { browser, Channel } from './browser.ts'
import { type Turns, turnsOf } from './tab-turns.ts'
import type { Tabs } from './tabs.ts'

/** What a browser has for tabs to agree by. */
export interface TabMeans {
  /** Of the session that they share. */
  readonly name: string
  readonly channel: Channel | undefined
  /** Longest wait for another tab, in milliseconds. */
  readonly timeoutMs: number
}

/**
 * Runs something in one tab at a time; see {@link Tabs.alone}. A Web Lock is held around the
 * one request; a tab that does not get it in time goes ahead without, so that a tab that was
 * frozen in its midst stops nobody, and a lock is never stolen. Without locks, and where
 * several go ahead, tabs agree by talking. Where there is neither, there is one tab.
 */
export function aloneAmongTabs({ name, channel, timeoutMs }: TabMeans): Tabs['alone'] {
  // Imported, it would be a third file with what this one and the rest have in common.
  const { window, navigator } = globalThis as unknown as typeof browser
  const locks = window && navigator?.locks
  // A message may arrive after the lock that its sender let go of, and so may what is
  // stored. Locks are in order with locks: who renews keeps one that shows it.
  let seen: ReadonlySet<string> = new Set()
  let dropOwn: (() => void) | undefined
  let turns: Turns | undefined
  /** Whether there is a sign that was not there before. One that is gone was of a tab that is closed. */
  const seesRenewal = async (): Promise<boolean> => {
    // A page whose storage is blocked has locks that refuse everything.
    const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {}
    const before = seen
    seen = new Set(held.flatMap((lock) => (lock.name?.startsWith(`${name}:`) ? lock.name : [])))
    return [...seen].some((one) => !before.has(one))
  }
  const showRenewal = async (): Promise<void> => {
    const dropLast = dropOwn
    await new Promise<void>((shown) => {
      locks
        ?.request(`${name}:${crypto.randomUUID()}`, {}, () => {
          shown()
          return new Promise<void>((drop) => {
            dropOwn = drop
          })
        })
        .catch(shown)
    })
    dropLast?.()
    await seesRenewal()
  }
  return async (isDone, work) => {
    const isDoneElsewhere = async (): Promise<boolean> => (await seesRenewal()) || isDone()
    const run = async (): Promise<boolean> => {
      if (await isDoneElsewhere()) return false
      try {
        await work()
      } catch (error) {
        // A tab that slept in the midst of it: somebody else went ahead meanwhile.
        if (await isDoneElsewhere()) return false
        throw error
      }
      if (locks) await showRenewal()
      return true
    }
    const inTurn = async (): Promise<boolean> => {
      if (!channel) return run()
      turns ??= turnsOf(channel, timeoutMs)
      return turns(isDoneElsewhere, run)
    }
    if (!locks) return inTurn()
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(), timeoutMs)
    let isMine = false
    try {
      return await locks.request(name, { signal: waiting.signal }, () => {
        isMine = true
        clearTimeout(timer)
        return run()
      })
    } catch (error) {
      if (isMine) throw error
      // Others that waited as long go ahead now as well.
      return inTurn()
    }
  }
}
