/** Configuration of the project. `emitProject` generates the code of this module. */

/** Language codes, starting with the default language. Live updates change the list. */
export const languages: string[]
export let defaultLanguage: string
/** Exported with live updates only. */
export const setDefaultLanguage: (language: string) => void
/** Display names by language. Live updates add to them. */
export const names: Record<string, string>
/** Languages that are written from right to left. Live updates add to them. */
export const rightToLeft: string[]
/** Language of the project by other codes of it. */
export const aliases: Readonly<Record<string, string>>
/** Initial language of every page; detected from the visitor by default. */
export const initialLanguage: string | undefined
/** Storage key under which the browser stores the chosen language. */
export const storageKey: string
/** Name of the cookie with the chosen language. */
export const cookieName: string
/** Also stores the chosen language in the cookie, for servers. */
export const storesCookie: boolean
/** Exported with live updates only. */
export const live: {
  /** URL of `uilm-current.json`, relative to the page. */
  readonly url: string
  /** Time at which a page checks for newer packs: at its start, also at navigations, or every n seconds. */
  readonly check: 'start' | 'navigation' | number
  /** Maximum time in milliseconds that the first packs wait for the URL; 0 for none. */
  readonly waitMs: number
}
