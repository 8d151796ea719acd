import { expect, it } from 'vitest'
import { startProgress } from './progress.ts'

async function draw(
  isTerminal: boolean,
  steps: readonly (readonly [number, number])[],
): Promise<string> {
  let drawn = ''
  const io = {
    stdout: () => expect.unreachable('standard output is reserved for results'),
    stderr: (text: string) => void (drawn += text),
    isTerminal,
    signal: new AbortController().signal,
  }
  const progress = await startProgress(io, 'Fetching')
  for (const [done, total] of steps) progress.report(done, total)
  progress.end()
  return drawn
}

it('draws a progress bar on a terminal and clears it at the end', async () => {
  const steps = [
    [12, 24],
    [24, 24],
  ] as const
  const drawn = await draw(true, steps)
  expect(drawn).toContain(`${'━'.repeat(12)}${'╌'.repeat(12)}  Fetching: 12 of 24`)
  expect(drawn).toContain(`${'━'.repeat(24)}  Fetching: 24 of 24`)
  // After the last text there are only sequences that move the cursor and clear.
  expect(drawn.slice(drawn.lastIndexOf('of 24') + 5)).toMatch(
    /^(?:\u001b(?:\[[\d?]*[A-Za-z]|\d))+$/,
  )
  expect(drawn).not.toContain('\n')
  expect(await draw(true, [[0, 0]])).toContain('0 of 0')
  expect(await draw(true, [])).toBe('')
})

it('prints nothing to a log for short work', async () => {
  expect(await draw(false, [[1, 2]])).toBe('')
})

it('reports a pause for a rate limit once, and not a short one', async () => {
  for (const isTerminal of [false, true]) {
    let drawn = ''
    const io = {
      stdout() {},
      stderr: (text: string) => void (drawn += text),
      isTerminal,
      signal: new AbortController().signal,
    }
    const progress = await startProgress(io, 'Fetching')
    progress.pause(900)
    progress.report(1, 2)
    progress.pause(41_200)
    progress.pause(12_000)
    progress.end()
    expect(drawn.match(/rate limited, continuing in \d+ s/g)).toEqual([
      'rate limited, continuing in 42 s',
    ])
  }
})

it('does not read the keyboard, so that Ctrl-C remains a signal', async () => {
  const listeners = () => [
    process.stdin.listenerCount('data') + process.stdin.listenerCount('readable'),
    process.listenerCount('SIGINT'),
    process.listenerCount('exit'),
  ]
  const before = listeners()
  const io = { stdout() {}, stderr() {}, isTerminal: true, signal: new AbortController().signal }
  const progress = await startProgress(io, 'Fetching')
  progress.report(1, 2)
  expect(listeners()).toEqual(before)
  progress.end()
})
