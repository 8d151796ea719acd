import { describe, expect, it } from 'vitest'
import { countResults, failed, findNone, passed, runTasks } from './tasks.mjs'

/** @param {() => void} [act] */
const pass = (act) => async () => {
  act?.()
  return passed()
}

describe('runTasks', () => {
  it('starts a task only after those it names', async () => {
    /** @type {string[]} */
    const order = []
    /** @param {string} name @param {readonly string[]} after */
    const task = (name, ...after) => ({
      name,
      after,
      run: async () => {
        await new Promise((done) => {
          setImmediate(done)
        })
        order.push(name)
        return passed()
      },
    })
    const results = await runTasks(
      [task('a'), task('b', 'a'), task('c'), task('d', 'b', 'c')],
      4,
      () => {},
    )
    expect(results).toHaveLength(4)
    expect(order.indexOf('b')).toBeGreaterThan(order.indexOf('a'))
    expect(order.at(-1)).toBe('d')
  })

  it('runs no more at once than the width', async () => {
    let active = 0
    let most = 0
    const tasks = Array.from({ length: 6 }, (_, index) => ({
      name: String(index),
      run: async () => {
        active++
        most = Math.max(most, active)
        await new Promise((done) => {
          setImmediate(done)
        })
        active--
        return passed()
      },
    }))
    await runTasks(tasks, 2, () => {})
    expect(most).toBe(2)
  })

  it('skips what follows a failure, and what follows that', async () => {
    const results = await runTasks(
      [
        { name: 'a', run: async () => failed('broken') },
        { name: 'b', after: ['a'], run: pass() },
        { name: 'c', after: ['b'], run: pass() },
        { name: 'd', run: pass() },
      ],
      1,
      () => {},
    )
    expect(results.map(({ name, status, note }) => [name, status, note])).toEqual([
      ['a', 'failed', undefined],
      ['b', 'skipped', 'because of a'],
      ['c', 'skipped', 'because of b'],
      ['d', 'passed', undefined],
    ])
    expect(countResults(results)).toEqual({ passed: 1, failed: 1, skipped: 2 })
  })

  it('lets a task follow others however they end, and ask how', async () => {
    /** @type {boolean[]} */
    const answers = []
    await runTasks(
      [
        { name: 'a', run: async () => failed('broken') },
        { name: 'b', run: pass() },
        {
          name: 'c',
          afterEnd: ['a', 'b'],
          run: async (hasPassed) => {
            answers.push(hasPassed('a'), hasPassed('b'))
            return passed()
          },
        },
      ],
      2,
      () => {},
    )
    expect(answers).toEqual([false, true])
  })

  it('takes a thrown error for a failure', async () => {
    const run = async () => {
      throw new Error('no such tool')
    }
    const [result] = await runTasks([{ name: 'a', run }], 1, () => {})
    expect(result?.status).toBe('failed')
    expect(result?.output).toContain('no such tool')
  })

  it('counts a step that only prepares when it fails', async () => {
    const results = await runTasks(
      [
        { name: 'a', prepares: true, run: pass() },
        { name: 'b', prepares: true, run: async () => failed('broken') },
      ],
      2,
      () => {},
    )
    expect(countResults(results)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  it('refuses a task that waits for one which never comes', async () => {
    const task = { name: 'a', after: ['z'], run: pass() }
    await expect(runTasks([task], 1, () => {})).rejects.toThrow("'a' waits for 'z'")
  })
})

describe('findNone', () => {
  it('fails with the findings', () => {
    expect(findNone([])).toEqual({ status: 'passed' })
    expect(findNone(['one', 'two'])).toEqual({ status: 'failed', output: 'one\ntwo' })
  })
})
