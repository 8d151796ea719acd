import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cacheFolder } from '../../workspace/lib/root.mjs'
import { run } from '../../workspace/lib/run.mjs'
import { packPackages, startRegistry } from '../src/local-registry.mjs'
import { isRuntimeMissing } from '../src/runtimes.mjs'
import { scaffolds } from './definitions.mjs'
import { npmEnvironment, stepsOf } from './run-scaffold.mjs'
import { startPlatform } from './start-platform.mjs'
import { isDeep } from '../src/is-deep.ts'

const folder = mkdtempSync(join(tmpdir(), 'servicekit-scaffolds-'))
const cache = join(cacheFolder, 'npm')

/** @type {import('../src/local-registry.mjs').Registry} */
let registry
/** @type {Awaited<ReturnType<typeof startPlatform>>} */
let platform

beforeAll(async () => {
  const packed = join(folder, 'packed')
  mkdirSync(packed)
  // npx would run the packages of an earlier run.
  rmSync(join(cache, '_npx'), { recursive: true, force: true })
  await packPackages(packed)
  registry = await startRegistry(packed)
  platform = await startPlatform(folder)
  const env = npmEnvironment({ registry: registry.url, cache })
  const { code, output } = await run('npx', ['-y', 'servicekit', '--version'], { cwd: folder, env })
  if (code !== 0) throw new Error(output)
})
afterAll(async () => {
  await platform?.stop()
  await registry?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(scaffolds.filter(({ isQuick }) => isDeep || isQuick))('$name', (scaffold) => {
  const isMissing = scaffold.node !== 'Node 20' && isRuntimeMissing(scaffold.node)
  const own = join(folder, scaffold.name)
  let isBroken = false

  beforeAll(() => void mkdirSync(own, { recursive: true }))
  afterAll(() => rmSync(own, { recursive: true, force: true }))

  it.skipIf(isMissing).each(stepsOf(scaffold))('$title', { timeout: 600_000 }, async (step) => {
    expect(isBroken, 'a step before it failed').toBe(false)
    isBroken = true
    await step.run({ folder: own, registry: registry.url, cache, platform: platform.service })
    isBroken = false
  })
})
