import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { build, type Plugin } from 'esbuild'
import type { Browser } from 'playwright-core'
import { createElement } from 'react'
import { renderToString as renderReact } from 'react-dom/server'
import { createComponent } from 'solid-js'
import { renderToString as renderSolid } from 'solid-js/web'
import { compile } from 'svelte/compiler'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSSRApp, h } from 'vue'
import { renderToString as renderVue } from 'vue/server-renderer'
import { createCore, fetchTransport } from '../src/index.ts'
import * as react from '../src/sessions/react.ts'
import { createSessionStore, onSessionChange, type SessionState } from '../src/sessions/react.ts'
import * as solid from '../src/sessions/solid.ts'
import * as vue from '../src/sessions/vue.ts'
import type { TabMessage, Tabs } from '../src/auth.ts'
import { readUser } from '../src/user.ts'

const ada = { itemId: 'u1', email: 'ada@example.com', active: true }
const user = readUser(ada)

/** Service with one user, who is signed in or not. */
function service(isSignedIn: boolean) {
  const state = { isSignedIn, requests: 0 }
  const core = createCore({
    baseUrl: 'http://service.test',
    projectKey: 'P1',
    retry: { attempts: 1 },
    transport: fetchTransport(async (request) => {
      state.requests++
      if (request.url.endsWith('/Logout')) {
        state.isSignedIn = false
        return Response.json({ isSuccess: true })
      }
      return state.isSignedIn
        ? Response.json({ data: ada })
        : Response.json({ error: 'session_expired' }, { status: 401 })
    }),
  })
  return { state, core }
}

describe('a session store', () => {
  it('starts with the user that the server has rendered, without a request', () => {
    const { state, core } = service(true)
    const store = createSessionStore(core, { clientId: 'web', user })
    store.subscribe(() => undefined)
    expect(store.get()).toEqual({ status: 'signed-in', user })
    const nobody = createSessionStore(core, { clientId: 'web', user: null })
    nobody.subscribe(() => undefined)
    expect(nobody.get()).toEqual({ status: 'signed-out', user: undefined })
    expect(state.requests).toBe(0)
  })

  it('otherwise loads the user once for all subscribers', async () => {
    const { state, core } = service(true)
    const store = createSessionStore(core, { clientId: 'web' })
    expect(store.get().status).toBe('loading')
    const seen = await new Promise<SessionState>((resolve) => {
      onSessionChange(store, resolve)
      store.subscribe(() => undefined)
    })
    expect([seen.status, seen.user?.email, state.requests]).toEqual([
      'signed-in',
      'ada@example.com',
      1,
    ])
  })

  it('notifies listeners of a sign-in, a sign-out, and a sign-out in another tab', async () => {
    const { state, core } = service(false)
    let receive: ((message: TabMessage) => void) | undefined
    const tabs: Tabs = {
      runExclusive: async (_isDone, work) => work().then(() => true),
      notify: () => undefined,
      listen: (onMessage) => {
        receive = onMessage
        return () => undefined
      },
    }
    let ended = 0
    const store = createSessionStore(core, {
      clientId: 'web',
      user: null,
      tabs,
      onEnd: () => void ended++,
    })
    const seen: string[] = []
    const stop = onSessionChange(store, ({ status }) => void seen.push(status))
    state.isSignedIn = true
    await store.reload()
    await store.signOut()
    state.isSignedIn = true
    await store.reload()
    receive?.('ended')
    expect(seen).toEqual(['signed-in', 'signed-out', 'signed-in', 'signed-out'])
    expect(ended).toBe(1)
    stop()
    await store.reload()
    expect(seen).toHaveLength(4)
  })
})

describe('the first render on a server', () => {
  const { core } = service(true)
  const session = createSessionStore(core, { clientId: 'web', user })

  it('knows the user in React', () => {
    const View = () => createElement('p', null, react.useSession().user?.email)
    const page = createElement(react.SessionProvider, { session }, createElement(View))
    expect(renderReact(page)).toBe('<p>ada@example.com</p>')
    expect(() => renderReact(createElement(View))).toThrow('requires <SessionProvider>')
  })

  it('knows the user in Vue', async () => {
    const View = {
      setup() {
        const { user } = vue.useSession()
        return () => h('p', user.value?.email)
      },
    }
    const app = createSSRApp(View).use(vue.sessionPlugin(session))
    expect(await renderVue(app)).toBe('<p>ada@example.com</p>')
  })

  it('knows the user in Solid', () => {
    const View = () => solid.useSession().user?.email
    const page = () =>
      createComponent(solid.SessionProvider, {
        session,
        get children() {
          return createComponent(View, {})
        },
      })
    expect(renderSolid(page)).toBe('ada@example.com')
  })
})

const folder = fileURLToPath(new URL('.', import.meta.url))
const svelte: Plugin = {
  name: 'svelte',
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => ({
      contents: compile(await readFile(path, 'utf8'), { filename: path, generate: 'client' }).js
        .code,
    }))
  },
}

describe.skipIf(isBrowserMissing())('useSession in a browser', () => {
  let browser: Browser
  let script: string
  beforeAll(async () => {
    browser = await launchBrowser()
    const { outputFiles } = await build({
      entryPoints: [`${folder}use-session/page-entry.ts`],
      bundle: true,
      format: 'esm',
      conditions: ['source', 'browser'],
      define: {
        'process.env.NODE_ENV': '"production"',
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
      write: false,
      logLevel: 'silent',
      plugins: [svelte],
    })
    script = outputFiles[0]!.text
  }, 60_000)
  afterAll(() => browser?.close())

  it.each(['react', 'vue', 'svelte', 'solid'])('updates the components of %s', async (name) => {
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => void problems.push(String(error)))
    await page.setContent(`<div id="${name}"></div>`)
    await page.addScriptTag({ type: 'module', content: script })
    // Handed over by the server, so it is there at once.
    await page.getByText('signed-in ada@example.com').waitFor()
    await page.evaluate('signOut()')
    await page.getByText('signed-out nobody').waitFor()
    await page.evaluate('signIn()')
    await page.getByText('signed-in ada@example.com').waitFor()
    expect(problems).toEqual([])
    await page.close()
  })
})
