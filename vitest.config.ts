import { defineConfig } from 'vitest/config'
import { runtimePlugin } from './packages/codegen/runtime-plugin.ts'

// Node is started with these: without `module`, which names files for bundlers, that it cannot load.
const conditions = ['source', 'node', 'development|production']
const exclude = ['**/node_modules/**', '**/dist/**', '**/.servicekit/**']

export default defineConfig({
  plugins: [runtimePlugin()],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['source'] } },
  test: {
    // One less than there are cores is the default, and half of two.
    maxWorkers: '100%',
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
          include: ['packages/*/src/**/*.test.ts', 'packages/platform/test/**/*.test.ts'],
          exclude,
          setupFiles: ['packages/workspace/vitest/setup.mjs'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // Without a process for each file: importing what they test would take longer than
          // most of these tests.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['packages/**/*.test.{ts,tsx,mjs}', 'fixtures/apps/**/*.test.{ts,tsx}'],
          exclude: [...exclude, 'packages/*/src/**', 'packages/platform/test/**'],
          setupFiles: ['packages/workspace/vitest/setup.mjs'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
