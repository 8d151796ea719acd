import { expect, it } from 'vitest'
import { memoize, once, onceResolved } from './memoize.ts'

it('runs a function at most once, even if it returns undefined', () => {
  let runs = 0
  const run = once(() => void runs++)
  run()
  run()
  expect(runs).toBe(1)
})

it('runs again after an error', () => {
  let runs = 0
  const run = once(() => {
    if (++runs === 1) throw new Error('first')
    return runs
  })
  expect(run).toThrow('first')
  expect([run(), run()]).toEqual([2, 2])
})

it('runs once for each argument', () => {
  const seen: string[] = []
  const lengthOf = memoize((text: string) => {
    seen.push(text)
    return text === '' ? undefined : text.length
  })
  expect(['ab', '', 'ab', ''].map(lengthOf)).toEqual([2, undefined, 2, undefined])
  expect(seen).toEqual(['ab', ''])
})

it('runs an asynchronous function again after a rejection, and once for concurrent callers', async () => {
  let runs = 0
  const run = onceResolved(async () => {
    if (++runs === 1) throw new Error('first')
    return runs
  })
  await expect(run()).rejects.toThrow('first')
  expect(await Promise.all([run(), run(), run()])).toEqual([2, 2, 2])
})
