import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Reads a file of `runtime` of this package.
 *
 * @param path Path below `runtime`: `dev/inspector.js`.
 */
export function readRuntime(path: string): string {
  // From src/core or from dist.
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'runtime'))) folder = dirname(folder)
  return readFileSync(join(folder, 'runtime', path), 'utf8')
}
