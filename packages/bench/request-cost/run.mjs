/**
 * Measures the processor time of expensive requests, and fails if one costs more than it may.
 *
 *     npm run bench -- request-cost
 */
import { root, toolScript } from '../../workspace/lib/root.mjs'
import { runMain, runNode } from '../../workspace/lib/run.mjs'

await runMain(async () => {
  const options = { cwd: root, stream: true }
  return (await runNode([toolScript('vitest'), 'run', '--project=bench'], options)).code
})
