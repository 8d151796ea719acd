/**
 * Reporter of vitest that ends a run with one plain line: `N passed, N failed, N skipped`. A file
 * that could not be loaded, and an error outside of any test, count as one failure each.
 */
export default class CountReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} errors
   */
  onTestRunEnd(modules, errors) {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      for (const state of states) counts[state]++
      if (module.state() === 'failed' && !states.includes('failed')) counts.failed++
    }
    const { passed, failed, skipped, pending } = counts
    console.log(`${passed} passed, ${failed} failed, ${skipped + pending} skipped`)
  }
}
