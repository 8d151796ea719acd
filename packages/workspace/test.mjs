/**
 * Runs the checks and the tests, after installing and building. It needs only Node and npm.
 *
 *     npm test -- [--static] [--slow] [--deep] [--update] [--scaffolds] [filter ...]
 *
 * --static     only the checks
 * --slow       also the tests that `vitest.config.ts` lists as slow, as in CI
 * --deep       also those, and the large versions of tests
 * --update     writes snapshots
 * --scaffolds  also sets up a few fresh projects of other tools
 * filter       part of the path of a test file; the checks always run
 */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPackages } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { endLeftovers, endMarked } from './leftovers.mjs'
import { cacheFolder, readJson, root, toolScript } from './lib/root.mjs'
import { runMain, runNode } from './lib/run.mjs'
import { ensureBrowser } from './system.mjs'
import { countTests } from './vitest/count-tests.mjs'
import { withPostgres } from './vitest/with-postgres.mjs'

const args = process.argv.slice(2)
const flags = args.filter((arg) => arg.startsWith('--'))
const filters = args.filter((arg) => !arg.startsWith('--'))
const known = ['--static', '--slow', '--deep', '--update', '--scaffolds']
const mark = `SERVICEKIT_TEST_RUN=${randomUUID()}`

/** @param {import('./vitest/count-tests.mjs').Counts} counts */
function finish({ passed, failed, skipped }) {
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  return failed === 0 ? 0 : 1
}

async function runVitest() {
  const report = join(cacheFolder, 'vitest.json')
  mkdirSync(cacheFolder, { recursive: true })
  rmSync(report, { force: true })
  const { code } = await runNode(
    [
      toolScript('vitest'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--reporter=${fileURLToPath(new URL('vitest/stall-reporter.mjs', import.meta.url))}`,
      `--outputFile.json=${report}`,
      ...(flags.includes('--static') ? ['--project=checks'] : []),
      ...(flags.includes('--update') ? ['--update'] : []),
      ...(filters.length > 0 ? [...filters, 'packages/workspace/checks/'] : []),
    ],
    { cwd: root, stream: true },
  )
  return countTests(existsSync(report) ? readJson(report) : undefined, code)
}

/** Sets up the scaffolds that are quick to install. */
async function runScaffolds() {
  if (!flags.includes('--scaffolds')) return { passed: 0, failed: 0, skipped: 0 }
  const { scaffolds } = await import('./scaffolds/definitions.mjs')
  const { testScaffolds } = await import('./scaffolds/test-scaffolds.mjs')
  return testScaffolds(scaffolds.filter(({ isQuick }) => isQuick))
}

await runMain(async () => {
  const unknown = flags.find((flag) => !known.includes(flag))
  if (unknown) {
    console.error(`Unknown flag ${unknown}. Use ${known.join(', ')}.`)
    return 2
  }
  const [name = '', value] = mark.split('=')
  process.env[name] = value
  if (flags.includes('--deep')) process.env['SERVICEKIT_DEEP'] = '1'
  else if (!flags.includes('--slow') && filters.length === 0) process.env['QUICK_TESTS'] = '1'
  process.once('exit', () => void endMarked(mark))
  const isReady = (await ensureInstalled()) && (await buildPackages())
  if (!isReady) return finish({ passed: 0, failed: 1, skipped: 0 })
  // Without a browser, its tests are skipped; with CI=true they fail.
  const { found, output } = await ensureBrowser()
  if (!found) console.log(output.trimEnd())
  // Only a whole run has enough suites on PostgreSQL, or in a browser, to share one.
  const isWhole = filters.length === 0 && !flags.includes('--static')
  const inBrowser = async () =>
    found ? (await import('./browser.mjs')).withBrowser(runVitest) : runVitest()
  const tests = await (isWhole ? withPostgres(inBrowser) : runVitest())
  const scaffolds = await runScaffolds()
  const leftovers = await endLeftovers(mark)
  for (const process of leftovers) console.error(`✗ left running: ${process}`)
  const left = leftovers.length > 0
  return finish({
    passed: tests.passed + scaffolds.passed + (left ? 0 : 1),
    failed: tests.failed + scaffolds.failed + (left ? 1 : 0),
    skipped: tests.skipped + scaffolds.skipped,
  })
})
