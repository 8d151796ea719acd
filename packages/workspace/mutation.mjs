/**
 * Changes the code that others rely on, one place at a time, and counts the changes that its tests
 * do not notice (mutation testing).
 *
 *     npm run test:mutation [-- TARGET …]
 *
 * The exit code is 1 if a target scores less than its minimum, or if a survivor is not explained in
 * `mutation-survivors.json`. Stryker is installed on the first run, into a cache folder: its 65 MB
 * would otherwise be installed for every test.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { mutationTargets } from './mutation-targets.mjs'
import { compareSurvivors, survivorsOf } from './lib/survivors.mjs'
import { withPostgres } from './vitest/with-postgres.mjs'

const minimum = 85
// The newest versions for Node 20.
const versions = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/vitest-runner@9.6.1']

const root = join(import.meta.dirname, '../..')
// Vitest is found above this folder.
const cache = join(import.meta.dirname, 'node_modules/.cache/stryker')
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(mutationTargets, name))
if (unknown.length > 0) {
  const known = Object.keys(mutationTargets).join(', ')
  console.error(`There is no target ${unknown.join(', ')}. Targets: ${known}.`)
  process.exit(2)
}
install()

process.env['SERVICEKIT_TEST_ENGINE'] = 'PostgreSQL'
const rows = await withPostgres(async () => {
  const done = []
  for (const [name, target] of Object.entries(mutationTargets)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    done.push({ name, ...(await run(name, target)) })
  }
  return done
})
/** @type {import('./lib/survivors.mjs').ExplainedSurvivors} */
const explained = JSON.parse(
  readFileSync(join(import.meta.dirname, 'mutation-survivors.json'), 'utf8'),
)
let isExplained = true
for (const { name, survivors } of rows) {
  const { unexplained, stale } = compareSurvivors(survivors, explained[name] ?? [])
  for (const one of unexplained) console.error(`✗ ${name}, not explained: ${JSON.stringify(one)}`)
  for (const one of stale) console.error(`✗ ${name}, no longer survives: ${JSON.stringify(one)}`)
  isExplained &&= unexplained.length + stale.length === 0
}
console.log('\n| target | mutants | noticed | score |\n| --- | --- | --- | --- |')
for (const { name, total, noticed, score } of rows) {
  console.log(`| ${name} | ${total} | ${noticed} | ${score.toFixed(1)} % |`)
}
process.exitCode = isExplained && rows.every(({ score }) => score >= minimum) ? 0 : 1

function install() {
  if (existsSync(join(cache, 'node_modules/@stryker-mutator/vitest-runner'))) return
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{ "private": true }\n')
  // Without peers, so that the runner uses the Vitest of this project.
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps']
  execFileSync('npm', ['install', ...options, ...versions], { cwd: cache, stdio: 'inherit' })
}

/** @param {string} name @param {import('./mutation-targets.mjs').MutationTarget} target */
async function run(name, { folder, mutate, tests }) {
  // Tests find other files of the repository by their relative paths.
  const mirror = join(root, folder, 'node_modules/.cache/mutation')
  mirrorRepository(mirror)
  const config = join(cache, `${name}.vitest.config.mjs`)
  const report = join(cache, `${name}.json`)
  writeFileSync(config, vitestConfig(tests))
  const options = {
    testRunner: 'vitest',
    plugins: [createRequire(join(cache, 'package.json')).resolve('@stryker-mutator/vitest-runner')],
    vitest: { configFile: config, related: false },
    mutate,
    coverageAnalysis: 'perTest',
    // Tests of code that runs on import load the module again, each in a process of its own.
    ignoreStatic: false,
    concurrency: 2,
    timeoutMS: 10_000,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    tempDirName: join(mirror, 'packages'),
    allowConsoleColors: false,
    // Vitest removes the types without checking them.
    disableTypeChecks: false,
    ignorePatterns: ['dist', '.servicekit'],
  }
  const file = join(cache, `${name}.config.json`)
  writeFileSync(file, JSON.stringify(options))
  const stryker = join(cache, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  console.log(`\n# ${name}`)
  rmSync(report, { force: true })
  const child = spawn(process.execPath, [stryker, 'run', file], {
    cwd: join(root, folder),
    stdio: 'inherit',
  })
  await once(child, 'close')
  if (!existsSync(report)) throw new Error(`Stryker could not run the tests of ${name}.`)
  const { files, testFiles } = JSON.parse(readFileSync(report, 'utf8'))
  // Stryker ignores a file that cannot be loaded.
  const unused = tests.filter((file) => !Object.hasOwn(testFiles, file))
  if (unused.length > 0) throw new Error(`No test ran in ${unused.join(', ')} of ${name}.`)
  return { ...scoreOf({ files }), survivors: survivorsOf(files) }
}

/**
 * Fills a folder with links to everything in the repository, in the same structure.
 *
 * @param {string} folder
 */
function mirrorRepository(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'packages'), { recursive: true })
  for (const parent of ['.', 'packages']) {
    for (const name of readdirSync(join(root, parent))) {
      if (/^(?:packages|node_modules|\.git)$/.test(name)) continue
      symlinkSync(join(root, parent, name), join(folder, parent, name))
    }
  }
}

/** @param {readonly string[]} tests */
function vitestConfig(tests) {
  return `const conditions = ['source', 'node', 'development|production']
export default {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['source'] } },
  test: { include: ${JSON.stringify(tests)}, restoreMocks: true, unstubEnvs: true, unstubGlobals: true },
}
`
}

/** @param {{ files: Record<string, { mutants: { status: string }[] }> }} report */
function scoreOf({ files }) {
  const states = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const count = (/** @type {string[]} */ ...given) =>
    states.filter((status) => given.includes(status)).length
  const noticed = count('Killed', 'Timeout')
  const total = noticed + count('Survived', 'NoCoverage')
  return { noticed, total, score: total === 0 ? 0 : (100 * noticed) / total }
}
