/**
 * Measures each claim together with the peer that it compares with.
 *
 *     npm run bench -- [claim ...]
 *     npm run bench -- side-by-side
 */
import { join } from 'node:path'
import { buildPackages } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './lib/root.mjs'
import { runMain, runNode } from './lib/run.mjs'

await runMain(async () => {
  if (!(await ensureInstalled()) || !(await buildPackages())) return 1
  const args = process.argv.slice(2)
  const isSideBySide = args[0] === 'side-by-side'
  const script = join(root, 'packages/bench', isSideBySide ? 'side-by-side/run.mjs' : 'run.mjs')
  return (await runNode([script, ...args], { stream: true })).code
})
