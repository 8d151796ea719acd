import { expect, it } from 'vitest'
import type { Core } from './core.ts'
import { addAll } from './knowledge.ts'

const pair = (question: string) => ({ agentId: 'a', question, answer: 'So.' })

/** Core that takes a moment for each request and refuses an empty question. */
function core() {
  const state = { running: 0, most: 0, sent: 0 }
  const send: Core['send'] = async (_, { json, signal }) => {
    state.most = Math.max(state.most, ++state.running)
    state.sent++
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    state.running--
    signal?.throwIfAborted()
    if ((json as { question: string }).question === '') throw new Error('no question')
    const body = { is_success: true, detail: '', error: {} }
    return { status: 200, headers: {}, text: '', json: () => body, redactedText: () => '' }
  }
  return {
    state,
    core: { baseUrl: '', projectKey: 'P1', send, limitTransfers: (_, run) => run() } satisfies Core,
  }
}

it('adds many pairs with limited concurrency, and reports those that failed', async () => {
  const { state, core: through } = core()
  const pairs = Array.from({ length: 100 }, (_, index) => pair(index % 10 === 3 ? '' : `${index}`))
  const done: number[] = []
  const report = await addAll(through, pairs, { concurrency: 7, onProgress: (n) => done.push(n) })
  expect(report.added).toBe(90)
  expect(report.failed.map(({ index }) => index)).toEqual([3, 13, 23, 33, 43, 53, 63, 73, 83, 93])
  expect(report.failed[0]).toMatchObject({ pair: pairs[3], error: new Error('no question') })
  expect(state).toMatchObject({ most: 7, sent: 100 })
  expect(done).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
})

it('starts no further request after an abort', async () => {
  const { state, core: through } = core()
  const controller = new AbortController()
  const onProgress = (count: number): void => {
    if (count === 4) controller.abort(new Error('enough'))
  }
  const pairs = Array.from({ length: 20 }, () => pair('Why?'))
  const { signal } = controller
  const report = await addAll(through, pairs, { concurrency: 2, signal, onProgress })
  expect(report.added + report.failed.length).toBe(20)
  expect(state.sent).toBeLessThanOrEqual(6)
})
