import type { Channel } from './browser.ts'

/** How long the others may take to object, in milliseconds: on a busy machine messages are late. */
const objectionMs = 300
/** How often somebody who waits asks whether the one who works is still there, in milliseconds. */
const askAgainMs = 200

interface TurnMessage {
  /** Id of who asks whether anybody objects. */
  readonly asks?: string
  /** Id of who has to wait. */
  readonly waits?: string
  readonly isFree?: boolean
}

/** Runs `work` in a turn of its own and answers what it answers; false where it is not needed any more. */
export type Turns = (
  isDone: () => Promise<boolean>,
  work: () => Promise<boolean>,
) => Promise<boolean>

/**
 * Turns of tabs that can do no more than talk: who wants one asks, and goes ahead
 * where nobody objects. Who works objects, and of two who ask at once the one
 * with the lower id. A tab that is closed or frozen does not, and so stops nobody.
 *
 * @param longestMs Who asks or works for longer does not object any more.
 */
export function turnsOf(channel: Channel, longestMs: number): Turns {
  // Pages without locks are often without `randomUUID` as well.
  const id = `${Math.random()}${Math.random()}`
  let state: 'asking' | 'working' | undefined
  let startMs = 0
  let mustWait = false
  let wake = (): void => undefined
  const tell = (message: TurnMessage): void => {
    try {
      channel.postMessage(message)
    } catch {
      // It was closed meanwhile: nobody is asked, and nobody objects.
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
      // Of a page that is frozen some part may still be awake.
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
