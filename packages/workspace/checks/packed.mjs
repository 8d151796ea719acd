import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { problemAffectsResolutionKind } from '@arethetypeswrong/core/problems'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { pnpm, root } from '../lib/root.mjs'

/** @typedef {import('../lib/packages.mjs').Package} Package */

/**
 * Packs packages as `pnpm publish` would: workspace versions and publishConfig
 * applied.
 *
 * @param {readonly Package[]} packages
 * @param {string} folder where the tarballs go
 * @param {import('../lib/run.mjs').Runner} runner
 */
export function packPackages(packages, folder, runner) {
  const filters = packages.map(({ name }) => `--filter=${name}`)
  const args = ['-y', pnpm, '--recursive', ...filters, 'pack', '--pack-destination', folder]
  return runner.run('npx', args, { cwd: root, env: { CI: 'true' } })
}

/**
 * @param {Package} item
 * @param {string} folder
 */
export function tarballPath(item, folder) {
  const start = `${item.name.replace('@', '').replace('/', '-')}-${item.manifest.version}`
  const name = readdirSync(folder).find((file) => file === `${start}.tgz`)
  if (!name) throw new Error(`no tarball of ${item.name} in ${readdirSync(folder).join(', ')}`)
  return join(folder, name)
}

/**
 * What publint says about the packed files, suggestions included.
 *
 * @param {string} tarball
 * @returns {Promise<string[]>}
 */
export async function lintPacked(tarball) {
  const { messages, pkg } = await publint({
    pack: { tarball: bytes(tarball) },
    strict: true,
  })
  return messages.map(
    (message) => `${message.type}: ${formatMessage(message, pkg, { color: false })}`,
  )
}

/**
 * Whether the packed types are those of the packed code, for `import` from Node
 * and from bundlers. The packages are ES modules only, so that what `require`
 * and the resolution of Node 10 would find is left aside.
 *
 * @param {string} tarball
 * @returns {Promise<string[]>}
 */
export async function checkPackedTypes(tarball) {
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes(tarball))))
  if (!analysis.types) return ['the package has no types']
  return analysis.problems
    .filter((problem) =>
      /** @type {const} */ (['node16-esm', 'bundler']).some((kind) =>
        problemAffectsResolutionKind(problem, kind, analysis),
      ),
    )
    .map(({ kind, ...facts }) => `${kind}: ${JSON.stringify(facts, withoutTrace)}`)
}

/** @param {string} name @param {unknown} value */
const withoutTrace = (name, value) => (name === 'trace' ? undefined : value)

/** @param {string} path */
function bytes(path) {
  const { buffer, byteOffset, byteLength } = readFileSync(path)
  return /** @type {ArrayBuffer} */ (buffer).slice(byteOffset, byteOffset + byteLength)
}
