import type { KeyDraft, KeyId } from '../model/key-draft.ts'

/** Context of a call of a writer. */
export interface WriteCall {
  /** Language of the source texts. */
  readonly language: string
  readonly signal: AbortSignal
}

/** Rename of a key within its module. */
export interface KeyRename {
  readonly module: string
  readonly from: string
  readonly to: string
}

/**
 * Target of new keys: drafts of the platform, a folder, or functions of your own. Nothing of it
 * is needed to read messages.
 */
export interface KeyWriter {
  /** Name for messages: `project P1 at http://…`. */
  readonly name: string
  /** Returns all keys, drafted ones included. `text` is empty if the language has none. */
  readonly list: (call: WriteCall) => Promise<readonly KeyDraft[]>
  /**
   * Creates keys, and the modules that do not exist. Writes all or none.
   *
   * @returns `false` if one of the keys was created in the meantime; nothing is written then.
   */
  readonly create: (drafts: readonly KeyDraft[], call: WriteCall) => Promise<boolean>
  /** Removes keys in all languages. Keys that do not exist are ignored. */
  readonly remove?: (keys: readonly KeyId[], call: WriteCall) => Promise<void>
  /**
   * Renames keys in all languages, all or none.
   *
   * @returns `false` if one of the new keys already exists; nothing is written then.
   */
  readonly rename?: (changes: readonly KeyRename[], call: WriteCall) => Promise<boolean>
}

/** Import route of a deployed instance, which is not part of the interface. */
export interface ImportTarget {
  /** URL of the route; `{baseUrl}` and `{projectKey}` are replaced. */
  readonly url: string
  /** `POST` by default. */
  readonly method?: 'POST' | 'PUT'
  /** Headers in addition to the project key and the content type. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Returns the body: an object, which is sent as JSON, a string or form data. By default the
   * list of drafts: `[{module, key, text, language, context?, maxLength?}]`.
   */
  readonly body?: (drafts: readonly KeyDraft[], language: string) => object | string
}

/** Function that hands new keys to another tool. */
export type WriteFunction = (drafts: readonly KeyDraft[], call: WriteCall) => void | Promise<void>

/** Value of the option `writeTo`. */
export type WriteTarget =
  | 'platform'
  | { readonly folder: string }
  | { readonly import: ImportTarget }
  | WriteFunction
  | KeyWriter
