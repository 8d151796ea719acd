import type { browser, Channel } from './browser.ts'
import { type MessageLock, createMessageLock } from './message-lock.ts'
import type { Tabs } from './tabs.ts'

/** Browser features that tabs use for coordination. */
export interface TabLockOptions {
  /** Name of the shared session. */
  readonly name: string
  readonly channel: Channel | undefined
  /** Longest wait for another tab, in milliseconds. */
  readonly timeoutMs: number
}

/**
 * Runs a function in one tab at a time; see {@link Tabs.runExclusive}.
 *
 * A Web Lock is held during the one request. A tab that does not get the lock in time goes
 * ahead without it, so that a tab frozen in mid-request blocks nobody; locks are never
 * stolen. Without locks, or if several tabs go ahead, they coordinate through messages.
 * Without a channel either, the tab is treated as the only one.
 */
export function createTabLock({ name, channel, timeoutMs }: TabLockOptions): Tabs['runExclusive'] {
  // Read here, because an imported `browser` would become a third chunk shared with this
  // one.
  const { window, navigator } = globalThis as unknown as typeof browser
  const locks = window && navigator?.locks
  // A message may arrive after its sender released the lock, and storage may lag too. Locks
  // are consistent with each other: the renewing tab keeps a lock that signals the renewal.
  let seen: ReadonlySet<string> = new Set()
  let dropOwn: (() => void) | undefined
  let messageLock: MessageLock | undefined
  /**
   * Checks for a signal lock that was not there before. A signal that is gone belonged to a
   * closed tab.
   */
  const detectRenewal = async (): Promise<boolean> => {
    // On a page with blocked storage, every lock request is rejected.
    const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {}
    const before = seen
    seen = new Set(held.flatMap((lock) => (lock.name?.startsWith(`${name}:`) ? lock.name : [])))
    return [...seen].some((one) => !before.has(one))
  }
  const signalRenewal = async (): Promise<void> => {
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
    await detectRenewal()
  }
  return async (isDone, work) => {
    const isDoneElsewhere = async (): Promise<boolean> => (await detectRenewal()) || isDone()
    const run = async (): Promise<boolean> => {
      if (await isDoneElsewhere()) return false
      try {
        await work()
      } catch (error) {
        // This tab slept during the request, and another tab has continued.
        if (await isDoneElsewhere()) return false
        throw error
      }
      if (locks) await signalRenewal()
      return true
    }
    const withMessageLock = async (): Promise<boolean> => {
      if (!channel) return run()
      messageLock ??= createMessageLock(channel, timeoutMs)
      return messageLock(isDoneElsewhere, run)
    }
    if (!locks) return withMessageLock()
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
      // Other tabs that waited as long go ahead now too.
      return withMessageLock()
    }
  }
}
