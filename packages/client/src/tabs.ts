import { browser, type Channel } from './browser.ts'

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

/** The same without `alone`, which is loaded when there is something to renew. */
export interface BrowserTabs extends Pick<Tabs, 'tell' | 'listen'> {
  readonly name: string
  /** Undefined where the browser has none, and after the end of `listen`. */
  readonly channel: () => Channel | undefined
}

/** Returns the tabs of a browser; in its absence there is one tab. */
export function browserTabs(project: string): BrowserTabs {
  const name = `servicekit.session.${project}`
  let channel = browser.window && browser.BroadcastChannel && new browser.BroadcastChannel(name)
  return {
    name,
    channel: () => channel,
    tell: (message) => channel?.postMessage(message),
    listen: (hear) => {
      channel?.addEventListener('message', ({ data }) => {
        // What they say to agree on turns is no text.
        if (typeof data === 'string') hear(data as TabMessage)
      })
      return () => {
        channel?.close()
        // To one that is closed a renewal that is in flight could not be told.
        channel = undefined
      }
    },
  }
}
