import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type * as memory from '@modelcontextprotocol/sdk/inMemory.js'
import type * as mcp from '@modelcontextprotocol/sdk/server/mcp.js'
import type * as honoModule from 'hono'
import type * as solidModule from 'solid-js'
import type * as solidWeb from 'solid-js/web'
import type * as svelteCompiler from 'svelte/compiler'
import type * as svelteServer from 'svelte/server'
import type * as vueModule from 'vue'
import type * as vueServer from 'vue/server-renderer'
import { expect, onTestFinished } from 'vitest'
import type * as caches from '../../catalog/src/snapshot/shared-cache.ts'
import * as checker from '../../check/src/index.ts'
import { loadConfig } from '../../catalog/src/config/config.ts'
import type * as honoSessions from '../../client/src/sessions/hono.ts'
import type * as solidSessions from '../../client/src/sessions/solid.ts'
import type * as vueSessions from '../../client/src/sessions/vue.ts'
import { createMcpServer } from '../../cli/src/mcp/server.ts'
import type * as azure from '../../platform/src/storage/azure-backend.ts'
import type * as s3 from '../../platform/src/storage/s3-backend.ts'
import { application } from '../src/application.ts'
import { freePort } from '../src/free-port.mjs'
import { temporaryFolder } from '../src/folder.ts'
import { folderOf, load, root } from './peer-bundles.ts'
import { signedOut } from './peer-runs.ts'

// Runs what uses a peer, in the oldest version that its package declares.

const stored = { projectKey: 'P1', itemId: 'f1', systemName: 'f1.txt', name: 'a.txt' }

/** Signs an address in S3. */
export async function signS3(): Promise<void> {
  const { s3Backend } = await load<typeof s3>('packages/platform/src/storage/s3-backend.ts', {
    '@aws-sdk/client-s3': folderOf('@aws-sdk/client-s3', 'aws-s3-oldest'),
    '@aws-sdk/s3-request-presigner': folderOf(
      '@aws-sdk/s3-request-presigner',
      'aws-s3-presigner-oldest',
    ),
  })
  const backend = s3Backend({
    name: 'main',
    strategy: 'Amazon',
    bucket: 'files',
    region: 'eu-central-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  })
  const { url } = await backend.signUpload(stored)
  expect(new URL(url).searchParams.get('X-Amz-Signature')).toMatch(/^[\da-f]{64}$/)
}

/** Signs an address in Azure. */
export async function signAzure(folder: string): Promise<void> {
  const { azureBackend } = await load<typeof azure>(
    'packages/platform/src/storage/azure-backend.ts',
    { '@azure/storage-blob': folder },
  )
  const backend = azureBackend({
    name: 'main',
    strategy: 'Azure',
    accountName: 'account',
    accountKey: 'c2VjcmV0',
    container: 'files',
  })
  const { url } = await backend.signUpload(stored)
  expect(new URL(url).searchParams.get('sig')).toMatch(/=$/)
}

/** Loads the caches. `unstorage` finds the packages of the other storages beside it. */
const loadCaches = () =>
  load<typeof caches>('packages/catalog/src/snapshot/shared-cache.ts', {
    unstorage: folderOf('unstorage', 'unstorage'),
  })

/** Shares a file through a folder. */
export async function cacheInFolder(): Promise<void> {
  const { openCache, sharedCache } = await loadCaches()
  const folder = await temporaryFolder()
  const open = async () => sharedCache(await openCache('cache', { root: folder, environment: {} }))
  await (await open()).save({ hash: '1 sha256-a', content: '{"K":"one"}' })
  expect(await (await open()).content('1 sha256-a')).toBe('{"K":"one"}')
}

/** Reports the error of the connection to a storage of this URL. */
const failToConnect = (scheme: 'redis' | 's3') => async () => {
  const { openCache, sharedCache } = await loadCaches()
  const host = `127.0.0.1:${await freePort()}`
  const url =
    scheme === 'redis' ? `redis://${host}` : `s3://files?endpoint=http://${host}&region=eu`
  const storage = await openCache(url, {
    root,
    environment: { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' },
  })
  const cache = sharedCache(storage, 60_000)
  expect(await cache.content('1 sha256-a')).toBeUndefined()
  expect(String((cache.failure() as Error).cause ?? cache.failure())).toMatch(
    /ECONNREFUSED|fetch failed/,
  )
  await storage.dispose?.()
}
export const failToConnectToRedis = failToConnect('redis')
export const failToConnectToS3 = failToConnect('s3')

/** Redirects a request without a session. */
export async function guardHono(folder: string): Promise<void> {
  const { requireSession } = await load<typeof honoSessions>(
    'packages/client/src/sessions/hono.ts',
    { hono: folder },
  )
  const { Hono } = (await importFrom(folder, 'hono')) as typeof honoModule
  const app = new Hono()
  app.use('*', requireSession(signedOut(), { clientId: 'web', signInPath: '/sign-in' }) as never)
  const response = await app.request('/orders', { headers: { accept: 'text/html' } })
  expect([response.status, response.headers.get('location')]).toEqual([
    302,
    expect.stringContaining('/sign-in'),
  ])
}

/** Imports an entry of the package in a folder. */
function importFrom(folder: string, specifier: string): Promise<unknown> {
  const require = createRequire(join(folder, 'package.json'))
  return import(/* @vite-ignore */ pathToFileURL(require.resolve(specifier)).href)
}

/** Session of a page whose user is signed in. */
const session = {
  get: () => ({ status: 'signed-in', user: undefined }),
  subscribe: () => () => undefined,
  reload: async () => undefined,
  signOut: async () => undefined,
} as never

/** Writes a module that exports these modules, and loads it with the peer from its folder. */
async function loadAll<Modules>(
  modules: Readonly<Record<string, string>>,
  peers: Readonly<Record<string, string>>,
): Promise<Modules> {
  const entry = join(await temporaryFolder(), 'entry.mjs')
  const lines = Object.entries(modules).map(
    ([name, specifier]) => `export * as ${name} from ${JSON.stringify(specifier)}\n`,
  )
  await writeFile(entry, lines.join(''))
  return load<Modules>(entry, peers)
}

const sessionsOf = (framework: string): string =>
  join(root, `packages/client/src/sessions/${framework}.ts`)

/** Renders the status of a session with Vue. */
export async function renderVue(folder: string): Promise<void> {
  const { vue, server, sessions } = await loadAll<{
    vue: typeof vueModule
    server: typeof vueServer
    sessions: typeof vueSessions
  }>({ vue: 'vue', server: 'vue/server-renderer', sessions: sessionsOf('vue') }, { vue: folder })
  const View = {
    setup() {
      const { status } = sessions.useSession()
      return () => vue.h('p', status.value)
    },
  }
  const app = vue.createSSRApp(View).use(sessions.sessionPlugin(session))
  expect(await server.renderToString(app)).toBe('<p>signed-in</p>')
}

/** Renders the status of a session with Solid. */
export async function renderSolid(folder: string): Promise<void> {
  const { solid, web, sessions } = await loadAll<{
    solid: typeof solidModule
    web: typeof solidWeb
    sessions: typeof solidSessions
  }>(
    { solid: 'solid-js', web: 'solid-js/web', sessions: sessionsOf('solid') },
    { 'solid-js': folder },
  )
  const View = () => sessions.useSession().status
  const page = () =>
    solid.createComponent(sessions.SessionProvider, {
      session,
      get children() {
        return solid.createComponent(View, {})
      },
    })
  expect(web.renderToString(page)).toBe('signed-in')
}

/** Renders the status of a session with Svelte. */
export async function renderSvelte(folder: string): Promise<void> {
  const { compile } = (await importFrom(folder, 'svelte/compiler')) as typeof svelteCompiler
  const component = join(await temporaryFolder(), 'view.mjs')
  const source = `<script>
  import { useSession } from ${JSON.stringify(sessionsOf('svelte'))}
  const session = useSession()
</script><p>{session.status}</p>`
  await writeFile(component, compile(source, { generate: 'server' }).js.code)
  const { view, server } = await loadAll<{
    view: { default: never }
    server: typeof svelteServer
  }>({ view: component, server: 'svelte/server' }, { svelte: folder })
  const context = new Map([[Symbol.for('servicekit.session'), session]])
  expect(server.render(view.default, { context } as never).body).toContain('<p>signed-in</p>')
}

/** Lists the tools of the MCP server. */
export async function listTools(folder: string): Promise<void> {
  const { McpServer } = (await importFrom(
    folder,
    '@modelcontextprotocol/sdk/server/mcp.js',
  )) as typeof mcp
  const { InMemoryTransport } = (await importFrom(
    folder,
    '@modelcontextprotocol/sdk/inMemory.js',
  )) as typeof memory
  const { root: cwd } = await application({ 'en-US/shop': { HEADING: 'Cart' } }, {})
  const server = createMcpServer(
    {
      config: await loadConfig(cwd),
      service: {},
      packages: { checker, graphql: {} as never },
      sources: undefined,
      hooks: undefined,
      out: undefined,
      maxRows: 10,
      environment: {},
      signal: new AbortController().signal,
    },
    McpServer,
    { allowWrite: false },
  )
  const [one, other] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1.0.0' })
  await Promise.all([server.connect(one as never), client.connect(other as never)])
  onTestFinished(() => client.close())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('find_keys')
}

/** Reports an unknown key. */
export async function runOxlint(folder: string): Promise<void> {
  const { root: cwd, project } = await application(
    { 'en-US/shop': { HEADING: 'Cart' } },
    { 'page.js': "import { HEADNG } from '~uilm/shop'\nHEADNG()\n" },
  )
  await project.writeTypes(await project.load())
  await writeFile(
    join(cwd, '.oxlintrc.json'),
    JSON.stringify({
      jsPlugins: [join(root, 'packages/check/dist/eslint.js')],
      rules: { 'servicekit/no-unknown-key': 'error' },
    }),
  )
  const args = [join(folder, 'bin/oxlint'), 'page.js']
  const run = promisify(execFile)(process.execPath, args, { cwd })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  expect(stdout).toContain('servicekit(no-unknown-key)')
}
