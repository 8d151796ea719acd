import { defineConfig } from 'vitest/config'

const conditions = ['source', 'node', 'development|production']

/** Of these, Stryker runs the tests that import a changed file. */
const tests = [
  'packages/client/{src,test}/{renewal,retries,retry,tabs,webhook*}.test.ts',
  'packages/core/src/node/signed-url.test.ts',
  'packages/catalog/src/{syntax,model}/*.test.ts',
  'packages/catalog/src/emit/*.test.ts',
  'packages/catalog/test/{message-calls,program,runtime,unusual-names}.test.ts',
  'packages/platform/test/{access-rules,access-matrix.slow,authority.slow}.test.ts',
  'packages/platform/src/data/document-access.test.ts',
]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['source'] } },
  test: {
    include: tests,
    setupFiles: ['packages/testing/src/setup.ts'],
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
})
