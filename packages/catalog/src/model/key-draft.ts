/** Key of a module. */
export interface KeyId {
  readonly module: string
  readonly key: string
}

/** Facts about a key for translators and checks. */
export interface KeyDetails {
  /** Place and purpose of the message: `button in the cart`. */
  readonly context?: string | undefined
  /** Maximum number of characters of every translation. */
  readonly maxLength?: number | undefined
  /** Source files that use the key, relative to the root. */
  readonly usedIn?: readonly string[] | undefined
}

/** New key with its source text. */
export interface KeyDraft extends KeyId, KeyDetails {
  readonly text: string
}

/** Returns the details of a key, without undefined and empty ones. */
export const detailsOf = ({ context, maxLength, usedIn }: KeyDetails): KeyDetails => ({
  ...(context ? { context } : {}),
  ...(maxLength === undefined ? {} : { maxLength }),
  ...(usedIn === undefined || usedIn.length === 0 ? {} : { usedIn: [...usedIn].sort() }),
})

/** Returns a string that identifies a key. */
export const keyId = ({ module, key }: KeyId): string => JSON.stringify([module, key])

/** Entry of a key file: details of a key and, until the source serves it, its text. */
export interface KeyEntry extends KeyDetails {
  /** Source text of a key that the source does not serve yet. */
  readonly text?: string
  /** Language of the text; the default language if undefined. */
  readonly language?: string
  /** Former key, whose translations are used until the source serves the new key. */
  readonly renamedFrom?: string
}

/** Entries of a key file by module and key. */
export type KeyEntries = ReadonlyMap<string, ReadonlyMap<string, KeyEntry>>
