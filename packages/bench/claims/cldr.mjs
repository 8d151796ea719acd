import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openProject } from '@servicekit/catalog'
import { startPlatform } from '@servicekit/platform/node'
import { runContender } from '../lib/run-contender.mjs'

/**
 * Real translations at scale: 100 languages x 5 modules of CLDR, pulled over HTTP from a local
 * platform, compiled, and built into an application that shows all 1,700 messages on five
 * pages. No other tool does all of this, so the peer is a floor: reading and parsing the
 * same files. Time and peak memory are those of a separate process, without the platform's.
 */
const make = fileURLToPath(new URL('../../../fixtures/projects/cldr/make.mjs', import.meta.url))
const floor = { peer: 'parse', peerName: 'JSON.parse of all files' }
const seconds = { figure: 'seconds', unit: 's', ...floor }
const memory = { figure: 'peakMb', unit: 'MiB', ...floor }

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'pull, compilation and build of CLDR: 100 languages x 5 modules',
  claims: [
    { claim: 'cldr-pull', ours: 'pull', ...seconds, goal: { maxRatio: 12 } },
    { claim: 'cldr-pull-memory', ours: 'pull', ...memory, goal: { max: 150 } },
    { claim: 'cldr-pull-again', ours: 'pull again', ...seconds, goal: { maxRatio: 5 } },
    { claim: 'cldr-compile', ours: 'compile', ...seconds, goal: { maxRatio: 2.5 } },
    { claim: 'cldr-compile-memory', ours: 'compile', ...memory, goal: { max: 150 } },
    { claim: 'cldr-build', ours: 'build', ...seconds, goal: { maxRatio: 12 } },
    { claim: 'cldr-build-memory', ours: 'build', ...memory, goal: { max: 400 } },
  ],
  async prepare({ folder, progress, onEnd }) {
    const project = folder()
    progress('generating the project')
    execFileSync(process.execPath, [make, '--languages', '100', '--out', project], {
      stdio: 'ignore',
    })
    progress('starting the platform')
    const platform = await startPlatform({ projectDir: project })
    onEnd(platform.close)
    const [projectKey = ''] = platform.projectKeys
    const service = { baseUrl: platform.baseUrl, projectKey }

    // Snapshot that compile and build read.
    const root = folder()
    await openProject({ root, ...service }, { environment: {} }).pull()
    writePages(root, join(project, 'uilm', 'en'))

    /** @param {string} contender @param {object} input */
    const sample = async (contender, input) => {
      const { seconds, peakMb } = await runContender(contender, input)
      return { seconds, peakMb }
    }
    const pull = (/** @type {boolean} */ again) =>
      sample('servicekit-pull', { root: folder(), ...service, again })
    return {
      parse: () => sample('parse-json', { folder: join(project, 'uilm') }),
      pull: () => pull(false),
      'pull again': () => pull(true),
      compile: () => sample('servicekit-compile', { root, outDir: folder() }),
      build: () => sample('servicekit-build', { root }),
    }
  },
}

/**
 * Writes one page per module, loaded on demand, that shows all messages of the module.
 *
 * @param {string} root
 * @param {string} translations folder with the files of one language
 */
function writePages(root, translations) {
  mkdirSync(join(root, 'src'))
  const modules = readdirSync(translations).map((file) => file.replace(/\.json$/, ''))
  const pages = modules.map((module) => `  ${module}: () => import('./${module}.js'),\n`)
  writeFileSync(
    join(root, 'src', 'main.js'),
    `const pages = {\n${pages.join('')}}\nconsole.log((await pages[globalThis.page]()).render())\n`,
  )
  for (const module of modules) {
    const keys = Object.keys(JSON.parse(readFileSync(join(translations, `${module}.json`), 'utf8')))
    // Any key can be imported by its exact name.
    const imported = keys.map((key, index) => `${JSON.stringify(key)} as m${index}`)
    const shown = keys.map((_, index) => `m${index}({ 0: 'a', 1: 'b' })`)
    writeFileSync(
      join(root, 'src', `${module}.js`),
      `import { ${imported.join(', ')} } from '~uilm/${module}'\n` +
        `export const render = () => [${shown.join(', ')}]\n`,
    )
  }
}
