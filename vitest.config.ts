import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { glob } from 'tinyglobby'

// Node is started with these. `module` is missing: it names files for bundlers, which Node cannot load.
const conditions = ['source', 'node', 'development|production']

const exclude = ['**/node_modules/**', '**/dist/**', '**/.servicekit/**']
const tests = ['{packages,docs,fixtures}/**/*.test.{ts,tsx,mjs}']
const slow = ['**/*.slow.test.{ts,tsx,mjs}']
/** Tests of several instances, and of a database that fails; the embedded one ends with its process. */
const postgres = ['**/*.postgres.test.ts']
/**
 * Tests that need a process of their own: they run what bundlers wrote, whose language is that of
 * the process, or change or measure their process.
 */
const isolated = [
  'packages/unplugin/test/**/*.test.ts',
  'fixtures/**/*.test.ts',
  '**/*.isolated.test.ts',
]

/** Limits of the tests that `npm test` leaves out. */
const slowLimits = { testTimeout: 120_000, hookTimeout: 300_000 }

/** Returns the test files whose text contains a word. */
async function filesWith(word: string): Promise<string[]> {
  const files = await glob(tests, { ignore: exclude })
  return files.filter((file) => readFileSync(file, 'utf8').includes(word))
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['source'] } },
  test: {
    // Tests spend almost half of their time waiting for timers, processes and browsers.
    maxWorkers: availableParallelism() + 2,
    // Its code is for bundlers: Node cannot load its JSON.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    globalSetup: [
      'packages/testing/src/build-runtime.mjs',
      'packages/testing/src/start-browser.mjs',
    ],
    setupFiles: ['packages/testing/src/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: {
      // A test whose assertions are all in branches and loops that do not run cannot fail.
      requireAssertions: true,
      // Ends when the state is reached; the default is too short for a busy machine.
      poll: { timeout: 20_000 },
    },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    projects: [
      {
        // Files share processes: importing what they test takes longer than most of them.
        extends: true as const,
        test: {
          name: 'unit',
          include: tests,
          exclude: [...exclude, ...slow, ...postgres, ...isolated],
          isolate: false,
        },
      },
      {
        extends: true as const,
        test: {
          name: 'isolated',
          include: isolated,
          exclude: [...exclude, ...slow],
        },
      },
      {
        extends: true as const,
        test: { name: 'slow', include: slow, exclude, ...slowLimits },
      },
      {
        // The suites of `onEachEngine` again, on PostgreSQL instead of the embedded database.
        extends: true as const,
        test: {
          name: 'postgres',
          include: [...(await filesWith('onEachEngine(')), ...postgres],
          exclude,
          ...slowLimits,
          env: { SERVICEKIT_TEST_ENGINES: 'PostgreSQL' },
          globalSetup: ['packages/testing/src/start-postgres.mjs'],
        },
      },
      {
        // The tests that have a large version, in that version, on both engines; and properties, with
        // other cases in every run.
        extends: true as const,
        test: {
          name: 'deep',
          include: [...(await filesWith('/is-deep')), ...(await filesWith("from 'fast-check'"))],
          ...slowLimits,
          env: { SERVICEKIT_TEST_ENGINES: 'PGlite,PostgreSQL', SERVICEKIT_DEEP: '1' },
          globalSetup: ['packages/testing/src/start-postgres.mjs'],
        },
      },
      {
        // Processor time, which no test measures: `npm run bench -- request-cost`.
        extends: true as const,
        test: {
          name: 'bench',
          include: ['packages/**/*.measured.ts'],
          exclude,
          globalSetup: ['packages/testing/src/start-postgres.mjs'],
          env: { SERVICEKIT_TEST_ENGINES: 'PostgreSQL' },
        },
      },
    ],
  },
})
