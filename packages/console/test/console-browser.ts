import type { Platform } from '@servicekit/platform'
import { browserOn } from '@servicekit/testing/cookie-browser'

/** Browser that sends what the console sends: JSON and forms from its own origin. */
export interface ConsoleBrowser {
  /** Sends a GET, or a POST with a JSON object or a form, unless another method is given. */
  readonly send: (
    url: string,
    body?: object | URLSearchParams,
    headers?: Readonly<Record<string, string>>,
    method?: string,
  ) => Promise<Response>
  /** Opens a page and follows its redirects. */
  readonly open: (url: string, form?: URLSearchParams) => Promise<Response>
  /** All `set-cookie` headers so far, except those that remove a cookie. */
  readonly setCookies: readonly string[]
  /** Returns the header with all cookies. */
  readonly cookies: () => string
}

export function createConsoleBrowser(handle: Platform['fetch'], origin: string): ConsoleBrowser {
  const setCookies: string[] = []
  const recorded: Platform['fetch'] = async (request) => {
    const response = await handle(request)
    setCookies.push(
      ...response.headers.getSetCookie().filter((line) => !/^[^=]*=(?:;|$)/.test(line)),
    )
    return response
  }
  const browser = browserOn({ fetch: recorded }, origin)
  const initOf = (
    body: object | undefined,
    given: Readonly<Record<string, string>> = {},
    method = body ? 'POST' : 'GET',
  ): RequestInit => {
    const headers = new Headers({ ...given, ...(method !== 'GET' && { origin }) })
    const isForm = body instanceof URLSearchParams
    if (isForm) headers.set('content-type', 'application/x-www-form-urlencoded')
    return { method, headers, body: body ? (isForm ? String(body) : JSON.stringify(body)) : null }
  }
  return {
    send: (url, body, headers, method) => browser.send(url, initOf(body, headers, method)),
    open: async (url, form) => {
      const { page, left } = await browser.open(url, initOf(form))
      if (!page) throw new Error(`redirected to ${left?.href}`)
      return page
    },
    setCookies,
    cookies: browser.cookieHeader,
  }
}

async function findClient(browser: ConsoleBrowser, project: string) {
  const found = await browser.send(`/_platform/projects/${project}/console-client`)
  return (await found.json()) as { readonly clientId: string; readonly redirectUri: string }
}

/** Renews the session as the console does. */
export async function refresh(browser: ConsoleBrowser, project: string): Promise<Response> {
  const { clientId } = await findClient(browser, project)
  const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId })
  return browser.send('/iam/v4/oidc/token', form, { 'x-service-key': project })
}

/** Signs a user in as the console does. Returns the page after it. */
export async function signIn(
  browser: ConsoleBrowser,
  project: string,
  username: string,
  password: string,
): Promise<Response> {
  const { clientId, redirectUri } = await findClient(browser, project)
  const query = new URLSearchParams({ 'x-service-key': project, clientId, redirectUri })
  const begun = await browser.send(`/iam/v4/idp/initiate?${query}`)
  const { redirect_uri: url } = (await begun.json()) as { redirect_uri: string }
  const login = await (await browser.open(url)).text()
  const action = /<form method="post" action="([^"]+)"/.exec(login)?.[1]
  if (action === undefined) throw new Error('There is no sign-in form')
  return browser.open(action, new URLSearchParams({ username, password }))
}
