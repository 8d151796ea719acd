import type { CatalogLanguage } from '../model/catalog.ts'
import { isRightToLeft, languageAliases } from '../model/languages.ts'
import { jsonLiteral, stringLiteral } from './literal.ts'

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
  const codes = config.languages.map(({ code }) => code)
  const names = config.languages.map(
    ({ code, name }) => `[${stringLiteral(code)}]:${stringLiteral(name)}`,
  )
  const aliases = Object.entries(languageAliases(codes)).map(
    ([code, language]) => `${stringLiteral(code)}:${stringLiteral(language)}`,
  )
  const { live, initialLanguage } = config
  const lines = [
    `export const languages = ${jsonLiteral(codes)}`,
    `export ${live ? 'let' : 'const'} defaultLanguage = ${stringLiteral(config.defaultLanguage)}`,
    `export const names = {${names.join(',')}}`,
    `export const rightToLeft = ${jsonLiteral(codes.filter(isRightToLeft))}`,
    // No prototype: visitors may request languages named like its members.
    `export const aliases = {${['__proto__:null', ...aliases].join(',')}}`,
    `export const initialLanguage = ${initialLanguage === undefined ? 'undefined' : stringLiteral(initialLanguage)}`,
    `export const storageKey = ${stringLiteral(config.storageKey)}`,
    `export const cookieName = ${stringLiteral(encodeURIComponent(config.storageKey))}`,
    `export const storesCookie = ${config.storesCookie ?? false}`,
  ]
  if (live) {
    const { url, check, waitMs } = live
    lines.push(
      `export const live = ${jsonLiteral({ url, check, waitMs })}`,
      'export const setDefaultLanguage = (language) => { defaultLanguage = language }',
    )
  }
  return `${lines.join('\n')}\n`
}
