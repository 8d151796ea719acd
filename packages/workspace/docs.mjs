/**
 * Serves the documentation site, or builds it to `docs/.vitepress/dist`.
 *
 *     npm run docs
 *     npm run docs:build -- [--base /path/]
 */
import { join } from 'node:path'
import { buildPackages } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { root, toolScript } from './lib/root.mjs'
import { runMain, runNode } from './lib/run.mjs'

await runMain(async () => {
  if (!(await ensureInstalled()) || !(await buildPackages())) return 1
  // Imported here, because it needs what was just installed.
  const { writeReference } = await import('../../docs/generate/write-reference.mjs')
  await writeReference()
  const docs = join(root, 'docs')
  const [command = 'dev', ...args] = process.argv.slice(2)
  const vitepress = toolScript('vitepress', { from: docs })
  return (await runNode([vitepress, command, ...args], { cwd: docs, stream: true })).code
})
