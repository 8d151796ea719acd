import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasSources, readApps, readPackages } from '../lib/packages.mjs'
import { cacheFolder, listFiles, readJson, root, toolScript } from '../lib/root.mjs'
import { endedWell, failed, findNone } from '../lib/tasks.mjs'
import { findForbiddenDependencies, findForbiddenImports } from './imports.mjs'
import { libraryProblems } from './libraries.mjs'
import { manifestProblems } from './manifests.mjs'
import { findNames, forbiddenNames } from './names.mjs'

/**
 * @typedef {import('../lib/run.mjs').Runner} Runner
 * @typedef {import('../lib/tasks.mjs').Task} Task
 */

/**
 * The checks that read sources and need no build.
 *
 * @param {Runner} runner
 * @returns {Task[]}
 */
export function staticTasks(runner) {
  const packages = readPackages()
  /** @param {string} name @param {readonly string[]} args */
  const tool = (name, ...args) => ({
    name,
    run: async () => endedWell(await runner.node([toolScript(name), ...args], { cwd: root })),
  })
  return [
    ...typeTasks(runner),
    tool('knip', '--no-progress', '--no-config-hints', ...unstarted(packages)),
    tool('oxlint', '--deny-warnings', '--report-unused-disable-directives'),
    tool('oxfmt', '--check'),
    {
      name: 'order of imports',
      run: async () => findNone(packages.flatMap((item) => orderProblems(item, packages))),
    },
    {
      name: 'manifests',
      run: async () => {
        const rootManifest = readJson(join(root, 'package.json'))
        const open = packages.filter(({ isPublic }) => isPublic)
        return findNone(open.flatMap(({ manifest }) => manifestProblems(manifest, rootManifest)))
      },
    },
    {
      name: 'libraries',
      run: async () => {
        const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
        const all = [...packages, ...readApps()].map(({ manifest }) => manifest)
        return findNone(libraryProblems(text, [readJson(join(root, 'package.json')), ...all]))
      },
    },
    { name: 'names of machines and registries', run: () => nameProblems(runner) },
  ]
}

/**
 * Leaves out packages in which nothing is written yet: all of their dependencies
 * would be called unused.
 *
 * @param {ReturnType<typeof readPackages>} packages
 */
const unstarted = (packages) =>
  packages
    .filter((item) => item.folder !== 'workspace' && !hasSources(item))
    .flatMap(({ folder }) => ['--workspace', `!packages/${folder}`])

/**
 * One task for each TypeScript project, against the built declarations of the
 * other packages: to check their sources again in each takes twice the time. The
 * sample applications import files that are generated, so that their types are
 * their tests' matter.
 *
 * @param {Runner} runner
 * @returns {Task[]}
 */
function typeTasks(runner) {
  const packages = readPackages()
  /** @param {Record<string, any>} manifest */
  const builds = ({ dependencies, devDependencies, peerDependencies }) => {
    const declared = { ...dependencies, ...devDependencies, ...peerDependencies }
    return packages
      .filter((item) => item.isPublic && item.name in declared && hasSources(item))
      .map(({ folder }) => `build ${folder}`)
  }
  const projects = [
    { name: 'root', folder: '.', after: [] },
    ...packages.map(({ folder, manifest }) => ({
      name: folder,
      folder: `packages/${folder}`,
      after: builds(manifest),
    })),
  ]
  return projects
    .filter(({ folder }) => hasProject(folder))
    .map(({ name, folder, after }) => {
      const remembered = join(cacheFolder, 'tsc', `${name}.json`)
      const args = ['-p', folder, '--incremental', '--tsBuildInfoFile', remembered]
      // Any name but `source`, which leads to the sources.
      const built = ['--customConditions', 'built']
      return {
        name: `tsc ${name}`,
        after,
        run: async () =>
          endedWell(
            await runner.node([toolScript('typescript', 'tsc'), ...args, ...built], { cwd: root }),
          ),
      }
    })
}

/** @param {string} folder */
const hasProject = (folder) =>
  existsSync(join(root, folder, 'tsconfig.json')) &&
  (folder === '.' ||
    listFiles(join(root, folder), (name) => ['node_modules', 'dist'].includes(name)).some(
      (file) => /\.(m?ts|tsx|mjs)$/.test(file) && file !== 'tsdown.config.ts',
    ))

/**
 * @param {import('../lib/packages.mjs').Package} item
 * @param {readonly import('../lib/packages.mjs').Package[]} packages
 */
function orderProblems(item, packages) {
  const files = listFiles(join(item.path, 'src'))
    .filter((file) => /\.[mc]?tsx?$/.test(file))
    .map((file) => ({
      path: `src/${file}`,
      text: readFileSync(join(item.path, 'src', file), 'utf8'),
    }))
  return [
    ...findForbiddenDependencies(item, packages),
    ...findForbiddenImports(item, files, packages),
  ]
}

/** @param {Runner} runner */
async function nameProblems(runner) {
  const listed = await runner.run('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
  })
  if (listed.code !== 0) return endedWell(listed)
  const registry = await runner.run('npm', ['config', 'get', 'registry'], { cwd: root })
  if (registry.code !== 0) return endedWell(registry)
  const files = listed.output
    .split('\0')
    .filter((path) => path && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'))
  // npm's own warnings stand around it.
  const url = registry.output.split('\n').find((line) => /^https?:/.test(line))
  if (!url) return failed(`npm names no registry:\n${registry.output}`)
  return findNone(findNames(files, forbiddenNames({ root, registry: url })))
}
