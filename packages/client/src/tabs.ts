import { browser } from './browser.ts'
import { createTabLock } from './tab-lock.ts'

/** Message between tabs that share a session. */
export type TabMessage = 'renewed' | 'ended'

/** Other tabs of a browser that share a session. */
export interface Tabs {
  /**
   * Runs `work` while no other tab does, unless `isDone` returns true. Resolves with true if
   * it ran.
   */
  readonly runExclusive: (isDone: () => boolean, work: () => Promise<void>) => Promise<boolean>
  /** Sends a message to the other tabs. */
  readonly notify: (message: TabMessage) => void
  /** Listens to the other tabs. Returns a function that stops listening. */
  readonly listen: (onMessage: (message: TabMessage) => void) => () => void
}

/**
 * Returns the tabs of a browser; outside of browsers, there is only one tab.
 *
 * @param timeoutMs Longest wait for another tab, in milliseconds.
 */
export function browserTabs(project: string, timeoutMs = 5_000): Tabs {
  const name = `servicekit.session.${project}`
  let channel = browser.window && browser.BroadcastChannel && new browser.BroadcastChannel(name)
  return {
    runExclusive: createTabLock({ name, timeoutMs }),
    notify: (message) => channel?.postMessage(message),
    listen: (onMessage) => {
      channel?.addEventListener('message', ({ data }) => onMessage(data as TabMessage))
      return () => {
        channel?.close()
        // A renewal in flight must not post to a closed channel.
        channel = undefined
      }
    },
  }
}
