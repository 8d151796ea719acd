/**
 * Builds every package with tsdown, each after those that it imports, and leaves
 * out those whose inputs did not change. With a folder's name only that package
 * and those that it imports.
 *
 *     node packages/workspace/build.mjs [--force] [--no-install] [folder]
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { withLock } from './lib/lock.mjs'
import { isMain } from './lib/main.mjs'
import { buildsAfter, hasSources, readPackages } from './lib/packages.mjs'
import { cacheFolder, hash, listFiles, root, toolScript } from './lib/root.mjs'
import { runMain } from './lib/run.mjs'
import { countResults, failed, passed, printResult, runTasks } from './lib/tasks.mjs'

/** @typedef {import('./lib/packages.mjs').Package} Package */

const notInputs = new Set([
  'node_modules',
  'dist',
  'test',
  'fixtures',
  '__snapshots__',
  '.servicekit',
])

/** @param {string} name */
const isNoInput = (name) =>
  notInputs.has(name) || /\.(test|test-d|bench)\.|\.md$|^api\.snapshot/.test(name)

/** @param {Package} item */
const isBuilt = (item) => item.isPublic || Boolean(item.manifest.scripts?.build)

/**
 * The packages that are built, each after those it imports, as tasks named
 * `build <folder>`. A package in which nothing is written yet has none.
 *
 * @param {import('./lib/run.mjs').Runner} runner
 * @param {{ force?: boolean, folder?: string | undefined }} [options]
 * @returns {import('./lib/tasks.mjs').Task[]}
 */
export function buildTasks(runner, { folder: only, ...options } = {}) {
  const packages = readPackages().filter((item) => isBuilt(item) && hasSources(item))
  const wanted = packages.filter(({ folder }) => only === undefined || folder === only)
  return inBuildOrder(wanted, packages).map((item) => ({
    name: `build ${item.folder}`,
    after: buildsAfter(item, packages).map(({ folder }) => `build ${folder}`),
    prepares: true,
    run: () =>
      withLock(`build-${item.folder}`, () => buildPackage(item, packages, runner, options)),
  }))
}

/**
 * @param {readonly Package[]} wanted
 * @param {readonly Package[]} packages
 * @returns {Package[]}
 */
function inBuildOrder(wanted, packages) {
  /** @type {Set<Package>} */
  const ordered = new Set()
  /** @param {Package} item */
  const add = (item) => {
    for (const earlier of buildsAfter(item, packages)) add(earlier)
    ordered.add(item)
  }
  for (const item of wanted) add(item)
  return [...ordered]
}

/**
 * @param {Package} item
 * @param {readonly Package[]} packages
 * @param {import('./lib/run.mjs').Runner} runner
 * @param {{ force?: boolean }} options
 */
async function buildPackage(item, packages, runner, { force = false }) {
  const stampPath = join(cacheFolder, `build-${item.folder}`)
  const inputs = inputsHash(item, packages)
  if (!force && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp(item, inputs)) {
    return passed('unchanged')
  }
  rmSync(stampPath, { force: true })
  const command = item.manifest.scripts?.build
    ? runner.run('npm', ['run', '--silent', 'build'], { cwd: item.path })
    : runner.node([toolScript('tsdown'), '--logLevel', 'warn'], { cwd: item.path })
  const { code, output } = await command
  if (code !== 0) return failed(output)
  mkdirSync(cacheFolder, { recursive: true })
  writeFileSync(stampPath, stamp(item, inputs))
  return passed()
}

/**
 * A hash of all that a package's build reads. The packages below are part of it,
 * since their types end up in its declarations.
 *
 * @param {Package} item
 * @param {readonly Package[]} packages
 * @returns {string}
 */
function inputsHash(item, packages) {
  const own = listFiles(item.path, isNoInput).flatMap((file) => [
    file,
    readFileSync(join(item.path, file)),
  ])
  const shared = ['tsconfig.base.json', 'pnpm-lock.yaml'].map((name) =>
    readFileSync(join(root, name)),
  )
  const lower = buildsAfter(item, packages).map((other) => inputsHash(other, packages))
  return hash([...own, ...shared, ...lower, process.versions.node])
}

/**
 * What was built and from what. Sizes and times of the output tell whether
 * something else has written to it since.
 *
 * @param {Package} item
 * @param {string} inputs
 */
function stamp(item, inputs) {
  const outputs = listFiles(join(item.path, 'dist')).map((file) => {
    const { size, mtimeMs } = statSync(join(item.path, 'dist', file))
    return `${file} ${size} ${mtimeMs}`
  })
  return [inputs, ...outputs].join('\n')
}

if (isMain(import.meta.url)) {
  await runMain(async (runner) => {
    const args = process.argv.slice(2)
    if (!args.includes('--no-install') && !(await ensureInstalled(runner))) return 1
    const folder = args.find((arg) => !arg.startsWith('--'))
    const tasks = buildTasks(runner, { force: args.includes('--force'), folder })
    if (tasks.length === 0) throw new Error(`there is no package ${folder} to build`)
    const results = await runTasks(tasks, availableParallelism(), printResult)
    return countResults(results).failed === 0 ? 0 : 1
  })
}
