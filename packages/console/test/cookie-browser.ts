import type { Platform } from '@servicekit/platform'

/** Minimal browser: cookies, and redirects within the platform. */
export interface Browser {
  /** Sends a GET, or a POST with a JSON object or a form, unless another method is given. */
  readonly send: (
    url: string,
    body?: object | URLSearchParams,
    headers?: Readonly<Record<string, string>>,
    method?: string,
  ) => Promise<Response>
  /** Opens a page and follows its redirects. */
  readonly open: (url: string, form?: URLSearchParams) => Promise<Response>
  /** All `set-cookie` headers so far. */
  readonly setCookies: readonly string[]
  /** Returns the header with all cookies. */
  readonly cookies: () => string
}

export function createBrowser(handle: Platform['fetch'], origin: string): Browser {
  const jar = new Map<string, string>()
  const setCookies: string[] = []
  const cookies = () => [...jar].map((pair) => pair.join('=')).join('; ')
  const send: Browser['send'] = async (url, body, given = {}, method = body ? 'POST' : 'GET') => {
    const headers = new Headers({
      ...given,
      cookie: cookies(),
    })
    if (method !== 'GET') headers.set('origin', origin)
    const isForm = body instanceof URLSearchParams
    if (isForm) headers.set('content-type', 'application/x-www-form-urlencoded')
    const text = isForm ? body.toString() : JSON.stringify(body)
    const response = await handle(
      new Request(new URL(url, origin), {
        method,
        headers,
        body: body ? text : null,
      }),
    )
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else {
        jar.set(name, value)
        setCookies.push(line)
      }
    }
    return response
  }
  const open: Browser['open'] = async (url, form) => {
    let response = await send(url, form)
    for (let count = 0; count < 10; count++) {
      const location = response.headers.get('location')
      if (location === null) return response
      response = await send(new URL(location, origin).href)
    }
    throw new Error('redirected too often')
  }
  return { send, open, setCookies, cookies }
}

async function findClient(browser: Browser, project: string) {
  const found = await browser.send(`/_platform/projects/${project}/console-client`)
  return (await found.json()) as { readonly clientId: string; readonly redirectUri: string }
}

/** Renews the session as the console does. */
export async function refresh(browser: Browser, project: string): Promise<Response> {
  const { clientId } = await findClient(browser, project)
  const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId })
  return browser.send('/iam/v4/oidc/token', form, { 'x-service-key': project })
}

/** Signs a user in as the console does. Returns the page after it. */
export async function signIn(
  browser: Browser,
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
