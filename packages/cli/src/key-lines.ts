import type { KeyConflict, KeyDraft } from '@servicekit/catalog'
import { escapeInvisible } from '@servicekit/core'

/** Formats a key with its text: `cart CHECKOUT "Check out"`. */
export const keyLine = ({ module, key, text }: KeyDraft): string =>
  escapeInvisible(`${module} ${key} ${JSON.stringify(text)}`)

/** Formats a key that exists with another text. */
export const conflictLine = (conflict: KeyConflict): string =>
  escapeInvisible(
    `conflict: ${keyLine(conflict)} exists with the text ${JSON.stringify(conflict.existing)}; it was not changed`,
  )
