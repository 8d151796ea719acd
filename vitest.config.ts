import { defineConfig } from 'vitest/config'
import { runtimePlugin } from './packages/codegen/runtime-plugin.ts'

// Node is started with these: without `module`, which names files for bundlers, that it cannot load.
const conditions = ['source', 'node', 'development|production']
const exclude = ['**/node_modules/**', '**/dist/**', '**/.servicekit/**']

/**
 * Tests that run without a process for each file: importing what they test would take longer than
 * most of them. The named ones measure their process, or replace what others use.
 */
const shared = [
  'packages/*/src/**/*.test.ts',
  'packages/{catalog,check,cli,client,codegen,platform}/test/**/!(frozen|write|runtimes|scale).test.ts',
]

export default defineConfig({
  plugins: [runtimePlugin()],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['source'] } },
  test: {
    // One less than there are cores is the default, and half of two.
    maxWorkers: '100%',
    // Its code is for bundlers: Node cannot load its JSON.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'checks',
          include: ['packages/workspace/checks/*.check.mjs'],
          exclude,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'shared',
          include: shared,
          exclude,
          setupFiles: ['packages/workspace/vitest/setup.mjs'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['packages/**/*.test.{ts,tsx,mjs}', 'fixtures/apps/**/*.test.{ts,tsx}'],
          exclude: [...exclude, ...shared],
          setupFiles: ['packages/workspace/vitest/setup.mjs'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
