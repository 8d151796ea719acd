import type { Channel } from './browser.ts'

/** Time for other tabs to object, in milliseconds: messages are late on a busy machine. */
const objectionMs = 300
/**
 * Interval at which a waiting tab asks again whether the working tab still exists, in
 * milliseconds.
 */
const askAgainMs = 200

interface TurnMessage {
  /** Id of the tab that asks for objections. */
  readonly asks?: string
  /** Id of the tab that must wait. */
  readonly waits?: string
  readonly isFree?: boolean
}

/** Runs `work` in its own turn and returns its result, or false if it is no longer needed. */
export type MessageLock = (
  isDone: () => Promise<boolean>,
  work: () => Promise<boolean>,
) => Promise<boolean>

/**
 * Coordinates tabs by messages only. A tab that wants a turn asks, and goes ahead if no
 * other tab objects. A working tab objects, and of two tabs that ask at once the one with
 * the lower id. A closed or frozen tab does not object, so it blocks nobody.
 *
 * @param longestMs A tab that has asked or worked for longer no longer objects.
 */
export function createMessageLock(channel: Channel, longestMs: number): MessageLock {
  // Pages without locks often have no `randomUUID` either.
  const id = `${Math.random()}${Math.random()}`
  let state: 'asking' | 'working' | undefined
  let startMs = 0
  let mustWait = false
  let wake = (): void => undefined
  const tell = (message: TurnMessage): void => {
    try {
      channel.postMessage(message)
    } catch {
      // The channel was closed: there is nobody to ask.
    }
  }
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, ms)
      if (!state) wake = resolve
    })
  channel.addEventListener('message', ({ data }) => {
    const { asks, waits, isFree } = data as TurnMessage
    if (asks) {
      // Part of a frozen page may still be awake.
      const isAwake = state && Date.now() - startMs < longestMs
      if (isAwake && (state === 'working' || id < asks)) tell({ waits: asks })
      else mustWait = true
    }
    if (waits === id) mustWait = true
    if (isFree) wake()
  })
  return async (isDone, work) => {
    for (;;) {
      if (await isDone()) return false
      state = 'asking'
      startMs = Date.now()
      mustWait = false
      tell({ asks: id })
      await pause(objectionMs)
      if (!mustWait) break
      state = undefined
      await pause(askAgainMs)
    }
    state = 'working'
    startMs = Date.now()
    try {
      return await work()
    } finally {
      state = undefined
      tell({ isFree: true })
    }
  }
}
