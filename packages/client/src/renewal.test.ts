import { expect, it, onTestFinished, vi } from 'vitest'
import { createRenewal, type RenewalOptions } from './renewal.ts'

/** Creates a renewal whose requests `answer` decides; other tabs are decided by `isDone`. */
function renewalOf(
  answer: (signal: AbortSignal) => Promise<unknown>,
  options: Partial<RenewalOptions> = {},
) {
  const state = { requests: 0, ended: 0, nowMs: 1_000_000, messages: [] as unknown[] }
  const renewal = createRenewal({
    core: {
      baseUrl: 'https://service.example',
      projectKey: 'P1',
      limitTransfers: (_deadline, run) => run(),
      send: async (_route, { signal }) => {
        state.requests++
        await answer(signal!)
        return { status: 200, headers: {}, text: '', json: () => ({}), redactedText: () => '' }
      },
    },
    clientId: 'web',
    tabs: {
      runExclusive: async (isDone, work) => {
        if (isDone()) return false
        await work()
        return true
      },
      notify: (message) => void state.messages.push(message),
      listen: () => () => undefined,
    },
    now: () => state.nowMs,
    onEnd: () => void state.ended++,
    ...options,
  })
  return { state, renewal }
}
const fine = async (): Promise<void> => undefined
const refused = (status: number) => () => Promise.reject(Object.assign(new Error(), { status }))

it('renews once for concurrent calls, counts it, and notifies other tabs', async () => {
  const { state, renewal } = renewalOf(fine)
  expect(await Promise.all([renewal.renew(0), renewal.renew(0)])).toEqual(['renewed', 'renewed'])
  expect(state).toMatchObject({ requests: 1, messages: ['renewed'], ended: 0 })
  expect(renewal.renewalCount()).toBe(1)
})

it('does nothing if another tab renewed since the call', async () => {
  const { state, renewal } = renewalOf(fine)
  renewal.skip()
  expect(await renewal.renew(0)).toBe('elsewhere')
  expect(state.requests).toBe(0)
  expect(await renewal.renew(1)).toBe('renewed')
})

it('pauses for coolDownMs after a refusal, and no longer', async () => {
  const { state, renewal } = renewalOf(refused(401), { coolDownMs: 1000 })
  const renewAt = async (ms: number) => {
    state.nowMs = 1_000_000 + ms
    await renewal.renew(0)
    return state.requests
  }
  expect(await renewAt(0)).toBe(1)
  expect(state.ended).toBe(1)
  expect(await renewAt(999)).toBe(1)
  expect(await renewAt(1000)).toBe(2)
})

it('needs no onEnd', async () => {
  const { renewal } = renewalOf(refused(401), { onEnd: undefined } as object)
  expect(await renewal.renew(0)).toBe('failed')
})

it('continues after a renewal of another tab, which ends the pause and the request', async () => {
  const { state, renewal } = renewalOf(refused(401))
  const renew = () => renewal.renew(renewal.renewalCount())
  renewal.skip()
  await renew()
  await renew()
  expect(state.requests).toBe(1)
  renewal.skip()
  await renew()
  expect(state.requests).toBe(2)

  const held = renewalOf(
    (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  )
  const renewing = held.renewal.renew(0)
  await vi.waitFor(() => expect(held.state.requests).toBe(1))
  held.renewal.skip()
  expect(await renewing).toBe('failed')
})

it('leaves no timer behind', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  await renewalOf(fine).renewal.renew(0)
  expect(vi.getTimerCount()).toBe(0)
})
