import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { ESLint, Linter } from 'eslint'
import { Window } from 'happy-dom'
import type * as nextServer from 'next/server.js'
import type * as ReactModule from 'react'
import { rolldown } from 'rolldown'
import { expect, it, onTestFinished, vi } from 'vitest'
import servicekit from '../../check/src/eslint.ts'
import type * as nextSessions from '../../client/src/sessions/next.ts'
import type * as reactSessions from '../../client/src/sessions/react.ts'
import type * as sveltekitSessions from '../../client/src/sessions/sveltekit.ts'
import { createCore, fetchTransport } from '../../client/src/index.ts'
import { type BundlerName, type Bundlers, buildsWith } from '../../unplugin/test/bundlers.ts'
import { application } from '../src/application.ts'
import { temporaryFolder } from '../src/folder.ts'
import { findRuntime, type RuntimeName } from '../src/runtimes.mjs'

// Runs bundlers and processes on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 })

const root = fileURLToPath(new URL('../../..', import.meta.url))
const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))

/** Row of the table: what runs a major of a peer. */
interface Row {
  /** Folder of the peer; by default the version of the workspace. */
  readonly alias?: string
  /** Runs what uses the peer in this major. */
  readonly run?: (folder: string) => Promise<void>
  /** Test that runs what uses the peer, with the version of the workspace. */
  readonly test?: string
}

/** Returns the folder of a peer in the project of other majors, or in the workspace. */
function folderOf(peer: string, { alias }: Row): string {
  if (alias !== undefined) return join(root, 'packages/testing/projects/peers/node_modules', alias)
  return [root, ...packages]
    .map((folder) => join(folder, 'node_modules', peer))
    .find((folder) => existsSync(folder))!
}

const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
const majorOf = (version: string): number => Number.parseInt(version, 10)

/** Bundles a file of a package; peers are imported from the folders given by name. */
async function bundleOf(
  file: string,
  peers: Readonly<Record<string, string>>,
  bundled: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, target] of Object.entries(peers)) {
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(target, link, 'dir')
  }
  await using bundle = await rolldown({
    input: resolve(root, file),
    platform: 'node',
    checks: { pluginTimings: false },
    external: Object.keys(peers).map((name) => new RegExp(`^${name}(?:/|$)`)),
    resolve: { alias: bundled, conditionNames: ['source', 'node', 'import'] },
  })
  const output = join(folder, 'bundle.mjs')
  await bundle.write({ file: output, format: 'esm', codeSplitting: false })
  return output
}

/** Bundles a file like {@link bundleOf}, and imports it. */
async function load<Module>(...args: Parameters<typeof bundleOf>): Promise<Module> {
  return (await import(/* @vite-ignore */ pathToFileURL(await bundleOf(...args)).href)) as Module
}

/** Client of a service that knows no session. */
const signedOut = () =>
  createCore({
    baseUrl: 'http://service.test',
    projectKey: 'P1',
    retry: { attempts: 1 },
    transport: fetchTransport(async () =>
      Response.json({ error: 'session_expired' }, { status: 401 }),
    ),
  })

/** Shows the session in a page, and its change. @param dom alias of the same major of react-dom */
const showSession = (dom?: string) => async (folder: string) => {
  const window = new Window()
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', window.document)
  vi.stubGlobal('navigator', window.navigator)
  onTestFinished(() => window.happyDOM.close())
  const entry = join(await temporaryFolder(), 'entry.mjs')
  await writeFile(
    entry,
    `export * as React from 'react'
export * as dom from '${majorOf(versionOf(folder)) < 18 ? 'react-dom' : 'react-dom/client'}'
export * as sessions from ${JSON.stringify(join(root, 'packages/client/src/sessions/react.ts'))}
`,
  )
  const domFolder = folderOf('react-dom', dom === undefined ? {} : { alias: dom })
  const {
    React,
    dom: renderer,
    sessions,
  } = await load<{
    React: typeof ReactModule
    dom: {
      createRoot?: (element: unknown) => { render: (node: unknown) => void }
      render?: (node: unknown, element: unknown) => void
    }
    sessions: typeof reactSessions
  }>(entry, {}, { react: folder, 'react-dom': domFolder })
  expect(majorOf(React.version)).toBe(majorOf(versionOf(folder)))
  const listeners = new Set<() => void>()
  let state: { status: string; user: undefined } = { status: 'loading', user: undefined }
  const session = {
    get: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    reload: async () => undefined,
    signOut: async () => undefined,
  }
  const View = () => sessions.useSession().status
  const page = React.createElement(
    sessions.SessionProvider,
    { session: session as never },
    React.createElement(View),
  )
  const element = window.document.createElement('div')
  if (renderer.createRoot) renderer.createRoot(element).render(page)
  else renderer.render!(page, element)
  await expect.poll(() => element.textContent).toBe('loading')
  await expect.poll(() => listeners.size).toBe(1)
  state = { status: 'signed-in', user: undefined }
  for (const listener of listeners) listener()
  await expect.poll(() => element.textContent).toBe('signed-in')
}

/** Redirects a request without a session. */
async function guardNext(folder: string): Promise<void> {
  const { requireSession } = await load<typeof nextSessions>(
    'packages/client/src/sessions/next.ts',
    { next: folder, react: folderOf('react', {}) },
  )
  const { NextRequest } = createRequire(join(folder, 'package.json'))(
    join(folder, 'server.js'),
  ) as typeof nextServer
  const guard = requireSession(signedOut(), { clientId: 'web', signInPath: '/sign-in' })
  const request = new NextRequest('http://shop.test/orders', { headers: { accept: 'text/html' } })
  const response = await guard(request as never)
  expect([response.status, response.headers.get('location')]).toEqual([
    307,
    expect.stringContaining('http://shop.test/sign-in'),
  ])
}

/** Redirects a request without a session. */
async function guardSvelteKit(folder: string): Promise<void> {
  const { createSessionHandle, requireSession } = await load<typeof sveltekitSessions>(
    'packages/client/src/sessions/sveltekit.ts',
    { '@sveltejs/kit': folder },
  )
  const event = {
    locals: {},
    url: new URL('http://shop.test/orders'),
    request: new Request('http://shop.test/orders', { headers: { accept: 'text/html' } }),
  }
  const handle = createSessionHandle(signedOut(), { clientId: 'web', signInPath: '/sign-in' })
  const respond = (one: typeof event) => requireSession(one as never) as never
  await expect(handle({ event, resolve: respond })).rejects.toMatchObject({
    location: expect.stringContaining('/sign-in') as unknown,
  })
}

/** Reports an unknown key. @param exported where the class with flat configs is exported */
const lint =
  (exported = 'eslint', name = 'ESLint') =>
  async (folder: string) => {
    const require = createRequire(join(folder, 'package.json'))
    const file = exported === 'eslint' ? folder : join(folder, 'lib/unsupported-api.js')
    const Class = (require(file) as Record<string, typeof ESLint>)[name]!
    const { root: cwd, project } = await application({ 'en-US/shop': { HEADING: 'Cart' } }, {})
    await project.writeTypes(await project.load())
    const eslint = new Class({
      cwd,
      overrideConfigFile: true,
      overrideConfig: [
        {
          files: ['**/*.js'],
          plugins: { servicekit },
          rules: { 'servicekit/no-unknown-key': 'error' },
        },
      ] as unknown as Linter.Config[],
    })
    const [result] = await eslint.lintText("import { HEADNG } from '~uilm/shop'\nHEADNG()\n", {
      filePath: 'page.js',
    })
    expect(result!.messages.map(({ ruleId }) => ruleId)).toEqual(['servicekit/no-unknown-key'])
  }

/** Gives a worker a project of its own. */
async function runVitest(folder: string): Promise<void> {
  // In a package, from where the others are found, and not in node_modules, whose files Vitest does
  // not transform.
  const cwd = await mkdtemp(join(root, 'packages/cli/test/vitest-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
  const source = join(root, 'packages/cli/src')
  await writeFile(
    join(cwd, 'vitest.config.mjs'),
    `export default ${JSON.stringify({
      root: cwd,
      resolve: { alias: [{ find: 'vitest', replacement: folder }] },
      test: {
        globalSetup: [join(source, 'vitest-setup.ts')],
        testTimeout: 60_000,
        hookTimeout: 60_000,
      },
    })}\n`.replace('"find":"vitest"', '"find":/^vitest$/'),
  )
  await writeFile(
    join(cwd, 'platform.test.mjs'),
    `import { createPlatformTest } from ${JSON.stringify(join(source, 'vitest.ts'))}
import { expect } from 'vitest'

const test = createPlatformTest()
let first
test('has a project', ({ platform }) => {
  first = platform.projectKey
  expect(first).toMatch(/^W/)
})
test('has the same one in the whole worker', ({ platform }) => expect(platform.projectKey).toBe(first))
`,
  )
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_|TEST$)/.test(name))
  const program = join(folder, 'vitest.mjs')
  const result = await promisify(execFile)(process.execPath, [program, 'run'], {
    cwd,
    env: { ...(Object.fromEntries(own) as NodeJS.ProcessEnv), NO_COLOR: '1' },
  }).catch((error: { stdout: string; stderr: string }) => error)
  expect(result.stdout + result.stderr).toMatch(/Tests +2 passed/)
  expect(result.stdout).toContain(`v${versionOf(folder)}`)
}

/** Mocks an operation for a fetch, in a process of a runtime. */
const mock =
  (runtime: RuntimeName = 'Node 20') =>
  async (folder: string) => {
    const entry = join(await temporaryFolder(), 'entry.mjs')
    await writeFile(
      entry,
      `import { setupServer } from 'msw/node'
import { acknowledged, handleOperation } from ${JSON.stringify(join(root, 'packages/codegen/src/msw.ts'))}

const query = 'mutation { deleteProduct { acknowledged } }'
const server = setupServer(handleOperation(query, () => acknowledged('p1')))
server.listen({ onUnhandledRequest: 'error' })
const body = JSON.stringify({ query })
const response = await fetch('http://api.test/data/v4/gateway', { method: 'POST', body })
console.log(JSON.stringify(await response.json()))
server.close()
`,
    )
    const node = findRuntime(runtime) ?? process.execPath
    const { stdout } = await promisify(execFile)(node, [await bundleOf(entry, { msw: folder })])
    expect(JSON.parse(stdout)).toMatchObject({ data: { deleteProduct: { acknowledged: true } } })
  }

/** Builds and runs an application. */
const bundle = (name: BundlerName) => async (folder: string) => {
  const entry = createRequire(import.meta.url).resolve(folder)
  const loaded = (await import(/* @vite-ignore */ pathToFileURL(entry).href)) as Bundlers
  const { root: app } = await application(
    { 'en-US/shop': { HEADING: 'Cart', OTHER: 'Unused' } },
    {
      'package.json': '{ "type": "module" }',
      'src/main.js': `import { HEADING } from '~uilm/shop'\nglobalThis.shown = HEADING()\n`,
    },
  )
  await buildsWith(loaded)[name](app, {})
  const packs = readdirSync(join(app, 'dist')).filter((file) => file.startsWith('uilm-'))
  expect(packs.length).toBeGreaterThan(0)
  const texts = packs.map((file) => readFileSync(join(app, 'dist', file), 'utf8')).join('')
  expect([texts.includes('Cart'), texts.includes('Unused')]).toEqual([true, false])
}

const graphqlTest = 'packages/codegen/test/graphql-versions.slow.test.ts'
const session = 'packages/client/test/use-session.test.ts'
const files = 'packages/platform/test/storage.slow.test.ts'
const samples = 'packages/unplugin/test/bundlers.slow.test.ts'

/** What runs each major of each peer. */
const rows: Readonly<Record<string, readonly Row[]>> = {
  '@aws-sdk/client-s3': [{ test: files }],
  '@aws-sdk/s3-request-presigner': [{ test: files }],
  '@azure/storage-blob': [{ test: 'packages/client/test/azurite.slow.test.ts' }],
  '@modelcontextprotocol/sdk': [{ test: 'packages/cli/test/mcp.slow.test.ts' }],
  '@rspack/core': [{ alias: 'rspack-1', run: bundle('rspack') }, { test: samples }],
  '@sveltejs/kit': [{ alias: 'sveltekit-2', run: guardSvelteKit }, { run: guardSvelteKit }],
  aws4fetch: [{ test: 'packages/catalog/test/caches.slow.test.ts' }],
  esbuild: [{ test: samples }],
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
  hono: [{ test: 'packages/client/test/frameworks.test.ts' }],
  ioredis: [{ test: 'packages/catalog/test/caches.slow.test.ts' }],
  // Since 3 it needs Node 22.
  msw: [{ run: mock() }, { alias: 'msw-3', run: mock('Node 22') }],
  next: [
    { alias: 'next-14', run: guardNext },
    { alias: 'next-15', run: guardNext },
    { run: guardNext },
  ],
  oxlint: [{ test: 'packages/check/test/lint/plugin.test.ts' }],
  react: [
    { alias: 'react-17', run: showSession('react-dom-17') },
    { alias: 'react-18', run: showSession('react-dom-18') },
    { run: showSession() },
  ],
  rolldown: [{ test: samples }],
  rollup: [{ test: samples }],
  'solid-js': [{ test: session }],
  svelte: [{ test: session }],
  unstorage: [{ test: 'packages/catalog/test/caches.slow.test.ts' }],
  vite: [
    { alias: 'vite-6', run: bundle('vite') },
    { alias: 'vite-7', run: bundle('vite') },
    { test: samples },
  ],
  vitest: [
    { alias: 'vitest-3', run: runVitest },
    { run: runVitest },
    { alias: 'vitest-5', run: runVitest },
  ],
  vue: [{ test: session }],
  webpack: [{ test: samples }],
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
  const majors = (rows[peer] ?? []).map((row) => majorOf(versionOf(folderOf(peer, row))))
  // A range without an end includes majors that do not exist yet.
  expect(majors).toEqual(expect.arrayContaining([...majorsOf(range, Math.max(...majors))]))
})

it('every row is about a peer, and names a test that exists', () => {
  const peers = new Set(declared.map(([peer]) => peer))
  expect(Object.keys(rows).filter((peer) => !peers.has(peer))).toEqual([])
  const tests = Object.values(rows).flatMap((list) => list.flatMap(({ test }) => test ?? []))
  expect(tests.filter((test) => !existsSync(join(root, test)))).toEqual([])
})

const runs = Object.entries(rows).flatMap(([peer, list]) =>
  list.flatMap((row) => {
    const folder = folderOf(peer, row)
    return row.run ? [[peer, versionOf(folder), row.run, folder] as const] : []
  }),
)

it.each(runs)('runs with %s %s', async (_peer, _version, run, folder) => {
  await expect(run(folder)).resolves.toBeUndefined()
})
