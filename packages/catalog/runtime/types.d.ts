/** Translation of a message in a pack. */
export type Entry = string | ((args: object, plural: Plural) => string)

/** Function for plural categories, with the time zone of dates: what translations need of the page. */
export interface Plural {
  (count: number, language?: string): string
  readonly timeZone: string | undefined
}

export interface Entries {
  readonly [index: string | number]: Entry
}

export type Load = (language: string) => Promise<{ readonly default: Entries }>

/** Translations of some messages, of one chunk for example. */
export interface Pack {
  /** Translations in the current language. */
  entries: Entries
  readonly load: Load
  /** Translations in the languages of localizers. */
  by?: Record<string, Entries>
}

/** Language and time zone of the work of a localizer. */
export interface Scope {
  readonly language: string
  readonly timeZone: string | undefined
}

/** Content of `uilm-current.json`. */
export interface Pointer {
  /** Hash of the newest packs of a chunk by that of the built ones. */
  readonly packs: Readonly<Record<string, string>>
  /** Display names by language, starting with the default language. */
  readonly languages: Readonly<Record<string, string>>
  readonly rtl: readonly string[]
  /** Order in which the page asked for it. */
  turn: number
  /** The pointer as the server sent it; undefined for the packs of the build. */
  readonly text?: string
}
