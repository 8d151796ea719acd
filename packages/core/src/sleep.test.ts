import { expect, it } from 'vitest'
import { rejectOnAbort, sleep } from './sleep.ts'

it('rejects with the reason of the signal, before and while it sleeps', async () => {
  const reason = new Error('stop')
  await expect(sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason)
  const controller = new AbortController()
  const sleeping = sleep(60_000, controller.signal)
  controller.abort(reason)
  await expect(sleeping).rejects.toBe(reason)
})

it('resolves after its time', async () => {
  const start = performance.now()
  await sleep(20, new AbortController().signal)
  expect(performance.now() - start).toBeGreaterThan(15)
})

it('settles like the work, unless the signal aborts first', async () => {
  const { signal } = new AbortController()
  await expect(rejectOnAbort(signal, Promise.resolve(1))).resolves.toBe(1)
  await expect(rejectOnAbort(signal, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  const controller = new AbortController()
  const pending = rejectOnAbort(controller.signal, new Promise<never>(() => {}))
  controller.abort(new Error('stop'))
  await expect(pending).rejects.toThrow('stop')
})
