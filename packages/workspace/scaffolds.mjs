/**
 * Tests the packed packages in fresh projects of other tools, as a new user would set them
 * up: create, `npx servicekit init`, start; then a clean clone without network.
 *
 *     npm run test:scaffolds -- [name ...]
 */
import { buildPackages } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { runMain } from './lib/run.mjs'
import { scaffolds } from './scaffolds/definitions.mjs'

await runMain(async () => {
  const names = process.argv.slice(2)
  const unknown = names.find((name) => !scaffolds.some((one) => one.name === name))
  if (unknown !== undefined) {
    console.error(
      `Unknown scaffold ${unknown}. Use ${scaffolds.map(({ name }) => name).join(', ')}.`,
    )
    return 2
  }
  const isReady = (await ensureInstalled()) && (await buildPackages())
  const { testScaffolds } = await import('./scaffolds/test-scaffolds.mjs')
  const counts = isReady
    ? await testScaffolds(
        names.length === 0 ? scaffolds : scaffolds.filter(({ name }) => names.includes(name)),
      )
    : { passed: 0, failed: 1, skipped: 0 }
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  return counts.failed === 0 ? 0 : 1
})
