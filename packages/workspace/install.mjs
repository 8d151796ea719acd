/**
 * Installs the repository's dependencies when they are not up to date. It needs
 * Node and npm alone, since it runs before anything is installed.
 *
 *     node packages/workspace/install.mjs
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withLock } from './lib/lock.mjs'
import { isMain } from './lib/main.mjs'
import { readApps, readPackages } from './lib/packages.mjs'
import { cacheFolder, hash, pnpm, readJson, root } from './lib/root.mjs'
import { runMain } from './lib/run.mjs'

const stampPath = join(cacheFolder, 'install')

/**
 * What is wrong with a Node version, as a sentence; undefined when it will do.
 *
 * @param {string} version as `20.19.0`
 * @returns {string | undefined}
 */
export function nodeProblem(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const fits = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22
  if (fits) return undefined
  return `Node ${version} is too old or was never a long-term release: use 20.19 or later within 20, or 22.12 or later.`
}

/** Everything that decides what node_modules must hold, as one hash. */
function wantedState() {
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((name) =>
    readFileSync(join(root, name), 'utf8'),
  )
  const declared = JSON.stringify(manifests().map(({ wants }) => wants))
  const node = `${process.platform} ${process.arch} ${process.versions.modules}`
  return hash([...files, declared, node])
}

/** @returns {{ path: string, wants: Record<string, string> }[]} */
function manifests() {
  const own = { path: root, manifest: readJson(join(root, 'package.json')) }
  return [own, ...readPackages(), ...readApps()].map(({ path, manifest }) => ({
    path,
    wants: { ...manifest.dependencies, ...manifest.devDependencies },
  }))
}

/** Whether the last install fits the lock file and its links are still there. */
export function isInstalled() {
  if (!existsSync(stampPath) || readFileSync(stampPath, 'utf8') !== wantedState()) return false
  return manifests().every(({ path, wants }) =>
    Object.keys(wants).every((name) => existsSync(join(path, 'node_modules', name))),
  )
}

/**
 * Installs what is missing; returns at once when nothing is.
 *
 * @param {import('./lib/run.mjs').Runner} runner
 * @returns {Promise<boolean>} false when it failed, after saying why
 */
export async function ensureInstalled(runner) {
  const problem = nodeProblem(process.versions.node)
  if (problem) {
    console.error(problem)
    return false
  }
  if (isInstalled()) return true
  return withLock('install', async () => {
    if (isInstalled()) return true
    console.log('Installing dependencies ...')
    const start = performance.now()
    // CI=true keeps pnpm from asking questions.
    const { code } = await runner.run('npx', ['-y', pnpm, 'install', '--frozen-lockfile'], {
      cwd: root,
      env: { CI: 'true' },
      stream: true,
    })
    if (code !== 0) {
      console.error('The dependencies could not be installed; the lines above say why.')
      return false
    }
    mkdirSync(dirname(stampPath), { recursive: true })
    writeFileSync(stampPath, wantedState())
    console.log(`Installed in ${((performance.now() - start) / 1000).toFixed(1)} s.`)
    return true
  })
}

if (isMain(import.meta.url)) {
  await runMain(async (runner) => ((await ensureInstalled(runner)) ? 0 : 1))
}
