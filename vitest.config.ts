import { defineConfig } from 'vitest/config'

// Node is started with these: without `module`, which names files for bundlers, that it cannot load.
const conditions = ['source', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['source'] } },
  test: {
    include: ['packages/**/*.test.{ts,tsx,mjs}', 'fixtures/apps/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.servicekit/**'],
    setupFiles: ['packages/workspace/vitest/setup.mjs'],
    // One less than there are cores is the default, and half of two.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
})
