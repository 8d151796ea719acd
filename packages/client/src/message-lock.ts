import type { Channel } from './browser.ts'

/** Time for other tabs to deny a request, in milliseconds: messages are slow on a busy machine. */
const replyTimeoutMs = 300
/** Interval at which a waiting tab repeats its request, in milliseconds. */
const retryIntervalMs = 200

interface LockMessage {
  /** Id of the tab that requests the lock. */
  readonly requestedBy?: string
  /** Id of the tab whose request is denied. */
  readonly deniedTo?: string
  readonly isReleased?: boolean
}

/** Runs `work` with the lock and returns its result, or false if it is no longer needed. */
export type MessageLock = (
  isDone: () => Promise<boolean>,
  work: () => Promise<boolean>,
) => Promise<boolean>

/**
 * Creates a lock between tabs that uses messages only. A tab requests the lock, and takes it
 * if no other tab denies the request. The tab that holds the lock denies requests, and of
 * two tabs that request it at once the one with the lower id does. A closed or frozen tab
 * does not respond, so it blocks nobody.
 *
 * @param longestMs A tab that has requested or held the lock for longer denies nothing.
 */
export function createMessageLock(channel: Channel, longestMs: number): MessageLock {
  // Pages without locks often have no `randomUUID` either.
  const id = `${Math.random()}${Math.random()}`
  let state: 'requesting' | 'holding' | undefined
  let startMs = 0
  let isDenied = false
  let wake = (): void => undefined
  const post = (message: LockMessage): void => {
    try {
      channel.postMessage(message)
    } catch {
      // The channel was closed.
    }
  }
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, ms)
      if (!state) wake = resolve
    })
  channel.addEventListener('message', ({ data }) => {
    const { requestedBy, deniedTo, isReleased } = data as LockMessage
    if (requestedBy) {
      // Part of a frozen page may still be awake.
      const isAwake = state && Date.now() - startMs < longestMs
      if (isAwake && (state === 'holding' || id < requestedBy)) post({ deniedTo: requestedBy })
      else isDenied = true
    }
    if (deniedTo === id) isDenied = true
    if (isReleased) wake()
  })
  return async (isDone, work) => {
    for (;;) {
      if (await isDone()) return false
      state = 'requesting'
      startMs = Date.now()
      isDenied = false
      post({ requestedBy: id })
      await pause(replyTimeoutMs)
      if (!isDenied) break
      state = undefined
      await pause(retryIntervalMs)
    }
    state = 'holding'
    startMs = Date.now()
    try {
      return await work()
    } finally {
      state = undefined
      post({ isReleased: true })
    }
  }
}
