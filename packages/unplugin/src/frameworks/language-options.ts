import type { UilmOptions } from '../options.ts'

/**
 * Options of `handleLanguage` that a configuration can contain. `profile` is a function
 * that runs on the server, so it is passed to the adapter in the application's own code.
 */
export interface LanguageConfig {
  /** Sources in order; `['cookie', 'header']` by default. */
  readonly strategies?: readonly ('path' | 'domain' | 'query' | 'cookie' | 'header')[]
  /** Adds the prefix to addresses of the default language too; true by default. */
  readonly prefixDefault?: boolean
  /** Prefix of the path of a language; the language code by default. */
  readonly prefixes?: Readonly<Record<string, string>>
  /** Host of a language. */
  readonly domains?: Readonly<Record<string, string>>
  /** Localized paths: `{ '/about': { 'de-DE': '/ueber-uns' } }`. */
  readonly pathnames?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Name of the query parameter; `language` by default. */
  readonly query?: string
  /** Paths that have no language, with all paths below them. */
  readonly exclude?: readonly string[]
  /** Origin of alternate links; by default that of the request. */
  readonly origin?: string
  /** Time zone of formatted dates; by default the server and the browser each use their own. */
  readonly timeZone?: string
  /** Reads the host and protocol of the visitor from headers of a proxy; false by default. */
  readonly trustProxy?: boolean
}

/** Options of the plugin in a framework that also handles the language of requests. */
export interface FrameworkOptions extends UilmOptions {
  /** Sources of the language of a request. */
  readonly language?: LanguageConfig
}
