import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeRuntime } from './write-runtime.ts'

interface Options {
  readonly [name: string]: unknown
}
interface Server {
  readonly matchLanguage: (header: string | null) => string
  readonly handleLanguage: (
    request: Request,
    options?: Options,
  ) => Promise<{
    readonly language: string
    readonly source: string
    readonly url: URL
    readonly request: Request
    readonly redirect: Response | undefined
    readonly headers: Headers
  }>
  readonly localizeHref: (href: string, language: string, options?: Options) => string
  readonly delocalizeHref: (href: string, options?: Options) => string
  readonly alternateLinks: (
    url: string | { readonly href: string },
    options?: Options,
  ) => readonly { readonly hreflang: string; readonly href: string }[]
  readonly setHtmlLanguage: (html: string, language: string) => string
  readonly addHeaders: (response: Response, headers: Headers) => Response
}

const codes = ['en-US', 'de-DE', 'fr-FR', 'ar-EG']
const importFile = await writeRuntime({
  languages: codes.map((code) => ({ code, name: code })),
  defaultLanguage: 'en-US',
  storageKey: 'uilm-language',
})
const server = (await importFile('server')) as Server
const { handleLanguage, localizeHref, delocalizeHref, alternateLinks } = server

const origin = 'https://shop.example'
/** Returns a navigation of a browser. */
const navigation = (path: string, headers: Record<string, string> = {}): Request =>
  new Request(origin + path, {
    headers: { accept: 'text/html', 'sec-fetch-dest': 'document', ...headers },
  })
const locationOf = (redirect: Response | undefined) => redirect?.headers.get('location')

const paths = { strategies: ['path', 'cookie', 'header'] }
const unprefixed = { ...paths, prefixDefault: false }

interface Source {
  readonly path?: string
  readonly origin?: string
  readonly headers?: Record<string, string>
}

describe('the language of a request', () => {
  const sources: Record<string, Source> = {
    path: { path: '/de-DE/cart' },
    domain: { path: '/cart', origin: 'https://shop.de' },
    query: { path: '/cart?language=de' },
    cookie: { headers: { cookie: 'a=b; uilm-language=de-DE' } },
    profile: { headers: { authorization: 'Bearer anna' } },
    header: { headers: { 'accept-language': 'xx, de-AT;q=0.9, fr;q=0.5' } },
  }
  const options = {
    domains: { 'de-DE': 'shop.de' },
    profile: async (request: Request) =>
      request.headers.get('authorization') === 'Bearer anna' ? 'de' : undefined,
  }
  it.each(Object.entries(sources))('comes from the %s', async (strategy, source) => {
    const { path = '/cart', headers = {}, origin: host = origin } = source
    const request = new Request(host + path, { headers })
    const result = await handleLanguage(request, { ...options, strategies: [strategy] })
    expect([result.language, result.source]).toEqual(['de-DE', strategy])
    expect(result.headers.get('content-language')).toBe('de-DE')
    const none = await handleLanguage(new Request(`${origin}/cart`), {
      ...options,
      strategies: [strategy],
    })
    expect([none.language, none.source]).toEqual(['en-US', 'default'])
  })

  it('comes from the first strategy that has one', async () => {
    const strategies = ['path', 'query', 'cookie', 'header']
    const request = new Request(`${origin}/fr-FR/cart?language=ar`, {
      headers: { cookie: 'uilm-language=de-DE', 'accept-language': 'en' },
    })
    const languageOf = async (...order: string[]) =>
      (await handleLanguage(request, { strategies: order })).language
    expect(await languageOf(...strategies)).toBe('fr-FR')
    expect(await languageOf(...strategies.slice(1))).toBe('ar-EG')
    expect(await languageOf(...strategies.slice(2))).toBe('de-DE')
    expect(await languageOf(...strategies.slice(3))).toBe('en-US')
  })

  it('ignores cookies, parameters and prefixes that are not a language', async () => {
    for (const [path, cookie] of [
      ['/', 'uilm-language=xx'],
      ['/', 'uilm-language=__proto__'],
      ['/?language=constructor', 'other-uilm-language=de-DE'],
      ['/?language=', ''],
      ['/de', ''],
    ] as const) {
      const request = navigation(path, { cookie })
      const { source } = await handleLanguage(request, { strategies: ['path', 'query', 'cookie'] })
      expect([path, source]).toEqual([path, 'default'])
    }
  })

  it('does not read more than 1,000 characters of Accept-Language', () => {
    expect(server.matchLanguage(`${'xx,'.repeat(333)}de`)).toBe('en-US')
    expect(server.matchLanguage(`${'xx,'.repeat(300)}de`)).toBe('de-DE')
  })

  it('is removed from the request, whose method, headers and body stay', async () => {
    const request = new Request(`${origin}/de-DE/cart?language=fr&page=2`, {
      method: 'POST',
      body: 'two items',
      headers: { 'x-cart': '1' },
    })
    const result = await handleLanguage(request, { strategies: ['path', 'query'] })
    expect(result.url.href).toBe(`${origin}/cart?page=2`)
    expect(result.request.url).toBe(result.url.href)
    expect([result.request.method, result.request.headers.get('x-cart')]).toEqual(['POST', '1'])
    expect(await result.request.text()).toBe('two items')
    const same = new Request(`${origin}/cart`)
    expect((await handleLanguage(same, paths)).request).toBe(same)
  })
})

describe('the redirect to the canonical address', () => {
  it('sends a visitor to the language of the cookie or the browser', async () => {
    const { redirect } = await handleLanguage(
      navigation('/cart?a=1', { 'accept-language': 'de' }),
      paths,
    )
    expect([redirect?.status, locationOf(redirect)]).toEqual([307, '/de-DE/cart?a=1'])
    expect(redirect?.headers.get('vary')).toBe('Cookie, Accept-Language, Accept, Sec-Fetch-Dest')
  })

  it('is permanent if it depends only on the address', async () => {
    const response = await handleLanguage(navigation('/DE-de/cart'), paths)
    expect([response.redirect?.status, locationOf(response.redirect)]).toEqual([308, '/de-DE/cart'])
    const plain = await handleLanguage(navigation('/en-US/cart'), unprefixed)
    expect([plain.redirect?.status, locationOf(plain.redirect)]).toEqual([308, '/cart'])
  })

  it('replaces a query parameter by the prefix', async () => {
    const options = { strategies: ['query', 'path'] }
    const { redirect } = await handleLanguage(navigation('/fr-FR/cart?language=de&a=1'), options)
    expect(locationOf(redirect)).toBe('/de-DE/cart?a=1')
  })

  it('does not happen without a prefix in the strategies', async () => {
    const { redirect } = await handleLanguage(navigation('/cart', { 'accept-language': 'de' }))
    expect(redirect).toBeUndefined()
  })

  it.each([
    ['a script', { 'sec-fetch-dest': 'script' }],
    ['an image', { 'sec-fetch-dest': 'image' }],
    ['a data request', { 'sec-fetch-dest': 'empty', accept: 'text/html' }],
    ['an older browser that fetches JSON', { accept: 'application/json' }],
    ['curl', { accept: '*/*' }],
    ['a client without Accept', {}],
  ])('never applies to %s', async (_name, headers) => {
    const request = new Request(`${origin}/cart`, { headers: headers as Record<string, string> })
    expect((await handleLanguage(request, paths)).redirect).toBeUndefined()
  })

  it('never applies to a form, a file or an excluded path', async () => {
    const options = { ...paths, exclude: ['/api', '/auth/'] }
    for (const path of ['/robots.txt', '/.well-known/x', '/api', '/api/v1/carts', '/auth/done']) {
      expect((await handleLanguage(navigation(path), options)).redirect).toBeUndefined()
    }
    const form = new Request(navigation('/cart'), { method: 'POST', body: 'a=1' })
    expect((await handleLanguage(form, options)).redirect).toBeUndefined()
    expect(locationOf((await handleLanguage(navigation('/apis'), options)).redirect)).toBe(
      '/en-US/apis',
    )
  })

  it('leaves a trailing slash to the framework', async () => {
    for (const path of ['/de-DE', '/de-DE/', '/de-DE/cart', '/de-DE/cart/']) {
      expect((await handleLanguage(navigation(path), paths)).redirect).toBeUndefined()
    }
  })

  it.each([
    '//evil.example',
    '///evil.example/x',
    '/\\evil.example',
    '/en-US//evil.example',
    '/en-US/\\evil.example',
    '/de-DE///evil.example/..//x',
    '/%2f%2fevil.example',
  ])('stays on the host: %s', async (path) => {
    const locations = await Promise.all(
      [paths, unprefixed].map(async (options) => {
        const request = navigation(path, { host: 'evil.example' })
        return locationOf((await handleLanguage(request, options)).redirect)
      }),
    )
    const redirects = locations.filter((location) => typeof location === 'string')
    expect(redirects.length).toBeGreaterThan(0)
    for (const location of redirects) {
      expect(location).toMatch(/^\/(?![/\\])/)
      expect(new URL(location, origin).origin).toBe(origin)
    }
  })
})

describe('the response headers', () => {
  const varyOf = async (request: Request, strategies: readonly string[]) =>
    (
      await handleLanguage(request, { strategies, profile: () => undefined, prefixDefault: true })
    ).headers.get('vary')

  it('vary by all headers that may change the language', async () => {
    const signedIn = navigation('/', { cookie: 'uilm-language=de-DE' })
    // Another visitor without the cookie gets the language of the browser.
    expect(await varyOf(signedIn, ['cookie', 'header'])).toBe('Cookie, Accept-Language')
    expect(await varyOf(signedIn, ['profile'])).toBe('Cookie, Authorization')
    expect(await varyOf(navigation('/de-DE'), ['path', 'cookie'])).toBeNull()
    expect(await varyOf(navigation('/de-DE?language=de'), ['header', 'query', 'cookie'])).toBe(
      'Accept-Language',
    )
  })

  it('store the language of an address in a cookie, for documents', async () => {
    const cookieOf = async (request: Request) =>
      (await handleLanguage(request, paths)).headers.get('set-cookie')
    const cookie = 'uilm-language=de-DE; Path=/; Max-Age=31536000; SameSite=Lax; Secure'
    expect(await cookieOf(navigation('/de-DE/cart'))).toBe(cookie)
    expect(await cookieOf(navigation('/de-DE', { cookie: 'uilm-language=de-DE' }))).toBeNull()
    expect(await cookieOf(navigation('/', { 'accept-language': 'de' }))).toBeNull()
    expect(await cookieOf(new Request(`${origin}/de-DE/cart`))).toBeNull()
    const local = new Request('http://localhost/de-DE', { headers: { accept: 'text/html' } })
    expect(await cookieOf(local)).not.toContain('Secure')
  })

  it('are added to responses that cannot be changed', async () => {
    const headers = new Headers({ vary: 'Cookie' })
    const fetched = await fetch('data:text/plain,cart')
    const response = server.addHeaders(fetched, headers)
    expect([response.headers.get('vary'), await response.text()]).toEqual(['Cookie', 'cart'])
    const own = new Response('', { headers: { vary: 'Origin' } })
    expect(server.addHeaders(own, headers)).toBe(own)
    expect(own.headers.get('vary')).toBe('Origin, Cookie')
  })
})

describe('addresses', () => {
  const options = {
    ...paths,
    prefixes: { 'de-DE': 'de' },
    pathnames: {
      '/about': { 'de-DE': '/über-uns', 'fr-FR': '/a-propos' },
      '/products/[id]': { 'de-DE': '/produkte/[id]' },
    },
  }

  it('have localized path names', async () => {
    expect(localizeHref('/about?a=1#team', 'de-DE', options)).toBe('/de/%C3%BCber-uns?a=1#team')
    expect(localizeHref('/de/produkte/7', 'fr-FR', options)).toBe('/fr-FR/products/7')
    expect(localizeHref('/fr-FR/products/7/', 'de-DE', options)).toBe('/de/produkte/7/')
    expect(delocalizeHref('/de/über-uns', options)).toBe('/about')
    const { url, redirect } = await handleLanguage(navigation('/de/products/7'), options)
    expect([url.pathname, locationOf(redirect)]).toEqual(['/products/7', '/de/produkte/7'])
  })

  it('of other hosts stay as they are', () => {
    for (const href of ['https://other.example/x', '//other.example', 'mailto:a@b.example', '#x']) {
      expect(localizeHref(href, 'de-DE', options)).toBe(href)
      expect(delocalizeHref(href, options)).toBe(href)
    }
  })

  it('are listed for all languages', () => {
    const links = alternateLinks(`${origin}/de/produkte/7?a=1`, {
      ...options,
      origin: 'https://a.b',
    })
    expect(links).toEqual([
      { hreflang: 'en-US', href: 'https://a.b/en-US/products/7?a=1' },
      { hreflang: 'de-DE', href: 'https://a.b/de/produkte/7?a=1' },
      { hreflang: 'fr-FR', href: 'https://a.b/fr-FR/products/7?a=1' },
      { hreflang: 'ar-EG', href: 'https://a.b/ar-EG/products/7?a=1' },
      { hreflang: 'x-default', href: 'https://a.b/products/7?a=1' },
    ])
    const hosts = { strategies: ['domain'], domains: { 'de-DE': 'shop.de', 'en-US': 'shop.com' } }
    expect(alternateLinks('https://shop.com./cart', hosts)).toEqual(
      alternateLinks('https://shop.com/cart', hosts),
    )
    expect(alternateLinks('https://shop.com/cart', hosts).map(({ href }) => href)).toEqual([
      'https://shop.com/cart',
      'https://shop.de/cart',
      'https://shop.com/cart',
      'https://shop.com/cart',
      'https://shop.com/cart',
    ])
    expect(alternateLinks(`${origin}/cart`, { strategies: ['query'] })[1]).toEqual({
      hreflang: 'de-DE',
      href: `${origin}/cart?language=de-DE`,
    })
    expect(alternateLinks({ href: `${origin}/cart` }, { strategies: ['query'] })[1]?.href).toBe(
      alternateLinks(`${origin}/cart`, { strategies: ['query'] })[1]?.href,
    )
    expect(alternateLinks(`${origin}/cart`)).toEqual([])
  })
})

it('sets the attributes of the root element', () => {
  const attributes = 'lang="ar-EG" dir="rtl" data-uilm="ar-EG"'
  expect(server.setHtmlLanguage('<!doctype html><HTML lang=en class="a" dir="ltr">', 'ar-EG')).toBe(
    `<!doctype html><html ${attributes} class="a">`,
  )
  expect(server.setHtmlLanguage('<p>no root</p>', 'ar-EG')).toBe('<p>no root</p>')
})

it.each([
  [{ strategys: [] }, 'Unknown option "strategys"'],
  [{ strategies: ['subdomain'] }, 'Unknown strategy "subdomain"'],
  [{ strategies: ['toString'] }, 'Unknown strategy "toString"'],
  [{ strategies: ['profile'] }, 'requires the option profile'],
  [{ prefixes: { de: 'de' } }, 'Unknown language "de"'],
  [{ pathnames: { '/a': { xx: '/b' } } }, 'Unknown language "xx"'],
])('rejects the options %o', async (options, message) => {
  await expect(handleLanguage(navigation('/'), options)).rejects.toThrow(message)
})

describe('for any address', () => {
  const text = fc.oneof(
    fc.constantFrom('', '/', '//', '\\', '..', '.', '%2f', 'de-DE', 'EN-us', 'cart', '@', ':', 'ü'),
    fc.string({ maxLength: 6 }),
  )
  const address = fc
    .array(text, { maxLength: 6 })
    .map((parts) => `/${parts.join('/').replaceAll(/[?#]/g, '')}`)
  const setting = fc.record({
    prefixDefault: fc.boolean(),
    strategies: fc.shuffledSubarray(['path', 'query', 'cookie', 'header']),
  })
  const headers = fc.record({
    cookie: fc.constantFrom('', 'uilm-language=de-DE', 'uilm-language=fr-FR'),
    'accept-language': fc.constantFrom('', 'de', 'ar, fr'),
  })

  it('a redirect stays on the host and is followed by none', async () => {
    await fc.assert(
      fc.asyncProperty(address, setting, headers, async (path, options, sent) => {
        const first = await handleLanguage(navigation(path, sent), options)
        const location = locationOf(first.redirect)
        fc.pre(typeof location === 'string')
        const next = new URL(location!, navigation(path).url)
        expect(next.origin).toBe(origin)
        const second = await handleLanguage(navigation(location!, sent), options)
        expect([second.language, second.redirect]).toEqual([first.language, undefined])
        expect(second.url.href).toBe(first.url.href)
      }),
      { numRuns: 1000 },
    )
  })

  it('the address in a language has that language, and the page stays the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        address,
        fc.constantFrom(...codes),
        fc.boolean(),
        async (path, language, prefixDefault) => {
          const options = { ...paths, prefixDefault }
          const href = localizeHref(path, language, options)
          fc.pre(href !== path || /^\/(?![/\\])/.test(path))
          const { pathname } = new URL(href, origin)
          const result = await handleLanguage(navigation(pathname), options)
          expect([result.language, result.redirect]).toEqual([language, undefined])
          expect(delocalizeHref(href, options)).toBe(delocalizeHref(path, options))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('two visitors of one cached response have one language', async () => {
    await fc.assert(
      fc.asyncProperty(address, setting, headers, headers, async (path, options, one, other) => {
        const [a, b] = await Promise.all(
          [one, other].map((sent) => handleLanguage(navigation(path, sent), options)),
        )
        const vary = (a!.headers.get('vary') ?? '').toLowerCase().split(', ')
        const isServed = (Object.keys(one) as (keyof typeof one)[]).every(
          (name) => !vary.includes(name) || one[name] === other[name],
        )
        fc.pre(isServed)
        expect(b!.language).toBe(a!.language)
        expect(locationOf(b!.redirect)).toBe(locationOf(a!.redirect))
      }),
      { numRuns: 1000 },
    )
  })
})
