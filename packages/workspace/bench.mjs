/**
 * Measures each claim together with the peer that it compares with.
 *
 *     npm run bench -- [claim ...]
 */
import { join } from 'node:path'
import { buildPackages } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './lib/root.mjs'
import { runMain, runNode } from './lib/run.mjs'

await runMain(async () => {
  if (!(await ensureInstalled()) || !(await buildPackages())) return 1
  const script = join(root, 'packages/bench/run.mjs')
  return (await runNode([script, ...process.argv.slice(2)], { stream: true })).code
})
