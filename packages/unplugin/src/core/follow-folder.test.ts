import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followFolder } from './follow-folder.ts'
import type { PluginContext } from './plugin-context.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const folder = join('/', 'app', 'locales')

/** A folder whose watcher reports what a test tells it to, and whose files take time to read. */
async function follow({ readMs = 0 } = {}) {
  let reads = 0
  const context = {
    open: async () => ({
      project: { folder: { path: folder } },
      session: {
        reload: async () => {
          reads += 1
          await new Promise((resolve) => setTimeout(resolve, readMs))
        },
      },
    }),
    settings: { log: console, watching: false },
  } as unknown as PluginContext
  const events = new EventEmitter()
  const watcher = Object.assign(events, { add: () => {} })
  const stop = await followFolder(context, { watcher })
  await vi.advanceTimersByTimeAsync(readMs)
  expect(reads).toBe(1)
  reads = 0
  return {
    change: (file: string) => void events.emit('all', 'change', file),
    reads: () => reads,
    stop,
  }
}

it('reads the files once after a burst of changes', async () => {
  const { change, reads, stop } = await follow()
  for (let file = 0; file < 50; file++) {
    change(join(folder, 'en', `part${file}.json`))
    await vi.advanceTimersByTimeAsync(20)
  }
  expect(reads()).toBe(0)
  await vi.advanceTimersByTimeAsync(60)
  expect(reads()).toBe(1)
  await stop()
})

it('reads once more after bursts that arrive while it reads', async () => {
  const { change, reads, stop } = await follow({ readMs: 1000 })
  for (let burst = 0; burst < 5; burst++) {
    change(join(folder, 'en', 'shop.json'))
    await vi.advanceTimersByTimeAsync(100)
  }
  await vi.advanceTimersByTimeAsync(10_000)
  expect(reads()).toBe(2)
  await stop()
})

it('ignores files beside the folder', async () => {
  const { change, reads, stop } = await follow()
  change(join('/', 'app', 'locales-old', 'en.json'))
  await vi.advanceTimersByTimeAsync(1000)
  expect(reads()).toBe(0)
  await stop()
})
