/**
 * Configuration of Stryker, which changes the code that others rely on, one place at a time, and
 * lists the changes that no test notices (mutation testing).
 */

const here = 'packages/testing/projects/mutation'

export default {
  mutate: [
    'packages/client/src/{renewal,retry,webhook-receiver}.ts',
    'packages/core/src/node/signed-url.ts',
    // Normalised texts, identifiers, and compiled messages.
    'packages/catalog/src/syntax/{message,plural,tags}.ts',
    'packages/catalog/src/model/{names,normalise}.ts',
    'packages/catalog/src/emit/{literal,markup,translation}.ts',
    'packages/platform/src/{http/caller,identity/authorize}.ts',
    'packages/platform/src/identity/authority.ts',
    'packages/platform/src/data/document-access.ts',
  ],
  testRunner: 'vitest',
  plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
  vitest: { configFile: `${here}/vitest.config.mjs` },
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { reportTests: false },
  thresholds: { high: 95, low: 90, break: 85 },
  concurrency: 2,
  timeoutMS: 10_000,
  // Vitest removes the types without checking them.
  disableTypeChecks: false,
  tempDirName: '.servicekit/mutation',
  ignorePatterns: ['dist', '.servicekit'],
}
