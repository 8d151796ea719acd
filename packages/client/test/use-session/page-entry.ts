import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { createComponent } from 'solid-js'
import { render } from 'solid-js/web'
import { mount } from 'svelte'
import { createApp, h } from 'vue'
import { createCore, fetchTransport } from '../../src/index.ts'
import * as react from '../../src/sessions/react.ts'
import * as solid from '../../src/sessions/solid.ts'
import * as vue from '../../src/sessions/vue.ts'
import { readUser } from '../../src/user.ts'
// Compiled by the test.
import Layout from './layout.svelte'

/** Page that shows the session with the framework that its element names. */
type PageElement = Parameters<typeof createRoot>[0]
declare const document: { querySelector: (selector: string) => PageElement | null }

const ada = { itemId: 'u1', email: 'ada@example.com', active: true }
const core = createCore({
  baseUrl: 'http://service.test',
  projectKey: 'P1',
  transport: fetchTransport(async ({ url }) =>
    Response.json(url.endsWith('/Logout') ? { isSuccess: true } : { data: ada }),
  ),
})
const session = react.createSessionStore(core, { clientId: 'web', user: readUser(ada) })
Object.assign(globalThis, { signOut: session.signOut, signIn: session.reload })
const textOf = (status: string, email: string | undefined) => `${status} ${email ?? 'nobody'}`

const frameworks: Record<string, (element: PageElement) => void> = {
  react: (element) => {
    const View = () => {
      const { status, user } = react.useSession()
      return textOf(status, user?.email)
    }
    createRoot(element).render(
      createElement(react.SessionProvider, { session }, createElement(View)),
    )
  },
  vue: (element) => {
    const View = {
      setup() {
        const { status, user } = vue.useSession()
        return () => h('p', textOf(status.value, user.value?.email))
      },
    }
    createApp(View).use(vue.sessionPlugin(session)).mount(element)
  },
  svelte: (element) => void mount(Layout, { target: element, props: { session } }),
  solid: (element) => {
    const View = () => {
      const used = solid.useSession()
      return (() => textOf(used.status, used.user?.email)) as never
    }
    render(
      () =>
        createComponent(solid.SessionProvider, {
          session,
          get children() {
            return createComponent(View, {})
          },
        }),
      element,
    )
  },
}
for (const [name, start] of Object.entries(frameworks)) {
  const element = document.querySelector(`#${name}`)
  if (element) start(element)
}
