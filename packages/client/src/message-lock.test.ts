import { describe, expect, it, onTestFinished } from 'vitest'
import type { Channel } from './browser.ts'
import { createMessageLock } from './message-lock.ts'

/** Channels with the same name, one for each tab. */
function channels(count: number): readonly Channel[] {
  const name = crypto.randomUUID()
  const all = Array.from({ length: count }, () => new BroadcastChannel(name))
  onTestFinished(() => {
    for (const one of all) one.close()
  })
  return all as unknown as Channel[]
}
/** Takes a turn and never ends it. */
async function workForEver(channel: Channel, longestMs = 20_000): Promise<void> {
  await new Promise<void>((atWork) => {
    void createMessageLock(channel, longestMs)(never, () => {
      atWork()
      return new Promise(() => undefined)
    })
  })
}
const never = async (): Promise<boolean> => false

describe('createMessageLock', () => {
  it('runs one tab after the other, however many start at once', async () => {
    let working = 0
    let most = 0
    const work = async (): Promise<boolean> => {
      most = Math.max(most, ++working)
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
      working--
      return true
    }
    const turns = channels(3).map((channel) => createMessageLock(channel, 20_000))
    expect(await Promise.all(turns.map((one) => one(never, work)))).toEqual([true, true, true])
    expect(most).toBe(1)
  })

  it('does not run in a tab whose work another tab has done in the meantime', async () => {
    let count = 0
    const isDone = async (): Promise<boolean> => count > 0
    const work = async (): Promise<boolean> => ++count > 0
    const turns = channels(5).map((channel) => createMessageLock(channel, 20_000))
    const ran = await Promise.all(turns.map((one) => one(isDone, work)))
    expect([count, ran.filter(Boolean)]).toEqual([1, [true]])
  })

  it('runs the next tab when the running tab disappears without a message', async () => {
    const [first, second] = channels(2)
    await workForEver(first!)
    const waiting = createMessageLock(second!, 20_000)(never, async () => true)
    first!.close()
    expect(await waiting).toBe(true)
  })

  it('runs without the lock if another tab holds it too long', async () => {
    const [first, second] = channels(2)
    await workForEver(first!, 500)
    expect(await createMessageLock(second!, 500)(never, async () => true)).toBe(true)
  })
})
