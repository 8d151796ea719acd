import { browser } from './browser.ts'

/** What tabs tell each other about the session that they share. */
export type TabMessage = 'renewed' | 'ended'

/** The other tabs of a browser that share a session. */
export interface Tabs {
  /**
   * Runs `work` while no other tab does, unless `isDone` says that it is not
   * needed any more. True when it ran.
   */
  readonly alone: (isDone: () => boolean, work: () => Promise<void>) => Promise<boolean>
  readonly tell: (message: TabMessage) => void
  /** The result ends it. */
  readonly listen: (hear: (message: TabMessage) => void) => () => void
}

/**
 * Tabs as a browser has them. A Web Lock is held around the one request; who
 * does not get it in time goes ahead without, so that a tab that was frozen in
 * its midst stops nobody, and a lock is never stolen. Without locks the channel
 * alone tells of a renewal. Where there is neither, there is one tab.
 */
export function browserTabs(project: string, timeoutMs: number): Tabs {
  const name = `servicekit.session.${project}`
  const channel =
    browser.window && globalThis.BroadcastChannel ? new BroadcastChannel(name) : undefined
  const locks = browser.window && browser.navigator?.locks
  // A message may arrive after the lock that its sender let go of; what is stored is there before.
  const stamp = (): string | null => {
    try {
      return browser.localStorage.getItem(name)
    } catch {
      return null
    }
  }
  return {
    alone: async (isDone, work) => {
      const before = stamp()
      const run = async (): Promise<boolean> => {
        if (isDone() || stamp() !== before) return false
        await work()
        return true
      }
      if (!locks) return run()
      const waiting = new AbortController()
      let isMine = false
      const timer = setTimeout(() => waiting.abort(), timeoutMs)
      try {
        return await locks.request(name, { signal: waiting.signal }, async () => {
          isMine = true
          clearTimeout(timer)
          return run()
        })
      } catch (error) {
        if (isMine) throw error
        return run()
      }
    },
    tell: (message) => {
      channel?.postMessage(message)
      try {
        if (message === 'renewed') browser.localStorage.setItem(name, crypto.randomUUID())
      } catch {
        // A page without storage of its own.
      }
    },
    listen: (hear) => {
      channel?.addEventListener('message', (event) =>
        hear((event as unknown as { data: TabMessage }).data),
      )
      return () => channel?.close()
    },
  }
}
