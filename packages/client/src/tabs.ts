import { browser } from './browser.ts'

/** What tabs tell each other about the session that they share. */
export type TabMessage = 'renewed' | 'ended'

/** The other tabs of a browser that share a session. */
export interface Tabs {
  /**
   * Runs `work` while no other tab does, unless `isDone` says that it is not
   * needed any more, or another tab is seen to have done it. True when it ran.
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
  const channel = browser.window && browser.BroadcastChannel && new browser.BroadcastChannel(name)
  const locks = browser.window && browser.navigator?.locks

  // A message may arrive after the lock that its sender let go of, and so may what is
  // stored. Locks are in order with locks: who renews keeps one that shows it.
  let seen = ''
  let dropOwn: (() => void) | undefined
  const signs = async (): Promise<string> => {
    const { held = [] } = (await locks?.query()) ?? {}
    return String(held.map((lock) => lock.name).filter((one) => one?.startsWith(`${name}:`)))
  }
  const showRenewal = async (): Promise<void> => {
    const dropLast = dropOwn
    await new Promise<void>((shown) => {
      void locks?.request(`${name}:${crypto.randomUUID()}`, {}, () => {
        shown()
        return new Promise<void>((drop) => {
          dropOwn = drop
        })
      })
    })
    dropLast?.()
    seen = await signs()
  }

  return {
    alone: async (isDone, work) => {
      const isDoneElsewhere = async (): Promise<boolean> => {
        const before = seen
        seen = await signs()
        return isDone() || (seen !== before && seen !== '')
      }
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
      if (!locks) return run()
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
        return run()
      }
    },
    tell: (message) => channel?.postMessage(message),
    listen: (hear) => {
      channel?.addEventListener('message', ({ data }) => hear(data as TabMessage))
      return () => channel?.close()
    },
  }
}
