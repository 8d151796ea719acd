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
}

export function createBrowser(handle: Platform['fetch'], origin: string): Browser {
  const jar = new Map<string, string>()
  const setCookies: string[] = []
  const send: Browser['send'] = async (url, body, given = {}, method = body ? 'POST' : 'GET') => {
    const headers = new Headers({
      ...given,
      cookie: [...jar].map((pair) => pair.join('=')).join('; '),
    })
    if (/\/api\/(?:session|sign-in|sign-out|refresh)\b/.test(url))
      headers.set('accept-encoding', 'gzip')
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
  return { send, open, setCookies }
}

/** Signs a user in as the console does. Returns the page after it. */
export async function signIn(
  browser: Browser,
  project: string,
  username: string,
  password: string,
): Promise<Response> {
  const begun = await browser.send('/console/api/sign-in', { project })
  const { url } = (await begun.json()) as { url: string }
  const login = await (await browser.open(url)).text()
  const action = /<form method="post" action="([^"]+)"/.exec(login)?.[1]
  if (action === undefined) throw new Error('There is no sign-in form')
  return browser.open(action, new URLSearchParams({ username, password }))
}
