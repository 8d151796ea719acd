/** Translation as a file contains it, with the names that the file uses. */
export interface FileEntry {
  readonly key: string
  readonly value: string
  /** Language in the file; undefined if neither the file nor its path names one. */
  readonly language?: string | undefined
  /** Module, namespace or original file; undefined if neither the file nor its path names one. */
  readonly module?: string | undefined
  /** One-based line, or row of a table. */
  readonly line?: number | undefined
  /** True for the text that a translation was made from. */
  readonly isSource?: boolean
  readonly state?: EntryState | undefined
  /** Note for translators. */
  readonly context?: string | undefined
  /** Maximum number of characters. */
  readonly maxLength?: number | undefined
}

/**
 * State in files that have states; undefined for a finished translation that nobody approved. An
 * untranslated text is a copy of its source.
 */
export type EntryState = 'untranslated' | 'needs-review' | 'reviewed'

/** Value of a file that is not a text, and is left out. */
export interface SkippedValue {
  readonly key: string
  readonly line?: number | undefined
  /** End of a sentence that begins with the key. */
  readonly reason: string
}

/** Content of a translation file. */
export interface FileContent {
  readonly entries: readonly FileEntry[]
  readonly skipped: readonly SkippedValue[]
}

/** File to read. */
export interface InputFile {
  /** Path or name, which may tell the language and the module. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** State of a translation to write, as far as it is not that of every other one. */
type MessageState = 'reviewed' | 'needsReview'

/** Message to write, with its texts by language. Languages without a text are missing. */
export interface Message {
  readonly module: string
  readonly key: string
  readonly texts: ReadonlyMap<string, string>
  /** States by language of the translations that are reviewed or need a review. */
  readonly states?: ReadonlyMap<string, MessageState>
  readonly context?: string | undefined
  readonly maxLength?: number | undefined
}

/** Messages to write. */
export interface WriteInput {
  readonly messages: readonly Message[]
  readonly languages: readonly string[]
  /** Language that the others are translated from. */
  readonly sourceLanguage: string
}

/** Written file. */
export interface OutputFile {
  /** Relative path with forward slashes. */
  readonly path: string
  readonly content: string | Uint8Array
}
