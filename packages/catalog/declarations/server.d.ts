/** Returns the language that fits an Accept-Language header best, or else the default. */
export function matchLanguage(acceptLanguage: string | null | undefined): Language

/** Type of a global of the web platform; `any` if the project has no types of it. */
export type Web<Name extends string> = typeof globalThis extends {
  readonly [name in Name]: new (...args: any) => infer T
}
  ? T
  : any

/** Source of the language of a request. */
export type LanguageStrategy = 'path' | 'domain' | 'query' | 'cookie' | 'profile' | 'header'

/** Options of `handleLanguage` and of the functions for addresses. */
export interface LanguageOptions {
  /**
   * Sources in order; the first that has a language of the project wins, otherwise the
   * default language is used. Default: `['cookie', 'header']`.
   */
  readonly strategies?: readonly LanguageStrategy[]
  /**
   * Adds the prefix to addresses of the default language too; true by default. With false,
   * every address without a prefix is in the default language.
   */
  readonly prefixDefault?: boolean
  /** Prefix of the path of a language; the language code by default. */
  readonly prefixes?: { readonly [language in Language]?: string }
  /** Host of a language, with or without the protocol, which is used in links only. */
  readonly domains?: { readonly [language in Language]?: string }
  /** Localized paths: `{ '/products/[id]': { 'de-DE': '/produkte/[id]' } }`. */
  readonly pathnames?: { readonly [path: string]: { readonly [language in Language]?: string } }
  /** Name of the query parameter; `language` by default. */
  readonly query?: string
  /** Name of the cookie; the storage key of the project by default. */
  readonly cookie?: string
  /** Returns the language code in the profile of the signed-in user. */
  readonly profile?: (request: Web<'Request'>) => unknown
  /** Paths that have no language, such as `/api`, with all paths below them. */
  readonly exclude?: readonly string[]
  /**
   * Time zone of formatted dates: a name, or a function that returns that of the visitor, from a
   * cookie for example; if that is missing or unknown, that of the server. By default the
   * server and the browser each use their own.
   */
  readonly timeZone?: string | ((request: Web<'Request'>) => unknown)
  /** Origin of the addresses in `alternateLinks`; by default that of the request. */
  readonly origin?: string
  /**
   * Reads the host and the protocol of the visitor from `X-Forwarded-Host` and
   * `X-Forwarded-Proto`. Set it only behind a proxy that overwrites these headers: otherwise
   * visitors choose them. False by default.
   */
  readonly trustProxy?: boolean
}

/** Language of a request. */
export interface RequestLanguage {
  readonly language: Language
  /** Strategy that determined the language. */
  readonly source: LanguageStrategy | 'default'
  /** Time zone of formatted dates, for `createLocalizer`. */
  readonly timeZone: string | undefined
  /** URL without the language. */
  readonly url: Web<'URL'>
  /** Request without the language in its URL. Its body can be read only once. */
  readonly request: Web<'Request'>
  /** Redirect to the canonical address of a document; undefined for all other requests. */
  readonly redirect: Web<'Response'> | undefined
  /** Headers to add to the response: `Vary`, `Content-Language` and `Set-Cookie`. */
  readonly headers: Web<'Headers'>
}

/**
 * Returns the language of a request, the headers of its response, and for a document whose
 * address is not canonical a redirect.
 *
 * @throws TypeError for an unknown option or strategy.
 * @throws RangeError for a language that is not in the project.
 */
export function handleLanguage(
  request: Web<'Request'>,
  options?: LanguageOptions,
): Promise<RequestLanguage>
/** Returns the address of a page in a language; addresses of other hosts are unchanged. */
export function localizeHref(href: string, language: Language, options?: LanguageOptions): string
/** Returns an address without its language; addresses of other hosts are unchanged. */
export function delocalizeHref(href: string, options?: LanguageOptions): string
/**
 * Returns the addresses of a page in all languages, for `<link rel="alternate">`. Empty if
 * the language is not part of the address.
 */
export function alternateLinks(
  url: string | { readonly href: string },
  options?: LanguageOptions,
): readonly { readonly hreflang: string; readonly href: string }[]
/** Sets the attributes of the root element in the HTML of a page. */
export function setHtmlLanguage(html: string, language: Language): string
/** Adds the headers of `handleLanguage` to a response; copies it if it cannot be changed. */
export function addHeaders(response: Web<'Response'>, headers: Web<'Headers'>): Web<'Response'>
