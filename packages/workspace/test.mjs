/**
 * Installs, builds and tests. It needs only Node and npm.
 *
 *     npm test -- [filter ...]            lint, types, and the tests that are quick
 *     npm run test:all -- [filter ...]    everything that CI runs
 *     npm run test:deep -- filter ...     the large versions of tests
 *
 * filter    part of the path of a test file; then only these tests run
 * --update  writes snapshots
 */
import { fileURLToPath } from 'node:url'
import { ensureBrowser } from '../testing/src/find-browser.mjs'
import { buildPackages } from './build.mjs'
import { ensureInstalled, installProjects, separateProjects } from './install.mjs'
import { root, toolScript } from './lib/root.mjs'
import { runMain, runNode } from './lib/run.mjs'

/** Projects of vitest.config.ts by tier. `rest` is what `all` adds to `quick`. */
const tiers = {
  quick: ['unit', 'isolated'],
  rest: ['slow', 'postgres'],
  all: ['unit', 'isolated', 'slow', 'postgres'],
  deep: ['deep'],
}

/** Commands of `npm test` that run before the tests, unless a filter names tests. */
const linters = /** @type {const} */ ([
  ['oxlint', '-c', 'oxlint.config.mjs', '--deny-warnings'],
  ['oxfmt', '--check'],
  ['knip', '--no-progress', '--no-config-hints'],
])

/** Programs of TypeScript; those of `rest` need what is installed for it. */
const programs = {
  quick: [
    '.',
    'packages/catalog/declarations',
    'packages/check/runtime',
    'packages/unplugin',
    'packages/unplugin/runtime',
    'packages/console',
  ],
  rest: [
    'docs',
    'packages/bench',
    'packages/codegen/test/graphql-codegen',
    'packages/server/test/container',
  ],
}

/** @param {keyof typeof tiers} tier @param {readonly string[]} args */
async function test(tier, args) {
  const hasFilter = args.some((arg) => !arg.startsWith('-'))
  const isQuick = tier === 'quick'
  const projects = isQuick ? [] : separateProjects()
  const isReady =
    (await ensureInstalled()) &&
    (await installProjects(projects)) &&
    (await buildPackages({ declarations: !isQuick })) &&
    (hasFilter || (await check(tier)))
  if (!isReady) {
    console.log('0 passed, 1 failed, 0 skipped')
    return 1
  }
  // Without a browser, its tests are skipped; with CI=true they fail.
  const { output } = await ensureBrowser()
  if (output) console.log(output.trimEnd())
  const reporter = fileURLToPath(new URL('vitest/count-reporter.mjs', import.meta.url))
  const { code } = await runNode(
    [
      toolScript('vitest'),
      'run',
      '--reporter=default',
      `--reporter=${reporter}`,
      ...tiers[tier].map((name) => `--project=${name}`),
      ...args,
    ],
    { cwd: root, stream: true },
  )
  return code
}

/** Runs the linters and the type checks of a tier; prints the output of those that fail. */
async function check(/** @type {keyof typeof tiers} */ tier) {
  const isQuick = tier === 'quick' || tier === 'all'
  const isRest = tier === 'rest' || tier === 'all'
  const lint = (isQuick ? linters : []).map(([tool, ...args]) => ({
    name: tool,
    args: [toolScript(tool), ...args],
  }))
  const compiler = toolScript('typescript-7', { command: 'tsc' })
  const types = [...(isQuick ? programs.quick : []), ...(isRest ? programs.rest : [])].map(
    (project) => ({ name: `types of ${project}`, args: [compiler, '-p', project] }),
  )
  let isPassed = true
  const runAll = async (/** @type {{ name: string, args: string[] }[]} */ commands) => {
    for (const { name, args } of commands) {
      const start = performance.now()
      const { code, output } = await runNode(args, { cwd: root })
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      console.log(code === 0 ? `✓ ${name} ${seconds} s` : `✗ ${name}\n${output}`)
      isPassed &&= code === 0
    }
  }
  // Most linters use one processor.
  await Promise.all([runAll(lint), runAll(types)])
  return isPassed
}

await runMain(async () => {
  const [tier = '', ...args] = process.argv.slice(2)
  if (!(tier in tiers)) {
    console.error(`Unknown tier "${tier}". Use ${Object.keys(tiers).join(', ')}.`)
    return 2
  }
  if (tier === 'deep' && args.length === 0) {
    console.error('Name a part of the path of a test file: the large versions take minutes each.')
    return 2
  }
  return test(/** @type {keyof typeof tiers} */ (tier), args)
})
