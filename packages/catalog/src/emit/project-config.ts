import type { CatalogLanguage } from '../model/catalog.ts'
import { isRightToLeft, languageAliases } from '../model/languages.ts'
import { jsonLiteral, stringLiteral } from './literal.ts'
import { type ModuleCode, printEsModule } from './module-code.ts'

/** Project configuration of the runtime. */
export interface ProjectConfig {
  readonly languages: readonly CatalogLanguage[]
  readonly defaultLanguage: string
  /** Storage key under which the browser stores the chosen language. */
  readonly storageKey: string
  /** Initial language of every page; detected from the visitor by default. */
  readonly initialLanguage?: string | undefined
  /** Also stores the chosen language in a cookie, for servers; false by default. */
  readonly storesCookie?: boolean
  /** Updates of the packs without a new build; none by default. */
  readonly live?: LiveRuntime | undefined
}

/** Configuration of live updates. */
export interface LiveRuntime {
  /** URL of `uilm-current.json`, relative to the page. */
  readonly url: string
  /** Time at which a page checks for newer packs: at its start, also at navigations, or every n seconds. */
  readonly check: 'start' | 'navigation' | number
  /** Maximum time in milliseconds that the first packs wait for the URL; 0 for none. */
  readonly waitMs: number
}

/** Emits `project.js`, which the other files of the runtime import. */
export function emitProject(config: ProjectConfig): string {
  const constants = printEsModule(projectModule(config))
  if (!config.live) return constants
  const { url, check, waitMs } = config.live
  return `${constants}export const live = ${jsonLiteral({ url, check, waitMs })}
export let defaultLanguage = ${stringLiteral(config.defaultLanguage)}
export const setDefaultLanguage = (language) => { defaultLanguage = language }
`
}

/** Returns the code of {@link emitProject}, without live updates. */
export function projectModule(config: ProjectConfig): ModuleCode {
  const codes = config.languages.map(({ code }) => code)
  const names = config.languages.map(
    ({ code, name }) => `[${stringLiteral(code)}]:${stringLiteral(name)}`,
  )
  const aliases = Object.entries(languageAliases(codes)).map(
    ([code, language]) => `${stringLiteral(code)}:${stringLiteral(language)}`,
  )
  const { initialLanguage } = config
  const constants: Readonly<Record<string, string>> = {
    languages: jsonLiteral(codes),
    // Live updates change it.
    ...(config.live ? {} : { defaultLanguage: stringLiteral(config.defaultLanguage) }),
    names: `{${names.join(',')}}`,
    rightToLeft: jsonLiteral(codes.filter(isRightToLeft)),
    // No prototype: visitors may request languages named like its members.
    aliases: `{${['__proto__:null', ...aliases].join(',')}}`,
    initialLanguage: initialLanguage === undefined ? 'undefined' : stringLiteral(initialLanguage),
    storageKey: stringLiteral(config.storageKey),
    cookieName: stringLiteral(encodeURIComponent(config.storageKey)),
    storesCookie: String(config.storesCookie ?? false),
  }
  return Object.entries(constants).map(([constant, value]) => ({
    constant,
    value,
    exportedAs: [constant],
  }))
}
