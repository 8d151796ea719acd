import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasSources, readPackages } from '../lib/packages.mjs'
import { readJson } from '../lib/root.mjs'
import { endedWell, failed, findNone, passed } from '../lib/tasks.mjs'
import { compareApi } from './api.mjs'
import {
  checkInstalledTypes,
  importEntries,
  installConsumer,
  installedEntries,
} from './consumer.mjs'
import { checkPackedTypes, lintPacked, packPackages, tarballPath } from './packed.mjs'

/**
 * @typedef {import('../lib/run.mjs').Runner} Runner
 * @typedef {import('../lib/tasks.mjs').Task} Task
 */

/** The newer Node that the packed packages are imported on, beside the current one. */
const newerNode = 'node@24'

/**
 * The checks of what users will get: the built packages, as they are packed, and
 * installed by npm.
 *
 * @param {Runner} runner
 * @param {{ temporary: string, update: boolean, newer: boolean }} options `temporary` is an empty folder; `newer` imports on a newer Node too
 * @returns {Task[]} which wait for the tasks `build <folder>`
 */
export function builtTasks(runner, { temporary, update, newer }) {
  const packages = readPackages().filter((item) => item.isPublic && hasSources(item))
  const builds = packages.map(({ folder }) => `build ${folder}`)
  const packed = join(temporary, 'packed')
  const consumer = join(temporary, 'consumer')
  /** @param {string} name @param {Runner['node']} node @returns {Task} */
  const importsOn = (name, node) => ({
    name: `import packed on ${name}`,
    after: ['install packed'],
    run: async () => {
      const entries = installedEntries(consumer, packages)
      return endedWell(await importEntries(consumer, entries, node))
    },
  })
  return [
    ...packages.map((item) => ({
      name: `api ${item.folder}`,
      after: [`build ${item.folder}`],
      run: async () => findNone(compareApi(item, { update })),
    })),
    {
      name: 'pack',
      afterEnd: builds,
      prepares: true,
      run: async (hasPassed) => {
        mkdirSync(packed, { recursive: true })
        const built = packages.filter(({ folder }) => hasPassed(`build ${folder}`))
        return endedWell(await packPackages(built, packed, runner))
      },
    },
    {
      name: 'install packed',
      after: [...builds, 'pack'],
      run: async () => {
        const tarballs = packages.map((item) => tarballPath(item, packed))
        return endedWell(await installConsumer(consumer, tarballs, runner))
      },
    },
    ...packages.flatMap((item) => [
      {
        name: `publint ${item.folder}`,
        after: [`build ${item.folder}`, 'pack'],
        run: async () => findNone(await lintPacked(tarballPath(item, packed))),
      },
      {
        name: `attw ${item.folder}`,
        after: [`build ${item.folder}`, 'pack'],
        run: async () => findNone(await checkPackedTypes(tarballPath(item, packed))),
      },
    ]),
    importsOn(`Node ${process.versions.node}`, runner.node),
    ...(newer
      ? [importsOn(newerNode, (args, run) => runner.run('npx', ['-y', newerNode, ...args], run))]
      : []),
    {
      name: 'types of packed',
      after: ['install packed'],
      run: async () => {
        const entries = installedEntries(consumer, packages)
        return findNone(checkInstalledTypes(consumer, entries, packages))
      },
    },
    ...(packages.some(({ folder }) => folder === 'cli')
      ? [{ name: 'servicekit --help', after: ['install packed'], run: showHelp }]
      : []),
  ]

  async function showHelp() {
    const folder = join(consumer, 'node_modules', 'servicekit')
    const script = join(folder, readJson(join(folder, 'package.json')).bin.servicekit)
    const result = await runner.node([script, '--help'], { cwd: consumer })
    if (result.code !== 0) return endedWell(result)
    if (!/servicekit/.test(result.output)) return failed(`it printed:\n${result.output}`)
    const sample = join(folder, 'dist', 'sample', 'project.json')
    return existsSync(sample) ? passed() : failed(`dev --sample finds no ${sample}`)
  }
}
