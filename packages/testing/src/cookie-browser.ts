import type { Platform } from '@servicekit/platform'

/** Minimal browser with cookies, forms and redirects. */
export interface Browser {
  /** Sends a request with the cookies of its address, and stores those of the response. */
  readonly send: (url: string, init?: RequestInit) => Promise<Response>
  /**
   * Opens a page and follows redirects within the platform.
   *
   * @returns the last response, or the address of a redirect to another site.
   */
  readonly open: (url: string, init?: RequestInit) => Promise<{ page?: Response; left?: URL }>
  readonly cookies: () => readonly string[]
  /** Returns the header with the cookies of all paths. */
  readonly cookieHeader: () => string
  readonly forget: (name: RegExp) => void
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

/** Creates a browser without cookies. */
export function browserOn(
  platform: Pick<Platform, 'fetch'>,
  origin = 'http://platform.local',
): Browser {
  let jar: readonly Cookie[] = []
  const send: Browser['send'] = async (url, init = {}) => {
    const address = new URL(url, origin)
    const sent = jar.filter(({ path }) => isBelow(address.pathname, path))
    const headers = new Headers(init.headers)
    if (sent.length > 0) {
      headers.set('cookie', headerOf(sent))
    }
    const response = await platform.fetch(new Request(address, { ...init, headers }))
    for (const line of response.headers.getSetCookie()) jar = keep(jar, line, address)
    return response
  }
  return {
    send,
    open: async (url, init) => {
      let page = await send(url, init)
      for (let count = 0; count < 10; count++) {
        const location = page.headers.get('location')
        if (location === null) return { page }
        const next = new URL(location, origin)
        if (next.origin !== origin) return { left: next }
        page = await send(next.href)
      }
      throw new Error('redirected too often')
    },
    cookies: () => jar.map(({ name }) => name),
    cookieHeader: () => headerOf(jar),
    forget: (name) => {
      jar = jar.filter((cookie) => !name.test(cookie.name))
    },
  }
}

const headerOf = (cookies: readonly Cookie[]): string =>
  cookies.map(({ name, value }) => `${name}=${value}`).join('; ')

const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)

function keep(jar: readonly Cookie[], line: string, address: URL): readonly Cookie[] {
  const [pair = '', ...attributes] = line.split(/; ?/)
  const name = pair.slice(0, pair.indexOf('='))
  const value = pair.slice(pair.indexOf('=') + 1)
  const found = new Map(
    attributes.map((part) => {
      const [key = '', content = ''] = part.split('=')
      return [key.toLowerCase(), content] as const
    }),
  )
  const path = found.get('path') ?? address.pathname.replace(/\/[^/]*$/, '')
  const rest = jar.filter((cookie) => cookie.name !== name || cookie.path !== path)
  const isOver = found.get('max-age') === '0' || Date.parse(found.get('expires') ?? '') < Date.now()
  return isOver || value === '' ? rest : [...rest, { name, value, path }]
}
