import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const compiler = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
const projects = ['codegen/runtime', 'catalog/tsconfig.commonjs.json'].map((path) =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url)),
)

/**
 * Writes the JavaScript of codegen's runtime, which the output `js` contains, and the CommonJS of
 * the catalog's, which compiled programs contain, if their sources changed since the last time.
 */
export function setup() {
  // Each project of vitest calls this function.
  if (process.env['SERVICEKIT_TEST_RUNTIME']) return
  execFileSync(process.execPath, [join(compiler, 'bin/tsc'), '-b', ...projects])
  process.env['SERVICEKIT_TEST_RUNTIME'] = 'built'
}
