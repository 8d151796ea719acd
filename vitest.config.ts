import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { runtimePlugin } from './packages/codegen/runtime-plugin.ts'

// Node is started with these: without `module`, which names files for bundlers, that it cannot load.
const conditions = ['source', 'node', 'development|production']

/**
 * Tests that take long for what they find: whole applications of frameworks, other runtimes and
 * compilers, watchers, the largest pages of the console, and servers and processes that fail. They
 * run with `npm test -- --slow`, as in CI.
 */
const slow = [
  'fixtures/apps/**/*.test.ts',
  'packages/bench/test/first-load.test.ts',
  'packages/catalog/test/{caches,failing-pull,faults,interrupted-keys}.test.ts',
  'packages/check/test/rename-killed.test.ts',
  'packages/cli/test/{backup,backup-flush,crashes,dev,process,transfer,vitest-fixture}.test.ts',
  'packages/client/test/{azurite,backends,compile-versions,fault-injection,network-failures,runtimes,tabs}.test.ts',
  'packages/codegen/test/{compile-versions,graphql-codegen}.test.ts',
  'packages/console/test/{bulk,data}.test.ts',
  'packages/platform/test/{data-dir,database-unavailable,determinism,failover,killed,migration-kills,pgbouncer,random-requests,replica,storage-away,transcript,upgrade}.test.ts',
  'packages/server/test/mail.test.ts',
  'packages/unplugin/test/{adapters,bundlers,faulty-builds,frameworks,frozen-builds,live,servers,watch}.test.ts',
  'packages/workspace/{readme,start}.test.mjs',
]
const exclude = [
  '**/node_modules/**',
  '**/dist/**',
  '**/.servicekit/**',
  ...(process.env['QUICK_TESTS'] ? slow : []),
]

/**
 * Tests that run without a process for each file: importing what they test would take longer than
 * most of them. The named ones measure their process, replace what others use, or run bundles in
 * it, whose language is that of the process.
 */
const shared = [
  'packages/*/src/**/*.test.ts',
  'packages/{catalog,check,cli,client,codegen,console,platform,server}/test/**/!(frozen|write|runtimes|scale).test.ts',
  'packages/codegen/runtime/!(gateway-query).test.ts',
  'packages/bench/test/{i18next,load-report,side-by-side,side-by-side-tasks}.test.ts',
  'packages/workspace/{checks,lib,vitest}/*.test.mjs',
  'packages/workspace/{browser,install,leftovers,postgres,runtimes,system}.test.mjs',
  'packages/unplugin/test/{adapters,faulty-builds,key-form,live,next-{format,loader,pages},sample-apps,tools,unknown-keys,vite-*,watch,webpack-chunks}.test.ts',
]

export default defineConfig({
  plugins: [runtimePlugin()],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['source'] } },
  test: {
    // Tests spend almost half of their time waiting for timers, processes and browsers.
    maxWorkers: availableParallelism() + 2,
    // Its code is for bundlers: Node cannot load its JSON.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    // Ends when the state is reached; the default is too short for a busy machine.
    expect: { poll: { timeout: 20_000 } },
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
        },
      },
      {
        extends: true,
        test: {
          // Projects run in the order of their names: before `shared`, whose files are shorter, so
          // that no long one is left at the end.
          name: 'isolated',
          include: ['packages/**/*.test.{ts,tsx,mjs}', 'fixtures/apps/**/*.test.{ts,tsx}'],
          exclude: [...exclude, ...shared],
          setupFiles: ['packages/workspace/vitest/setup.mjs'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
