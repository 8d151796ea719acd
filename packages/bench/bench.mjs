/**
 * Measures each claim together with the peer that it compares with.
 *
 *     npm run bench -- [claim ...]
 *     npm run bench -- side-by-side
 *     npm run bench -- leaks
 *     npm run bench -- request-cost
 *     npm run bench -- tenant-placement
 */
import { join } from 'node:path'
import { buildPackages } from '../workspace/build.mjs'
import { ensureInstalled, installProjects } from '../workspace/install.mjs'
import { runMain, runNode } from '../workspace/lib/run.mjs'

/** Measurements with a program of their own. */
const programs = new Map([
  ['side-by-side', 'side-by-side/run.mjs'],
  ['leaks', 'leaks.mjs'],
  ['request-cost', 'request-cost/run.mjs'],
  ['tenant-placement', 'tenant-placement.mjs'],
])

await runMain(async () => {
  const isReady =
    (await ensureInstalled()) &&
    (await installProjects(['packages/bench'])) &&
    (await buildPackages())
  if (!isReady) return 1
  const [first = '', ...rest] = process.argv.slice(2)
  const program = programs.get(first)
  const script = join(import.meta.dirname, program ?? 'run.mjs')
  const args = program ? rest : process.argv.slice(2)
  return (await runNode([script, ...args], { stream: true })).code
})
