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
  /** Sends a message to the other tabs. */
  readonly tell: (message: TabMessage) => void
  /** The result ends it. */
  readonly listen: (hear: (message: TabMessage) => void) => () => void
}

/**
 * Tabs as a browser has them. A Web Lock is held around the one request; who
 * does not get it in time goes ahead without, so that a tab that was frozen in
 * its midst stops nobody, and a lock is never stolen. Without locks, and where
 * several go ahead, tabs agree by talking. Where there is neither, there is one tab.
 */
export function browserTabs(project: string, timeoutMs: number): Tabs {
  const name = `servicekit.session.${project}`
  let channel = browser.window && browser.BroadcastChannel && new browser.BroadcastChannel(name)
  let alone: Tabs['alone'] | undefined
  return {
    alone: async (isDone, work) => {
      // Loaded when there is something to renew, which is minutes after a page was.
      const { aloneAmongTabs } = await import('./tab-locks.ts')
      alone ??= aloneAmongTabs({ name, channel, timeoutMs })
      return alone(isDone, work)
    },
    tell: (message) => channel?.postMessage(message),
    listen: (hear) => {
      channel?.addEventListener('message', ({ data }) => {
        // What they say to agree on turns is no text.
        if (typeof data === 'string') hear(data as TabMessage)
      })
      return () => {
        channel?.close()
        // To one that is closed a renewal that is under way could not be told.
        channel = undefined
      }
    },
  }
}
