/**
 * Measures each claim beside the peer it is made against.
 *
 *     npm run bench -- [claim ...]
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { buildTasks } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './lib/root.mjs'
import { runMain } from './lib/run.mjs'
import { countResults, printResult, runTasks } from './lib/tasks.mjs'

await runMain(async (runner) => {
  if (!(await ensureInstalled(runner))) return 1
  const results = await runTasks(buildTasks(runner), availableParallelism(), printResult)
  if (countResults(results).failed > 0) return 1
  const script = join(root, 'packages', 'bench', 'run.mjs')
  const { code } = await runner.node([script, ...process.argv.slice(2)], { stream: true })
  return code
})
