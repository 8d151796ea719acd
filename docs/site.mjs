/**
 * Serves the documentation site, or builds it to `docs/.vitepress/dist`.
 *
 *     npm run docs
 *     npm run docs -- build [--base /path/]
 */
import { join } from 'node:path'
import { buildPackages } from '../packages/workspace/build.mjs'
import { ensureInstalled, installProjects } from '../packages/workspace/install.mjs'
import { root, toolScript } from '../packages/workspace/lib/root.mjs'
import { runMain, runNode } from '../packages/workspace/lib/run.mjs'

await runMain(async () => {
  const isReady =
    (await ensureInstalled()) && (await installProjects(['docs'])) && (await buildPackages())
  if (!isReady) return 1
  // Imported here, because it needs what was just installed.
  const { writeReference } = await import('./generate/write-reference.mjs')
  await writeReference()
  const docs = join(root, 'docs')
  const [command = 'dev', ...args] = process.argv.slice(2)
  const vitepress = toolScript('vitepress', { from: docs })
  return (await runNode([vitepress, command, ...args], { cwd: docs, stream: true })).code
})
