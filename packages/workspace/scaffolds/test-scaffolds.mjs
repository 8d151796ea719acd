import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packPackages, startRegistry } from '../lib/local-registry.mjs'
import { cacheFolder, root } from '../lib/root.mjs'
import { findRuntime } from '../runtimes.mjs'
import { run } from '../lib/run.mjs'
import { npmEnvironment, stepsOf } from './run-scaffold.mjs'

/** @typedef {import('../vitest/count-tests.mjs').Counts} Counts */

/**
 * Creates each scaffold, sets it up with the packed packages and tests it. Prints a line for
 * each step.
 *
 * @param {readonly import('./definitions.mjs').Scaffold[]} scaffolds
 * @returns {Promise<Counts>}
 */
export async function testScaffolds(scaffolds) {
  const folder = mkdtempSync(join(tmpdir(), 'servicekit-scaffolds-'))
  const packed = join(folder, 'packed')
  const cache = join(cacheFolder, 'npm')
  mkdirSync(packed)
  // npx would run the packages of an earlier run.
  rmSync(join(cache, '_npx'), { recursive: true, force: true })
  const counts = { passed: 0, failed: 0, skipped: 0 }
  await packPackages(packed)
  const registry = await startRegistry(packed)
  const platform = await startPlatform(folder)
  try {
    await fillNpxCache({ folder, registry: registry.url, cache })
    // Two at a time: while one waits for a server or the registry, the other one builds. Those
    // with the sample platform share its port.
    const samples = scaffolds.filter(({ guide }) => guide)
    const others = scaffolds.filter(({ guide }) => !guide)
    const testNext = async (/** @type {(typeof scaffolds)[number][]} */ own) => {
      for (let scaffold; (scaffold = own.shift() ?? others.shift());) {
        const folderOfOne = join(folder, scaffold.name)
        mkdirSync(folderOfOne)
        const service = platform.service
        const environment = {
          folder: folderOfOne,
          registry: registry.url,
          cache,
          platform: service,
        }
        await testScaffold(scaffold, stepsOf(scaffold, environment), counts)
        rmSync(folderOfOne, { recursive: true, force: true })
      }
    }
    await Promise.all([testNext(samples), testNext([])])
  } finally {
    await platform.stop()
    await registry.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return counts
}

/**
 * Installs the package for npx, which cannot be done by two processes at a time.
 *
 * @param {Omit<import('./run-scaffold.mjs').Environment, 'platform'>} environment
 */
async function fillNpxCache(environment) {
  const env = npmEnvironment(environment)
  const { code, output } = await run('npx', ['-y', 'servicekit', '--version'], {
    cwd: environment.folder,
    env,
  })
  if (code !== 0) throw new Error(output)
}

/**
 * @param {import('./definitions.mjs').Scaffold} scaffold
 * @param {readonly import('./run-scaffold.mjs').Step[]} steps
 * @param {{ passed: number, failed: number, skipped: number }} counts
 */
async function testScaffold({ name, node }, steps, counts) {
  let isBroken = findRuntime(node) === undefined && node !== 'Node 20'
  if (isBroken) console.log(`↓ ${name}: there is no ${node} on this machine`)
  for (const { title, run } of steps) {
    if (isBroken) {
      counts.skipped++
      continue
    }
    const started = performance.now()
    try {
      await run()
      counts.passed++
      console.log(`✓ ${name} ${title} ${((performance.now() - started) / 1000).toFixed(1)} s`)
    } catch (error) {
      counts.failed++
      isBroken = true
      console.log(`✗ ${name} ${title}\n${error instanceof Error ? error.message : error}`)
    }
  }
}

/** Starts the local platform with its sample project. @param {string} cwd */
export async function startPlatform(cwd) {
  const script = join(root, 'packages/cli/bin/servicekit.js')
  const args = [script, 'dev', '--sample', '--memory', '--port', '0', '--json']
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise((done) => child.once('close', done))
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text)))
    child.once('close', () => reject(new Error('Cannot start the local platform')))
  })
  return {
    /** @type {{ baseUrl: string, projectKey: string }} */
    service: JSON.parse(line),
    async stop() {
      child.kill('SIGTERM')
      await closed
    },
  }
}
