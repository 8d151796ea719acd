/**
 * Builds the packages that changed since their last build: all, or those in the named
 * folders with their dependencies.
 *
 *     node packages/workspace/build.mjs [--force] [client …]
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { readPackages } from './lib/packages.mjs'
import { cacheFolder, hash, isMain, root, toolScript } from './lib/root.mjs'
import { run, runMain, runNode } from './lib/run.mjs'

/** @typedef {import('./lib/packages.mjs').Package} Package */

/**
 * Packages in build order: each after its imports. .oxlintrc.json enforces the same order.
 * `core` and `console` are not published; the builds of others copy them.
 */
const order = [
  'core',
  'contract',
  'client',
  'catalog',
  'check',
  'unplugin',
  'codegen',
  'console',
  'platform',
  'server',
  'cli',
]

const isInput = (/** @type {string} */ path) =>
  !/^(node_modules|dist|test|\.servicekit|__snapshots__)\b|\.(test|test-d)\.|\.md$|^api\.snapshot/.test(
    path,
  )

/**
 * Builds the packages that changed and prints their names.
 *
 * @param {{ force?: boolean, only?: readonly string[] }} [options] `only`: folders of packages; all by default
 * @returns {Promise<boolean>} false if a build failed, after printing why
 */
export async function buildPackages({ force = false, only = order } = {}) {
  const all = readPackages()
  const unknown = all.find(({ folder, isPublic }) => isPublic && !order.includes(folder))
  if (unknown) throw new Error(`Add ${unknown.folder} to the order in packages/workspace/build.mjs`)
  const wanted = all.filter(({ folder }) => only.includes(folder))
  const packages = [...new Set(wanted.flatMap((item) => withDependencies(item, all)))]
  packages.sort((a, b) => order.indexOf(a.folder) - order.indexOf(b.folder))
  for (const item of packages) {
    const stampPath = join(cacheFolder, `build-${item.folder}`)
    const stamp = () => `${inputsHash(item, all)}\n${outputs(item)}`
    if (!force && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp()) continue
    const start = performance.now()
    const { code, output } = item.manifest.scripts?.build
      ? await run('npm', ['run', '--silent', 'build'], { cwd: item.path })
      : await runNode([toolScript('tsdown'), '--logLevel', 'warn'], { cwd: item.path })
    const problem = code === 0 ? manifestProblem(item) : output
    if (problem) {
      console.error(`✗ build ${item.folder}\n${problem}`)
      return false
    }
    mkdirSync(cacheFolder, { recursive: true })
    writeFileSync(stampPath, stamp())
    console.log(`✓ build ${item.folder} ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
  return true
}

/**
 * Returns a problem if tsdown changed the entries of package.json where nobody would commit
 * the change.
 *
 * @param {Package} item
 */
function manifestProblem({ path, manifest }) {
  const isSame = JSON.stringify(manifest) === JSON.stringify(readManifest(path))
  return isSame || process.env['CI'] !== 'true'
    ? undefined
    : 'The entries in package.json are out of date. Run `npm run build` and commit the result.'
}

/** @param {string} path */
const readManifest = (path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))

/** Private packages that the builds of others copy. */
const copied = ['@servicekit/core', '@servicekit/console']

/**
 * Returns a package and the packages whose code or types end up in its build. Of the
 * devDependencies these are only the private ones; the others are for tests.
 *
 * @param {Package} item
 * @param {readonly Package[]} all
 * @returns {Package[]}
 */
function withDependencies(item, all) {
  const { dependencies, devDependencies = {}, peerDependencies } = readManifest(item.path)
  const names = new Set([
    ...Object.keys({ ...dependencies, ...peerDependencies }),
    ...copied.filter((name) => name in devDependencies),
  ])
  const direct = all.filter(({ name }) => names.has(name))
  return [...new Set([item, ...direct.flatMap((other) => withDependencies(other, all))])]
}

/**
 * Returns a hash of all files that a build reads.
 *
 * @param {Package} item
 * @param {readonly Package[]} all
 */
const inputsHash = (item, all) =>
  hash([
    ...withDependencies(item, all).flatMap(({ path }) =>
      filesBelow(path, isInput).map((file) => readFileSync(join(path, file))),
    ),
    ...['tsconfig.base.json', 'pnpm-lock.yaml'].map((name) => readFileSync(join(root, name))),
    process.versions.node,
  ])

/**
 * Returns sizes and times of the built files, to detect whether anything else wrote them.
 * @param {Package} item
 */
const outputs = ({ path }) =>
  filesBelow(join(path, 'dist'), () => true)
    .map((file) => {
      const { size, mtimeMs } = statSync(join(path, 'dist', file))
      return `${file} ${size} ${mtimeMs}`
    })
    .join('\n')

/**
 * @param {string} folder
 * @param {(path: string) => boolean} isWanted
 * @param {string} [prefix]
 * @returns {string[]}
 */
function filesBelow(folder, isWanted, prefix = '') {
  if (!existsSync(folder)) return []
  return readdirSync(join(folder, prefix), { withFileTypes: true })
    .filter(({ name }) => isWanted(prefix + name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? filesBelow(folder, isWanted, `${prefix}${entry.name}/`)
        : [prefix + entry.name],
    )
    .sort()
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    if (!(await ensureInstalled())) return 1
    const only = process.argv.slice(2).filter((argument) => argument !== '--force')
    const force = process.argv.includes('--force')
    return (await buildPackages({ force, ...(only.length > 0 && { only }) })) ? 0 : 1
  })
}
