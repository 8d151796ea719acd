/**
 * Everything that must hold: the checks of the repository and the tests of its
 * packages. It installs and builds what is missing, and needs Node and npm alone.
 *
 *     npm test -- [--static] [--deep] [--update] [filter ...]
 *
 * --static  the checks without vitest
 * --deep    also the tests that take long
 * --update  writes snapshots instead of comparing them
 * filter    parts of test files' paths; the checks run in any case
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildTasks } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { runMain } from './lib/run.mjs'
import { countResults, failed, findNone, passed, printResult, runTasks } from './lib/tasks.mjs'
import { ensureBrowser } from './system.mjs'

const args = process.argv.slice(2)
const flags = new Set(args.filter((arg) => arg.startsWith('--')))
const filters = args.filter((arg) => !arg.startsWith('--'))
const known = ['--static', '--deep', '--update']
const isCi = process.env['CI'] === 'true'
const mark = { SERVICEKIT_TEST_RUN: randomUUID() }

/** @param {import('./checks/vitest.mjs').Counts} counts */
function finish({ passed, failed, skipped }) {
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  return failed === 0 ? 0 : 1
}

/** @param {import('./lib/run.mjs').Runner} runner */
async function testAll(runner) {
  const unknown = [...flags].find((flag) => !known.includes(flag))
  if (unknown) {
    console.error(`unknown flag ${unknown}; there are ${known.join(', ')}`)
    return 2
  }
  if (!(await ensureInstalled(runner))) return finish({ passed: 0, failed: 1, skipped: 0 })
  const temporary = mkdtempSync(join(tmpdir(), 'servicekit-test-'))
  process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
  return finish(await count(runner, temporary))
}

/**
 * @param {import('./lib/run.mjs').Runner} runner
 * @param {string} temporary
 */
async function count(runner, temporary) {
  // These import what has just been installed.
  const [{ staticTasks }, { builtTasks }, { runVitest }, { endLeftovers, endMarked }] =
    await Promise.all([
      import('./checks/static.mjs'),
      import('./checks/built.mjs'),
      import('./checks/vitest.mjs'),
      import('./checks/leftovers.mjs'),
    ])
  const markText = `SERVICEKIT_TEST_RUN=${mark.SERVICEKIT_TEST_RUN}`
  process.once('exit', () => void endMarked(markText))
  const update = flags.has('--update')
  const deep = flags.has('--deep')
  const tasks = [
    ...buildTasks(runner),
    { name: 'browser', prepares: true, run: findsBrowser },
    ...builtTasks(runner, { temporary, update, newer: isCi || deep }),
    ...staticTasks(runner),
  ]
  const results = await runTasks(tasks, availableParallelism(), printResult)
  const tests = flags.has('--static')
    ? { passed: 0, failed: 0, skipped: 0 }
    : await runVitest(runner, { filters, update })
  const last = await runTasks(
    [
      {
        name: 'no process left behind',
        run: async () => findNone(await endLeftovers(markText)),
      },
    ],
    1,
    printResult,
  )
  return [countResults(results), tests, countResults(last)].reduce((sum, next) => ({
    passed: sum.passed + next.passed,
    failed: sum.failed + next.failed,
    skipped: sum.skipped + next.skipped,
  }))

  async function findsBrowser() {
    const { found, output } = await ensureBrowser(runner)
    if (found) return passed(found)
    return isCi ? failed(output) : { status: /** @type {const} */ ('skipped'), note: output.trim() }
  }
}

await runMain(testAll, {
  ...mark,
  ...(flags.has('--deep') ? { SERVICEKIT_DEEP: '1' } : {}),
})
