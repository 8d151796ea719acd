import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { findRuntime, isRuntimeMissing, runtimeNames } from './runtimes.mjs'

const versions = {
  'Node 20': /^v20\./,
  'Node 22': /^v22\./,
  'Node 24': /^v24\./,
  Bun: /^1\.\d+\.\d+$/m,
  Deno: /^deno 2\./,
  workerd: /^workerd \d{4}-/,
}

it.each(runtimeNames.filter((name) => !isRuntimeMissing(name)))('%s says its version', (name) => {
  const said = execFileSync(findRuntime(name) ?? '', ['--version'], { encoding: 'utf8' })
  expect(said).toMatch(versions[name])
})

it('is an error where it is missing and must not be', () => {
  const nowhere = { env: {}, find: () => undefined }
  expect(isRuntimeMissing('Bun', nowhere)).toBe(true)
  const ci = { ...nowhere, env: { CI: 'true' } }
  expect(() => isRuntimeMissing('Bun', ci)).toThrow('no Bun on this machine')
  expect(isRuntimeMissing('Node 20', ci)).toBe(true)
  expect(isRuntimeMissing('Bun', { ...ci, find: () => '/bin/bun' })).toBe(false)
})
