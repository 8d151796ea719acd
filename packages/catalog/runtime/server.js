/**
 * Language of a request: reads it from the address, a cookie, the visitor's profile or
 * Accept-Language, and creates addresses in other languages.
 * @typedef {ReturnType<typeof resolveOptions>} Settings
 */
import { cookieName } from './project.js'
import { closestLanguage, defaultLanguage, htmlAttributes, languages } from './runtime.js'

export { createLocalizer } from './runtime.js'

/** Longest Accept-Language header that is read; a longer one is cut. */
const maxHeaderLength = 1000

/** @param {string | null | undefined} header */
const preferredLanguage = (header) => {
  const wanted = (header ?? '')
    .slice(0, maxHeaderLength)
    .split(',')
    .map((part) => {
      const [code = '', ...rest] = part.trim().split(';')
      const quality = rest.map((one) => /^\s*q=([\d.]+)$/.exec(one)?.[1]).find(Boolean)
      return { code: code.trim(), quality: Number(quality ?? 1) }
    })
    .filter(({ code, quality }) => code !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return wanted.map(({ code }) => closestLanguage(code)).find(Boolean)
}

/** @param {string | null | undefined} header */
export const matchLanguage = (header) => preferredLanguage(header) ?? defaultLanguage

/** @param {string} html @param {string} language */
export const setHtmlLanguage = (html, language) =>
  html.replace(/<html\b([^>]*)>/i, (_, attributes) => {
    const others = attributes.replace(
      /\s(?:lang|dir|data-uilm|data-uilm-time-zone)(?:=(?:"[^"]*"|'[^']*'|[^\s"'>]*))?(?=\s|$)/gi,
      '',
    )
    const own = Object.entries(htmlAttributes(language))
    return `<html${own.map(([name, value]) => ` ${name}="${value}"`).join('')}${others}>`
  })

/** @type {(response: Response, headers: Headers) => Response} */
export const addHeaders = (response, headers) => {
  try {
    for (const [name, value] of headers) response.headers.append(name, value)
    return response
  } catch {
    // The headers of a fetched response cannot be changed.
    return addHeaders(new Response(response.body, response), headers)
  }
}

/** Request headers that a strategy reads. @type {Record<LanguageStrategy, readonly string[]>} */
const readHeaders = {
  path: [],
  domain: [],
  query: [],
  cookie: ['Cookie'],
  profile: ['Cookie', 'Authorization'],
  header: ['Accept-Language'],
}
const optionNames = [
  'strategies',
  'prefixDefault',
  'prefixes',
  'domains',
  'pathnames',
  'query',
  'cookie',
  'profile',
  'exclude',
  'origin',
  'timeZone',
  'trustProxy',
]

/** @param {LanguageOptions} options */
const resolveOptions = (options) => {
  for (const name of Object.keys(options)) {
    if (!optionNames.includes(name)) {
      throw new TypeError(`Unknown option "${name}". Options: ${optionNames.join(', ')}`)
    }
  }
  const { strategies = ['cookie', 'header'], prefixes = {}, domains = {}, pathnames = {} } = options
  for (const strategy of strategies) {
    if (!Object.hasOwn(readHeaders, strategy)) {
      const known = Object.keys(readHeaders).join(', ')
      throw new TypeError(`Unknown strategy "${strategy}". Strategies: ${known}`)
    }
  }
  if (strategies.includes('profile') && !options.profile) {
    throw new TypeError('The strategy "profile" requires the option profile')
  }
  for (const code of [prefixes, domains, ...Object.values(pathnames)].flatMap(Object.keys)) {
    if (!languages.includes(code)) {
      throw new RangeError(`Unknown language "${code}". Known languages: ${languages.join(', ')}`)
    }
  }
  const hasPath = strategies.includes('path')
  const hasDomain = strategies.includes('domain')
  const own = hasDomain ? Object.entries(domains) : []
  return {
    strategies,
    hasPath,
    profile: options.profile,
    query: options.query ?? 'language',
    hasQuery: strategies.includes('query'),
    cookie: options.cookie ?? cookieName,
    origin: options.origin,
    timeZone: options.timeZone,
    trustProxy: options.trustProxy ?? false,
    exclude: (options.exclude ?? []).map((path) => path.replace(/\/+$/, '')),
    prefixDefault: options.prefixDefault ?? true,
    prefixes: new Map(languages.map((code) => [code, prefixes[code] ?? code])),
    origins: new Map(
      own.map(([code, host]) => [
        code,
        parseAddress(/:\/\//.test(host) ? host : `https://${host}`).origin,
      ]),
    ),
    pathnames: Object.entries(pathnames).map(([internal, translated]) => ({
      internal: segmentsOf(internal),
      translated: new Map(
        Object.entries(translated).map(([code, path]) => [code, segmentsOf(path)]),
      ),
    })),
  }
}

/** @type {WeakMap<LanguageOptions, Settings>} */
const resolved = new WeakMap()
/** @type {LanguageOptions} */
const noOptions = {}
/** @param {LanguageOptions} [options] */
const settingsOf = (options = noOptions) => {
  const settings = resolved.get(options) ?? resolveOptions(options)
  resolved.set(options, settings)
  return settings
}

/** Splits a path; characters are encoded as in a request. @param {string} path */
const segmentsOf = (path) => new URL(`http://x/${path}`).pathname.split('/').filter(Boolean)

/** @param {readonly string[]} pattern @param {readonly string[]} path */
const matchSegments = (pattern, path) => {
  if (pattern.length !== path.length) return undefined
  /** @type {Map<string, string>} */
  const values = new Map()
  const matches = pattern.every((part, index) => {
    if (!/^\[.+\]$/.test(part)) return part === path[index]
    values.set(part, /** @type {string} */ (path[index]))
    return true
  })
  return matches ? values : undefined
}

/**
 * Rewrites a path that matches `from` to `to`.
 * @param {string} path
 * @param {readonly string[] | undefined} from
 * @param {readonly string[] | undefined} to
 */
const rewritePath = (path, from, to) => {
  const values = from && to && matchSegments(from, path.split('/').filter(Boolean))
  if (!values) return undefined
  const end = path.endsWith('/') ? '/' : ''
  return `/${to.map((part) => values.get(part) ?? part).join('/')}${to.length > 0 ? end : ''}`
}

/** Several slashes would begin another host: `//evil.example`. @param {string} path */
const ownPath = (path) => path.replace(/^[/\\]*/, '/')

/** @param {string} path @param {Settings} settings */
const languageOfPrefix = (path, { hasPath, prefixes }) => {
  const [, first = ''] = /^\/+([^/]*)/.exec(path.toLowerCase()) ?? []
  return languages.find((code) => hasPath && prefixes.get(code)?.toLowerCase() === first)
}

/**
 * Parses an absolute URL, without the dot that ends a fully qualified name: `shop.de.` is `shop.de`.
 * @param {string} address
 */
const parseAddress = (address) => {
  const url = new URL(address)
  url.hostname = url.hostname.replace(/\.$/, '')
  return url
}

/**
 * Compares hosts, not origins: behind a proxy that ended TLS, the request has another
 * protocol than its visitor, and may name the port of the other one.
 * @param {string | undefined} origin
 * @param {string} host
 */
const hasHost = (origin, host) =>
  origin !== undefined && withoutDefaultPort(new URL(origin).host) === withoutDefaultPort(host)
/** @param {string} host */
const withoutDefaultPort = (host) => host.replace(/:(?:80|443)$/, '')

/**
 * Returns the URL that the visitor requested, which a proxy forwards in headers.
 * @param {Request} request
 * @param {Settings} settings
 */
const visitedUrl = ({ url, headers }, { trustProxy }) => {
  const visited = parseAddress(url)
  if (!trustProxy) return visited
  // The proxy next to the visitor is the first.
  /** @param {string} name */
  const first = (name) => headers.get(name)?.split(',', 1)[0]?.trim().toLowerCase() ?? ''
  const protocol = first('x-forwarded-proto')
  const host = first('x-forwarded-host')
  if (protocol === 'http' || protocol === 'https') visited.protocol = protocol
  if (/^[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/.test(host)) {
    // Without it, the port of the request would remain.
    visited.port = ''
    visited.host = host.replace(/\.(?=:|$)/, '')
  }
  return visited
}

/**
 * Returns the language of the prefix and the path without its language.
 * @param {URL} url
 * @param {Settings} settings
 */
const readPath = ({ pathname, host }, settings) => {
  const { pathnames, origins } = settings
  const prefixed = languageOfPrefix(pathname, settings)
  const domain = languages.find((code) => hasHost(origins.get(code), host))
  const path = ownPath(prefixed === undefined ? pathname : pathname.replace(/^\/+[^/]*/, ''))
  const likely = prefixed ?? domain ?? defaultLanguage
  const found = pathnames
    .flatMap(({ internal, translated }) =>
      [likely, ...languages].map((code) => rewritePath(path, translated.get(code), internal)),
    )
    .find(Boolean)
  return { prefixed, domain, path: found ?? path }
}

/**
 * Returns the path of a page in a language; with a prefix unless the host has that language.
 * @param {string} path without its language
 * @param {string} language
 * @param {string} host
 * @param {Settings} settings
 */
const pathIn = (path, language, host, settings) => {
  const { hasPath, prefixDefault, prefixes, pathnames, origins } = settings
  const own = pathnames
    .map(({ internal, translated }) => rewritePath(path, internal, translated.get(language)))
    .find(Boolean)
  const localized = own ?? path
  const isPlain =
    hasHost(origins.get(language), host) || (language === defaultLanguage && !prefixDefault)
  // A path may begin like a prefix: /en-US/de-DE.
  if (!hasPath || (isPlain && !languageOfPrefix(localized, settings))) return localized
  return `/${prefixes.get(language)}${localized === '/' ? '' : localized}`
}

/** @param {URL} url @param {Settings} settings */
const searchOf = (url, { hasQuery, query }) => {
  if (!hasQuery || !url.searchParams.has(query)) return url.search
  const others = new URLSearchParams(url.search)
  others.delete(query)
  return others.size > 0 ? `?${others}` : ''
}

/** @param {string | null} header @param {string} name */
const cookieLanguage = (header, name) => {
  const start = `${name}=`
  const pair = header
    ?.split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(start))
  return languages.find((code) => code === pair?.slice(start.length))
}

/** @param {Request} request @param {string} path */
const isDocument = ({ method, headers }, path) => {
  if (!/^(?:GET|HEAD)$/.test(method) || isFile(path)) return false
  const destination = headers.get('sec-fetch-dest')
  if (destination) return destination === 'document' || destination === 'iframe'
  // Older browsers and crawlers. Data requests of frameworks do not accept HTML.
  return /\btext\/html\b/.test(headers.get('accept') ?? '')
}
/** @param {string} path */
const isFile = (path) =>
  /\.(?!html?$)[a-z][a-z\d]{1,4}$/i.test(path) || path.startsWith('/.well-known/')

/** @param {Request} request @param {LanguageOptions} [options] */
export const handleLanguage = async (request, options) => {
  const settings = settingsOf(options)
  const { strategies, hasPath, prefixDefault, exclude } = settings
  const url = visitedUrl(request, settings)
  const { prefixed, domain, path } = readPath(url, settings)
  const chosen = cookieLanguage(request.headers.get('cookie'), settings.cookie)
  /** @type {Record<LanguageStrategy, () => string | undefined | Promise<string | undefined>>} */
  const readers = {
    path: () => prefixed ?? (prefixDefault ? undefined : defaultLanguage),
    domain: () => domain,
    query: () => closestLanguage(url.searchParams.get(settings.query) ?? '') || undefined,
    cookie: () => chosen,
    profile: async () =>
      closestLanguage(String((await settings.profile?.(request)) ?? '')) || undefined,
    header: () => preferredLanguage(request.headers.get('accept-language')),
  }
  /** @type {LanguageStrategy | 'default'} */
  let source = 'default'
  let language = defaultLanguage
  /** @type {Set<string>} */
  const vary = new Set()
  for (const strategy of strategies) {
    /** @type {boolean} */
    const isDecided = source !== 'default'
    const isInAddress = readHeaders[strategy].length === 0
    for (const name of readHeaders[strategy]) vary.add(name)
    /** @type {string | undefined} */
    const found = isDecided && !isInAddress ? undefined : await readers[strategy]()
    if (!found) continue
    if (!isDecided) [source, language] = [strategy, found]
    // All visitors of this address have the language, so later strategies have no effect.
    if (isInAddress) break
  }
  let { timeZone } = settings
  if (typeof timeZone === 'function') {
    // It probably reads a cookie.
    vary.add('Cookie')
    timeZone = knownTimeZone(await timeZone(request))
  }
  const isExcluded = exclude.some((one) => path === one || path.startsWith(`${one}/`))
  const headers = new Headers()
  const isPage = isDocument(request, path) && !isExcluded
  /** @type {Response | undefined} */
  let redirect
  if (!isExcluded) {
    const target = pathIn(path, language, url.host, settings) + searchOf(url, settings)
    const isCanonical = !hasPath || withoutSlash(target) === withoutSlash(url.pathname + url.search)
    if (!isCanonical) for (const name of ['Accept', 'Sec-Fetch-Dest']) vary.add(name)
    if (vary.size > 0) headers.set('vary', [...vary].join(', '))
    const isChoice = source === 'path' || source === 'query'
    if (isPage && isChoice && strategies.includes('cookie') && chosen !== language) {
      const secure = url.protocol === 'https:' ? '; Secure' : ''
      const value = `${settings.cookie}=${language}; Path=/; Max-Age=31536000; SameSite=Lax`
      headers.set('set-cookie', value + secure)
    }
    if (isPage && !isCanonical) {
      const status = source === 'path' ? 308 : 307
      redirect = new Response(null, { status, headers: [...headers, ['location', target]] })
    }
    headers.set('content-language', language)
  }
  const plain = new URL(request.url)
  plain.pathname = path
  plain.search = searchOf(url, settings)
  return {
    language,
    source,
    timeZone,
    url: plain,
    get request() {
      return plain.href === new URL(request.url).href ? request : new Request(plain, request)
    },
    redirect,
    headers,
  }
}
/**
 * Returns a time zone that a visitor sent, or else that of the server, which the browser then
 * hydrates in.
 * @param {unknown} name
 */
const knownTimeZone = (name) => {
  try {
    if (typeof name === 'string') return canonicalTimeZone(name)
  } catch {
    // Unknown.
  }
  return canonicalTimeZone()
}
/** @param {string} [timeZone] */
const canonicalTimeZone = (timeZone) =>
  new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
/** @param {string} address */
const withoutSlash = (address) => address.replace(/\/(?=\?|$)/, '')

/** @param {string} href @param {string} language @param {LanguageOptions} [options] */
export const localizeHref = (href, language, options) => {
  // Addresses of other hosts.
  if (!/^\/(?![/\\])/.test(href)) return href
  const settings = settingsOf(options)
  const url = new URL(href, 'http://x')
  const { path } = readPath(url, settings)
  const home = settings.origins.get(language) ?? ''
  const target = pathIn(path, language, home ? new URL(home).host : 'x', settings)
  url.search = searchOf(url, settings)
  if (settings.hasQuery && !settings.hasPath && !home)
    url.searchParams.set(settings.query, language)
  return home + target + url.search + url.hash
}

/** @param {string} href @param {LanguageOptions} [options] */
export const delocalizeHref = (href, options) => {
  if (!/^\/(?![/\\])/.test(href)) return href
  const settings = settingsOf(options)
  const url = new URL(href, 'http://x')
  return readPath(url, settings).path + searchOf(url, settings) + url.hash
}

/** @param {string | { readonly href: string }} address @param {LanguageOptions} [options] */
export const alternateLinks = (address, options) => {
  const settings = settingsOf(options)
  const { hasPath, hasQuery, origins, prefixDefault } = settings
  if (!hasPath && !hasQuery && origins.size === 0) return []
  const url = parseAddress(typeof address === 'string' ? address : address.href)
  const base = settings.origin ?? url.origin
  /** @param {string} language */
  const hrefIn = (language) =>
    new URL(localizeHref(url.pathname + url.search, language, options), base).href
  const plain = new URL(delocalizeHref(url.pathname + url.search, options), base).href
  return [
    ...languages.map((language) => ({
      hreflang: language.replaceAll('_', '-'),
      href: hrefIn(language),
    })),
    // The unprefixed address redirects to the language of the visitor.
    { hreflang: 'x-default', href: hasPath && prefixDefault ? plain : hrefIn(defaultLanguage) },
  ]
}
