/**
 * Measures wrong messages and leaks of each framework and bundler, by their tests, and writes
 * the table to `packages/bench/LEAKS.md`. It installs the frameworks and takes about half an hour.
 *
 *     npm run bench -- leaks [part of the path of a test file ...]
 *
 * With a part of a path it measures only these and prints their rows.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackages } from '../workspace/build.mjs'
import { ensureInstalled, installProjects, separateProjects } from '../workspace/install.mjs'
import { cacheFolder, root, toolScript } from '../workspace/lib/root.mjs'
import { runMain, runNode } from '../workspace/lib/run.mjs'
import { formatLeaks, readLeaks } from './lib/leaks.mjs'

const tests = [
  'packages/unplugin/test/frameworks.slow.test.ts',
  'packages/unplugin/test/servers.slow.test.ts',
  'packages/unplugin/test/bundlers.slow.test.ts',
  'fixtures/apps/next/test/browser.slow.test.ts',
]

await runMain(async () => {
  const apps = separateProjects().filter((folder) => folder.startsWith('fixtures/'))
  const isReady =
    (await ensureInstalled()) && (await installProjects(apps)) && (await buildPackages())
  if (!isReady) return 1
  const filters = process.argv.slice(2)
  const file = join(cacheFolder, 'leaks.jsonl')
  mkdirSync(cacheFolder, { recursive: true })
  rmSync(file, { force: true })
  const { code } = await runNode(
    [toolScript('vitest'), 'run', '--project=deep', ...(filters.length > 0 ? filters : tests)],
    { cwd: root, stream: true, env: { SERVICEKIT_LEAKS: file } },
  )
  if (!existsSync(file)) return code || 1
  const table = formatLeaks(readLeaks(readFileSync(file, 'utf8')))
  if (filters.length > 0) console.log(table)
  else writeFileSync(join(root, 'packages/bench/LEAKS.md'), table)
  return code
})
