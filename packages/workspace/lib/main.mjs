import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Whether a file is the one that Node was started with, and not an import.
 *
 * @param {string} url the file's `import.meta.url`
 */
export function isMain(url) {
  const started = process.argv[1]
  return started !== undefined && realpathSync(started) === fileURLToPath(url)
}
