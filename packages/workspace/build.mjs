/**
 * Builds the packages whose sources, or those of a package that they use, changed since their
 * last build.
 *
 *     node packages/workspace/build.mjs [--force] [client ...]
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { readPackages } from './lib/packages.mjs'
import { cacheFolder, hash, isMain, root } from './lib/root.mjs'
import { run, runMain } from './lib/run.mjs'

/** @typedef {import('./lib/packages.mjs').Package} Package */

const isInput = (/** @type {string} */ path) =>
  !/^(node_modules|dist|test|\.servicekit|__snapshots__)\b|\.(test|test-d)\.|\.md$|^api\.snapshot/.test(
    path,
  )

/**
 * Builds the packages that changed and prints their names.
 *
 * @param {{ force?: boolean, declarations?: boolean, only?: readonly string[] }} [options]
 *   `only`: folders of packages, all by default; `declarations`: also .d.ts files, which take
 *   most of the time, true by default
 * @returns {Promise<boolean>} false if a build failed, after printing why
 */
export async function buildPackages({ force = false, declarations = true, only } = {}) {
  const all = readPackages()
  const wanted = all.filter(
    ({ folder, manifest }) => only?.includes(folder) ?? manifest.scripts?.build,
  )
  const packages = [...new Set(wanted.flatMap((item) => withDependencies(item, all)))]
  for (const item of packages) {
    const stampPath = join(cacheFolder, `build-${item.folder}`)
    const inputs = inputsHash(withDependencies(item, all))
    const stamp = (/** @type {boolean} */ hasTypes) => `${inputs} ${hasTypes}\n${outputs(item)}`
    const last = !force && existsSync(stampPath) ? readFileSync(stampPath, 'utf8') : ''
    if (last === stamp(true) || (!declarations && last === stamp(false))) continue
    const start = performance.now()
    const flags = declarations ? [] : ['--no-dts']
    const { code, output } = await run('npm', ['run', '--silent', 'build', '--', ...flags], {
      cwd: item.path,
    })
    const problem = code === 0 ? manifestProblem(item) : output
    if (problem) {
      console.error(`✗ build ${item.folder}\n${problem}`)
      return false
    }
    mkdirSync(cacheFolder, { recursive: true })
    writeFileSync(stampPath, stamp(declarations))
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
  const now = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  return JSON.stringify(manifest) === JSON.stringify(now) || process.env['CI'] !== 'true'
    ? undefined
    : 'The entries in package.json are out of date. Run `npm run build` and commit the result.'
}

/**
 * Returns a package after the packages of the repository that it names, each after its own.
 *
 * @param {Package} item
 * @param {readonly Package[]} all
 * @returns {Package[]}
 */
function withDependencies(item, all) {
  const { dependencies, devDependencies } = item.manifest
  const direct = all.filter(({ name }) => name in { ...dependencies, ...devDependencies })
  return [...new Set([...direct.flatMap((other) => withDependencies(other, all)), item])]
}

/**
 * Returns a hash of all files that the build of the last of these packages reads.
 *
 * @param {readonly Package[]} packages
 */
const inputsHash = (packages) =>
  hash([
    ...packages.flatMap(({ path }) =>
      filesBelow(path, isInput).map((file) => readFileSync(join(path, file))),
    ),
    ...['tsconfig.base.json', 'pnpm-lock.yaml'].map((name) => readFileSync(join(root, name))),
    process.versions.node,
  ])

/**
 * Returns sizes and times of the built files, to detect whether anything else wrote them.
 *
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
