import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, readJson, root, toolScript } from '../lib/root.mjs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Runs the tests, shows their output as it comes, and counts them.
 *
 * @param {import('../lib/run.mjs').Runner} runner
 * @param {{ filters: readonly string[], update: boolean }} options
 * @returns {Promise<Counts>}
 */
export async function runVitest(runner, { filters, update }) {
  const report = join(cacheFolder, 'vitest.json')
  mkdirSync(cacheFolder, { recursive: true })
  rmSync(report, { force: true })
  const { code } = await runner.node(
    [
      toolScript('vitest'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...(update ? ['--update'] : []),
      ...filters,
    ],
    { cwd: root, stream: true },
  )
  return countTests(existsSync(report) ? readJson(report) : undefined, code)
}

/**
 * Counts the tests in vitest's JSON report. A file that could not be loaded and
 * an error outside of any test are each a failure too.
 *
 * @param {{ testResults: { status: string, assertionResults: { status: string }[] }[] } | undefined} report
 * @param {number} code vitest's exit code
 * @returns {Counts}
 */
export function countTests(report, code) {
  const files = report?.testResults ?? []
  const statuses = files.flatMap((file) => file.assertionResults.map(({ status }) => status))
  /** @param {readonly string[]} names */
  const count = (...names) => statuses.filter((status) => names.includes(status)).length
  const broken = files.filter(
    (file) =>
      file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  ).length
  const failed = count('failed') + broken
  return {
    passed: count('passed'),
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: count('pending', 'skipped', 'todo', 'disabled'),
  }
}
