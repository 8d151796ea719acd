/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Counts the tests in vitest's JSON report. A file that could not be loaded and an error
 * outside of any test count as one failure each.
 *
 * @param {{ testResults: { status: string, assertionResults: { status: string }[] }[] } | undefined} report
 * @param {number} code exit code of vitest
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
