/** Browser globals that do not exist elsewhere. */
declare const localStorage: {
  readonly getItem: (name: string) => string | null
  readonly setItem: (name: string, value: string) => void
}
declare const navigator: { readonly languages: readonly string[] }
/** Types of `runtime/server.js`, declared to users in `declarations/server.d.ts`. */
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
