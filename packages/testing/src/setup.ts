// oxlint-disable-next-line no-restricted-imports -- replaces the stats of a named pipe
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { recordWarnings, takeWarnings } from './warnings.ts'
import { isDeep } from './is-deep.ts'

// The same cases in every run, so that a change is not blamed for what another seed finds. The
// large versions of tests look for more cases each time.
if (!isDeep) fc.configureGlobal({ seed: 1 })

/** What Servicekit writes if it runs in the root of the repository instead of a test's folder. */
const strayFiles = ['src', 'uilm', 'uilm.lock.json', 'messages', 'gateway'].map((name) =>
  fileURLToPath(new URL(`../../../${name}`, import.meta.url)),
)

let stop = (): void => {}

beforeAll(() => {
  const left = ['window', 'document', 'location'].filter((name) => name in globalThis)
  expect(left, 'defined by a test file that ran before this one in the same process').toEqual([])
  stop = recordWarnings()
})

afterEach(() => {
  expect(takeWarnings(), 'printed, and the test did not take it with takeWarnings()').toEqual([])
})

afterAll(() => {
  // A test may have left the stats of a named pipe, also by removing its folder: see `statIfExists`.
  statSync('.')
  stop()
  expect(takeWarnings(), 'printed outside of any test').toEqual([])
  expect(strayFiles.filter(existsSync), 'written by a test in the wrong folder').toEqual([])
})
