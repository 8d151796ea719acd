/**
 * Installs what a command needs. It uses only Node, npm and git, because it runs before
 * anything is installed.
 *
 *     node packages/workspace/install.mjs [folder with a lockfile of its own ...]
 *
 * The workspace has one lockfile. Folders with a `pnpm-workspace.yaml` of their own are projects
 * apart: heavy tools and frameworks that most commands do not need.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isMain, pnpm, root } from './lib/root.mjs'
import { run, runMain } from './lib/run.mjs'

/** Filter of pnpm for the sample shop and the packages that it uses. */
export const sampleShop = '@servicekit/example-vite-react...'

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

/** Returns the folders with a lockfile of their own, relative to the repository. */
export const separateProjects = () =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*/pnpm-workspace.yaml'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(Boolean)
    .map((file) => dirname(file))

/**
 * Installs the workspace, or the packages that a filter of pnpm selects, if its lockfile has
 * changed since.
 *
 * @param {string} [filter]
 * @returns {Promise<boolean>} false if it failed, after printing why
 */
export async function ensureInstalled(filter) {
  const problem = nodeProblem(process.versions.node)
  if (problem) {
    console.error(problem)
    return false
  }
  if (isInstalled(root, filter)) return true
  console.log('Installing dependencies ...')
  return install(root, filter)
}

/**
 * Installs projects with a lockfile of their own.
 *
 * @param {readonly string[]} folders relative to the repository
 * @returns {Promise<boolean>} false if one failed, after printing why
 */
export async function installProjects(folders) {
  for (const folder of folders) {
    if (isInstalled(join(root, folder))) continue
    console.log(`Installing ${folder} ...`)
    if (!(await install(join(root, folder)))) return false
  }
  return true
}

/**
 * pnpm keeps a copy of the lockfile that it installed, and lists the packages of the workspace
 * that it installed for.
 *
 * @param {string} folder
 * @param {string} [filter]
 */
function isInstalled(folder, filter) {
  const [wanted, installed] = ['pnpm-lock.yaml', 'node_modules/.pnpm/lock.yaml'].map((name) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : name,
  )
  if (wanted !== installed) return false
  // A filtered installation leaves out the tools of the repository.
  return folder !== root || filter !== undefined || existsSync(join(root, 'node_modules/vitest'))
}

/** @param {string} folder @param {string} [filter] */
async function install(folder, filter) {
  const selected = filter === undefined ? [] : ['--filter', filter]
  const args = ['-y', pnpm, 'install', '--frozen-lockfile', '--prefer-offline', ...selected]
  // CI=true keeps pnpm from prompting.
  const { code } = await run('npx', args, { cwd: folder, env: { CI: 'true' }, stream: true })
  if (code !== 0) console.error('Cannot install the dependencies, see above.')
  return code === 0
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    const folders = process.argv.slice(2).map((folder) => folder.replace(/\/$/, ''))
    const known = separateProjects()
    const unknown = folders.find((folder) => !known.includes(folder))
    if (unknown !== undefined) {
      console.error(`${unknown} has no lockfile of its own. Use one of ${known.join(', ')}.`)
      return 2
    }
    return (await ensureInstalled()) && (await installProjects(folders)) ? 0 : 1
  })
}
