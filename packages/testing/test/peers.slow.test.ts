import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { folderOf, majorOf, packages, root, versionOf } from './peer-bundles.ts'
import * as oldest from './oldest-peers.ts'
import {
  bundle,
  guardNext,
  guardSvelteKit,
  lint,
  mock,
  runVitest,
  showSession,
} from './peer-runs.ts'

// Runs bundlers and processes on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 })

/** Row of the table: what runs a major of a peer. */
interface Row {
  /** Folder of the peer; by default the version of the workspace. */
  readonly alias?: string
  /** Runs what uses the peer in this version; missing if that of another peer does. */
  readonly run?: (folder: string) => Promise<void>
  /** Test that runs what uses the peer, with the version of the workspace. */
  readonly test?: string
}

const caches = 'packages/catalog/test/caches.slow.test.ts'
const graphqlTest = 'packages/codegen/test/graphql-versions.slow.test.ts'
const session = 'packages/client/test/use-session.test.ts'
const files = 'packages/platform/test/storage.slow.test.ts'
const samples = 'packages/unplugin/test/bundlers.slow.test.ts'

/** What runs each major of each peer, and its oldest version. */
const rows: Readonly<Record<string, readonly Row[]>> = {
  '@aws-sdk/client-s3': [{ alias: 'aws-s3-oldest', run: oldest.signS3 }, { test: files }],
  '@aws-sdk/s3-request-presigner': [{ alias: 'aws-s3-presigner-oldest' }, { test: files }],
  '@azure/storage-blob': [
    { alias: 'azure-blob-oldest', run: oldest.signAzure },
    { test: 'packages/client/test/azurite.slow.test.ts' },
  ],
  '@modelcontextprotocol/sdk': [
    { alias: 'mcp-oldest', run: oldest.listTools },
    { test: 'packages/cli/test/mcp.slow.test.ts' },
  ],
  '@rspack/core': [{ alias: 'rspack-1', run: bundle('rspack') }, { test: samples }],
  '@sveltejs/kit': [{ alias: 'sveltekit-2', run: guardSvelteKit }, { run: guardSvelteKit }],
  aws4fetch: [{ alias: 'aws4fetch', run: oldest.failToConnectToS3 }, { test: caches }],
  esbuild: [{ alias: 'esbuild-oldest', run: bundle('esbuild') }, { test: samples }],
  eslint: [
    { alias: 'eslint-8', run: lint('unsupported', 'FlatESLint') },
    { alias: '../../../../../node_modules/eslint-9', run: lint() },
    { run: lint() },
  ],
  graphql: [
    { alias: 'graphql-15', test: graphqlTest },
    { test: graphqlTest },
    { alias: 'graphql-17', test: graphqlTest },
  ],
  hono: [
    { alias: 'hono-oldest', run: oldest.guardHono },
    { test: 'packages/client/test/frameworks.test.ts' },
  ],
  ioredis: [{ alias: 'ioredis', run: oldest.failToConnectToRedis }, { test: caches }],
  // Since 3 it needs Node 22.
  msw: [{ alias: 'msw-2', run: mock() }, { run: mock() }, { alias: 'msw-3', run: mock('Node 22') }],
  next: [
    { alias: 'next-14', run: guardNext },
    { alias: 'next-15', run: guardNext },
    { run: guardNext },
  ],
  oxlint: [
    { alias: 'oxlint-oldest', run: oldest.runOxlint },
    { test: 'packages/check/test/lint/plugin.test.ts' },
  ],
  react: [
    { alias: 'react-17', run: showSession('react-dom-17') },
    { alias: 'react-18', run: showSession('react-dom-18') },
    { run: showSession() },
  ],
  rolldown: [{ alias: 'rolldown-oldest', run: bundle('rolldown') }, { test: samples }],
  rollup: [{ alias: 'rollup-oldest', run: bundle('rollup') }, { test: samples }],
  'solid-js': [{ alias: 'solid-oldest', run: oldest.renderSolid }, { test: session }],
  svelte: [{ alias: 'svelte-oldest', run: oldest.renderSvelte }, { test: session }],
  unstorage: [{ alias: 'unstorage', run: oldest.cacheInFolder }, { test: caches }],
  vite: [
    { alias: 'vite-6', run: bundle('vite') },
    { alias: 'vite', run: bundle('vite') },
    { test: samples },
  ],
  vitest: [
    { alias: 'vitest-3', run: runVitest },
    { run: runVitest },
    { alias: 'vitest-5', run: runVitest },
  ],
  vue: [{ alias: 'vue-oldest', run: oldest.renderVue }, { test: session }],
  webpack: [{ alias: 'webpack-oldest', run: bundle('webpack') }, { test: samples }],
}

/** Peers of all packages with their ranges. */
const declared = packages.flatMap((folder) => {
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) return []
  const { peerDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly peerDependencies?: Readonly<Record<string, string>>
  }
  return Object.entries(peerDependencies).filter(([name]) => !name.startsWith('@servicekit/'))
})

/** Returns the majors of a range up to a major: `^15 || ^16`, `>=6`. */
function majorsOf(range: string, newest: number): readonly number[] {
  return range.split('||').flatMap((part) => {
    const [, operator, version] = /^\s*(\^|>=)([\d.]+)\s*$/.exec(part) ?? []
    if (operator === undefined) throw new Error(`A range of an unknown form: ${range}`)
    const first = majorOf(version!)
    const last = operator === '^' ? first : Math.max(first, newest)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}

it.each(declared)('a row runs every major of %s in %s', (peer, range) => {
  const majors = (rows[peer] ?? []).map((row) => majorOf(versionOf(folderOf(peer, row.alias))))
  // A range without an end includes majors that do not exist yet.
  expect(majors).toEqual(expect.arrayContaining([...majorsOf(range, Math.max(...majors))]))
})

it.each(declared)('a row runs the oldest version of %s in %s', (peer, range) => {
  const [lowest] = /[\d.]+/.exec(range)!
  const oldestVersion = [...lowest.split('.'), '0', '0'].slice(0, 3).join('.')
  const versions = (rows[peer] ?? []).map((row) => versionOf(folderOf(peer, row.alias)))
  expect(versions).toContain(oldestVersion)
})

it('every row is about a peer, and names a test that exists', () => {
  const peers = new Set(declared.map(([peer]) => peer))
  expect(Object.keys(rows).filter((peer) => !peers.has(peer))).toEqual([])
  const tests = Object.values(rows).flatMap((list) => list.flatMap(({ test }) => test ?? []))
  expect(tests.filter((test) => !existsSync(join(root, test)))).toEqual([])
})

const runs = Object.entries(rows).flatMap(([peer, list]) =>
  list.flatMap((row) => {
    const folder = folderOf(peer, row.alias)
    return row.run ? [[peer, versionOf(folder), row.run, folder] as const] : []
  }),
)

it.each(runs)('runs with %s %s', async (_peer, _version, run, folder) => {
  await expect(run(folder)).resolves.toBeUndefined()
})
