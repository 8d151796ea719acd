import { expect, it } from 'vitest'
import { startProgress } from './progress.ts'

function draw(isTerminal: boolean, steps: readonly (readonly [number, number])[]): string {
  let drawn = ''
  const io = {
    stdout: () => expect.unreachable('results alone are on standard output'),
    stderr: (text: string) => void (drawn += text),
    isTerminal,
    signal: new AbortController().signal,
  }
  const progress = startProgress(io, 'Fetching')
  for (const [done, total] of steps) progress.report(done, total)
  progress.end()
  return drawn
}

const clear = '\r\u001b[K'

it('draws one line over itself on a terminal, and leaves nothing of it', () => {
  expect(
    draw(true, [
      [12, 24],
      [24, 24],
    ]),
  ).toBe(
    `${clear}${'━'.repeat(12)}${'╌'.repeat(12)}  Fetching: 12 of 24` +
      `${clear}${'━'.repeat(24)}  Fetching: 24 of 24${clear}`,
  )
  expect(draw(true, [[0, 0]])).toContain('0 of 0')
  expect(draw(true, [])).toBe('')
})

it('writes nothing into a log for work that is quick', () => {
  expect(draw(false, [[1, 2]])).toBe('')
})

it('leaves the keyboard alone, so that Ctrl-C is a signal', () => {
  const listeners = () => [
    process.stdin.listenerCount('data') + process.stdin.listenerCount('readable'),
    process.listenerCount('SIGINT'),
    process.listenerCount('exit'),
  ]
  const before = listeners()
  const io = { stdout() {}, stderr() {}, isTerminal: true, signal: new AbortController().signal }
  const progress = startProgress(io, 'Fetching')
  progress.report(1, 2)
  expect(listeners()).toEqual(before)
  progress.end()
})
