import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/**
 * Returns the installed version of a peer, which reports show beside its figures.
 *
 * @param {string} name npm package; one that exports its package.json or its main file
 */
export function versionOf(name) {
  let folder = dirname(require.resolve(name))
  // Few packages export their package.json: walk up from the main file.
  for (;;) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      if (manifest.name === name) return String(manifest.version)
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error
    }
    if (folder === dirname(folder)) throw new Error(`Cannot find the package.json of ${name}`)
    folder = dirname(folder)
  }
}
