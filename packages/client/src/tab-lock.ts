import { browser } from './browser.ts'
import type { Tabs } from './tabs.ts'

/** Options of {@link createTabLock}. */
export interface TabLockOptions {
  /** Name of the shared session. */
  readonly name: string
  /** Longest wait for another tab, in milliseconds. */
  readonly timeoutMs: number
}

/**
 * Runs a function in one tab at a time; see {@link Tabs.runExclusive}. A Web Lock is held during
 * the one request.
 *
 * A tab that does not get the lock in time goes ahead without it, so that a tab that sleeps in
 * mid-request blocks nobody. So does a page without locks, such as one with blocked storage. Both
 * are harmless: the service accepts a renewal that follows another one.
 */
export function createTabLock({ name, timeoutMs }: TabLockOptions): Tabs['runExclusive'] {
  const { window, navigator } = browser
  const locks = window && navigator?.locks
  return async (isDone, work) => {
    const run = async (): Promise<boolean> => {
      if (isDone()) return false
      try {
        await work()
      } catch (error) {
        // This tab slept during the request, and another tab has continued.
        if (isDone()) return false
        throw error
      }
      return true
    }
    if (!locks) return run()
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(), timeoutMs)
    let isHeld = false
    try {
      return await locks.request(name, { signal: waiting.signal }, () => {
        isHeld = true
        clearTimeout(timer)
        return run()
      })
    } catch (error) {
      if (isHeld) throw error
      return run()
    }
  }
}
