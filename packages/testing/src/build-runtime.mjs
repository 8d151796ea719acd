import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const compiler = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
const project = fileURLToPath(new URL('../../codegen/runtime', import.meta.url))

/**
 * Writes the JavaScript of codegen's runtime, which the output `js` contains, if its sources
 * changed since the last time.
 */
export function setup() {
  // Each project of vitest calls this function.
  if (process.env['SERVICEKIT_TEST_RUNTIME']) return
  execFileSync(process.execPath, [join(compiler, 'bin/tsc'), '-b', project])
  process.env['SERVICEKIT_TEST_RUNTIME'] = project
}
