import { operations } from '@servicekit/contract'
import { isBrowserMissing } from '@servicekit/testing/browser'
import { isRuntimeMissing } from '@servicekit/testing/runtimes'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Host, startHost } from './runtimes/host.ts'
import { inPage, inProcess, inWorker, prepareFolder, type Run } from './runtimes/programs.ts'
import type { SuiteResult } from './runtimes/suite.ts'

let host: Host
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-runtimes-'))
  ;[host] = await Promise.all([startHost(), prepareFolder(folder)])
}, 120_000)
afterAll(async () => {
  await host?.close()
  await rm(folder, { recursive: true, force: true })
})

// Deno may access only loopback and local files, and does not prompt for more.
const denoArgs = ['run', '--no-prompt', '--no-remote', '--node-modules-dir=manual']
const denoMay = ['--allow-net=127.0.0.1', '--allow-read', '--allow-env']
const runtimes: readonly (readonly [name: string, isMissing: boolean, run: () => Run])[] = [
  ...(['Node 20', 'Node 22', 'Node 24', 'Bun'] as const).map(
    (name) => [name, isRuntimeMissing(name), () => inProcess(folder, name)] as const,
  ),
  ['Deno', isRuntimeMissing('Deno'), () => inProcess(folder, 'Deno', [...denoArgs, ...denoMay])],
  ['workerd', isRuntimeMissing('workerd'), () => inWorker(folder)],
  ['Chromium', isBrowserMissing(), () => inPage(folder, host.pageUrl)],
]

describe('the built client', () => {
  const results = new Map<string, SuiteResult>()

  it.for(runtimes.map(([name, isMissing, run]) => ({ name, isMissing, run })))(
    'calls every operation on $name',
    { timeout: 120_000 },
    async ({ name, isMissing, run }, { skip }) => {
      skip(isMissing, `there is no ${name} on this machine`)
      const settings = await host.prepare(`suite-${name.toLowerCase().replaceAll(' ', '-')}`)
      const result = await run()(settings)
      results.set(name, result)
      expect(result.checks.filter(({ ok }) => !ok)).toEqual([])
      expect(result.answered).toEqual(operations.map(({ route }) => route.id).sort())
    },
  )

  it('passes the same checks on every runtime', () => {
    const [first = [], ...others] = [...results.values()].map(({ checks }) =>
      checks.map(({ name }) => name),
    )
    expect(first.length).toBeGreaterThan(25)
    expect(new Set(first).size).toBe(first.length)
    for (const names of others) expect(names).toEqual(first)
  })
})
