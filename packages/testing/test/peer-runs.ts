import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { ESLint, Linter } from 'eslint'
import { Window } from 'happy-dom'
import type * as nextServer from 'next/server.js'
import type * as ReactModule from 'react'
import { expect, onTestFinished, vi } from 'vitest'
import servicekit from '../../check/src/eslint.ts'
import type * as nextSessions from '../../client/src/sessions/next.ts'
import type * as reactSessions from '../../client/src/sessions/react.ts'
import type * as sveltekitSessions from '../../client/src/sessions/sveltekit.ts'
import { createCore, fetchTransport } from '../../client/src/index.ts'
import { type BundlerName, type Bundlers, buildsWith } from '../../unplugin/test/bundlers.ts'
import { application } from '../src/application.ts'
import { temporaryFolder } from '../src/folder.ts'
import { findRuntime, type RuntimeName } from '../src/runtimes.mjs'
import { bundleOf, folderOf, load, majorOf, root, versionOf } from './peer-bundles.ts'

/** Client of a service that knows no session. */
export const signedOut = () =>
  createCore({
    baseUrl: 'http://service.test',
    projectKey: 'P1',
    retry: { attempts: 1 },
    transport: fetchTransport(async () =>
      Response.json({ error: 'session_expired' }, { status: 401 }),
    ),
  })

/** Shows the session in a page, and its change. @param dom alias of the same major of react-dom */
export const showSession = (dom?: string) => async (folder: string) => {
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
  const domFolder = folderOf('react-dom', dom)
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
export async function guardNext(folder: string): Promise<void> {
  const { requireSession } = await load<typeof nextSessions>(
    'packages/client/src/sessions/next.ts',
    { next: folder, react: folderOf('react') },
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
export async function guardSvelteKit(folder: string): Promise<void> {
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
export const lint =
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
export async function runVitest(folder: string): Promise<void> {
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
export const mock =
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
export const bundle = (name: BundlerName) => async (folder: string) => {
  const entry = createRequire(import.meta.url).resolve(folder)
  const loaded = (await import(/* @vite-ignore */ pathToFileURL(entry).href)) as Bundlers & {
    readonly default: Bundlers['webpack']
  }
  const tools = { ...loaded, webpack: loaded.default, esbuild: loaded as never }
  const { root: app } = await application(
    { 'en-US/shop': { HEADING: 'Cart', OTHER: 'Unused' } },
    {
      'package.json': '{ "type": "module" }',
      'src/main.js': `import { HEADING } from '~uilm/shop'\nglobalThis.shown = HEADING()\n`,
    },
  )
  await buildsWith(tools)[name](app, {})
  const packs = readdirSync(join(app, 'dist')).filter((file) => file.startsWith('uilm-'))
  expect(packs.length).toBeGreaterThan(0)
  const texts = packs.map((file) => readFileSync(join(app, 'dist', file), 'utf8')).join('')
  expect([texts.includes('Cart'), texts.includes('Unused')]).toEqual([true, false])
}
