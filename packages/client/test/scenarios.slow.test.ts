import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builds, folderOf } from './scenarios/builds.ts'
import type { Outcome } from './scenarios/scenario.ts'
import { type ScenarioServer, startServer } from './scenarios/server.ts'
import { scenarios } from './scenarios/table.ts'
import { freeAddress } from './serve.ts'

let server: ScenarioServer
let folder: string
const outcomes = new Map<string, readonly Outcome[]>()
beforeAll(async () => {
  server = await startServer()
  folder = await mkdtemp(join(tmpdir(), 'servicekit-scenarios-'))
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

it('has more than 300 scenarios, each with a name of its own', () => {
  expect(scenarios.length).toBeGreaterThan(300)
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length)
})

describe.each(builds)('the client on $name', ({ name, kind, isMissing, run }) => {
  it('behaves in every scenario as the table says', { timeout: 120_000 }, async ({ skip }) => {
    skip(isMissing, `there is no ${name} on this machine`)
    const build = name.replaceAll(' ', '-')
    const settings = { origin: server.origin, build, closedUrl: await freeAddress() }
    const results = await run(await folderOf(folder, name), settings)
    expect(results).toHaveLength(scenarios.length)
    const own = results.map((one, index) => ({
      ...one,
      requests: server.requestsOf(build, index),
    }))
    outcomes.set(name, own)
    const problems = scenarios.flatMap((scenario, index) => {
      const whole: Partial<Outcome> = {
        // What all builds have in common.
        ...(name === 'Node' ? {} : outcomes.get('Node')![index]),
        ...scenario.expected,
        ...(kind === 'undici' ? {} : scenario.overFetch),
        ...(kind === 'browser' ? scenario.inBrowser : {}),
      }
      const one: Partial<Outcome> = own[index]!
      // Also what only this build has.
      const members = new Set(Object.keys({ ...(kind === 'undici' ? {} : one), ...whole }))
      const differs = ([...members] as (keyof Outcome)[]).filter(
        (member) =>
          (kind === 'undici' || !scenario.varies?.includes(member)) &&
          !isSame(whole[member], one[member]),
      )
      return differs.map((member) => ({
        scenario: scenario.name,
        member,
        expected: whole[member],
        received: one[member],
      }))
    })
    expect(problems).toEqual([])
  })
})

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
