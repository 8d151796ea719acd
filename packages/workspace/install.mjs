/**
 * Installs the dependencies of the repository if they are out of date. It uses only Node
 * and npm, because it runs before anything is installed.
 *
 *     node packages/workspace/install.mjs
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readApps, readPackages } from './lib/packages.mjs'
import { isMain, pnpm, root } from './lib/root.mjs'
import { run, runMain } from './lib/run.mjs'

/**
 * Returns the problem with a Node version; undefined if it is supported.
 *
 * @param {string} version as `20.19.0`
 * @returns {string | undefined}
 */
export function nodeProblem(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22
  return isSupported
    ? undefined
    : `Node ${version} is not supported. Use 20.19 or later, or 22.12 or later.`
}

/** pnpm keeps a copy of the lockfile that it installed. */
function isInstalled() {
  const [wanted, installed] = ['pnpm-lock.yaml', 'node_modules/.pnpm/lock.yaml'].map((name) =>
    existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : name,
  )
  return (
    wanted === installed &&
    [...readPackages(), ...readApps()].every(({ path, manifest }) =>
      Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).every((name) =>
        existsSync(join(path, 'node_modules', name)),
      ),
    )
  )
}

/**
 * Installs the dependencies if they are out of date.
 *
 * @returns {Promise<boolean>} false if it failed, after printing why
 */
export async function ensureInstalled() {
  const problem = nodeProblem(process.versions.node)
  if (problem) {
    console.error(problem)
    return false
  }
  if (isInstalled()) return true
  console.log('Installing dependencies ...')
  // CI=true keeps pnpm from prompting.
  const { code } = await run('npx', ['-y', pnpm, 'install', '--frozen-lockfile'], {
    cwd: root,
    env: { CI: 'true' },
    stream: true,
  })
  if (code !== 0) console.error('Cannot install the dependencies, see above.')
  return code === 0
}

if (isMain(import.meta.url)) await runMain(async () => ((await ensureInstalled()) ? 0 : 1))
