/** Placeholders in `runtime/runtime.js` that are replaced by the project configuration. */
declare const __UILM_LANGUAGES__: readonly string[]
declare const __UILM_DEFAULT__: string
declare const __UILM_BEGIN__: string
declare const __UILM_NAMES__: Readonly<Record<string, string>>
declare const __UILM_RTL__: readonly string[]
declare const __UILM_ALIASES__: Readonly<Record<string, string>>
declare const __UILM_LIVE_URL__: string
declare const __UILM_LIVE_CHECK__: number | 'start' | 'navigation'
declare const __UILM_LIVE_WAIT__: number
declare const __UILM_STORAGE_KEY__: string
declare const __UILM_COOKIE__: string
/** Browser globals that do not exist elsewhere. */
declare const localStorage: {
  readonly getItem: (name: string) => string | null
  readonly setItem: (name: string, value: string) => void
}
declare const navigator: { readonly languages: readonly string[] }
/** Types of `runtime/server.js`, declared to users in `emit/server.ts`. */
declare type LanguageStrategy = 'path' | 'domain' | 'query' | 'cookie' | 'profile' | 'header'
declare interface LanguageOptions {
  readonly strategies?: readonly LanguageStrategy[]
  readonly prefixDefault?: boolean
  readonly prefixes?: Readonly<Record<string, string>>
  readonly domains?: Readonly<Record<string, string>>
  readonly pathnames?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly query?: string
  readonly cookie?: string
  readonly profile?: (request: Request) => unknown
  readonly exclude?: readonly string[]
  readonly origin?: string
  readonly timeZone?: string | ((request: Request) => unknown)
  readonly trustProxy?: boolean
}
