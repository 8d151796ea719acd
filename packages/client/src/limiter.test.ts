import { describe, expect, it } from 'vitest'
import { limiter } from './limiter.ts'

const never = new AbortController()

describe('limiter', () => {
  it('runs the maximum at once and the others in order', async () => {
    const limit = limiter(3)
    let running = 0
    let most = 0
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        limit(new AbortController(), async () => {
          order.push(index)
          most = Math.max(most, ++running)
          await new Promise((resolve) => {
            setImmediate(resolve)
          })
          running--
        }),
      ),
    )
    expect(most).toBe(3)
    expect(order).toEqual([...Array(20).keys()])
  })

  it('releases the slot of a failed task', async () => {
    const limit = limiter(1)
    const failed = limit(never, () => Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    expect(await limit(never, async () => 7)).toBe(7)
  })

  it('rejects an aborted waiter at once and runs the next', async () => {
    const limit = limiter(1)
    const controller = new AbortController()
    let release = (): void => undefined
    const first = limit(never, () => new Promise<void>((resolve) => (release = resolve)))
    const second = limit(controller, async () => expect.unreachable('it ran'))
    const third = limit(never, async () => 3)
    controller.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
    // Aborted before it is called.
    await expect(limit(controller, async () => 4)).rejects.toThrow('enough')
    release()
    await first
    expect(await third).toBe(3)
  })

  it('releases one slot for a task that is aborted while it runs', async () => {
    const limit = limiter(1)
    const controller = new AbortController()
    let release = (): void => undefined
    const first = limit(never, () => new Promise<void>((resolve) => (release = resolve)))
    const second = limit(controller, async () => controller.abort())
    const third = limit(never, async () => 3)
    release()
    await Promise.all([first, second])
    expect(await third).toBe(3)
  })
})
