import { expect, it } from 'vitest'
import { countTests } from './count-tests.mjs'

/** @param {string} status @param {readonly string[]} tests */
const file = (status, ...tests) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
})

it('counts tests', () => {
  const report = {
    testResults: [file('passed', 'passed', 'skipped', 'todo'), file('failed', 'failed', 'passed')],
  }
  expect(countTests(report, 1)).toEqual({ passed: 2, failed: 1, skipped: 2 })
})

it('counts a file that could not be loaded as a failure', () => {
  const report = { testResults: [file('passed', 'passed'), file('failed')] }
  expect(countTests(report, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
})

it('never calls a failed run a passed one', () => {
  const passing = { testResults: [file('passed', 'passed')] }
  expect(countTests(passing, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  expect(countTests(undefined, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})
