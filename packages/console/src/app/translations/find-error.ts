import { locateSyntaxError, type ParseOptions } from '@servicekit/catalog/inspection'

/** Error of a message, and the number of the character that it begins at, from 1. */
export interface MessageError {
  readonly character: number
  /** Undefined for `{{` that is not closed. */
  readonly message?: string
}

/** Returns the first error of a message. @param tagError reason for which its tags are invalid */
export function findError(
  text: string,
  { syntax, markup }: ParseOptions,
  tagError?: string,
): MessageError | undefined {
  const found = locateSyntaxError(text, syntax, markup !== undefined)
  if (found) return { character: characterAt(text, found.offset), message: found.error }
  if (tagError !== undefined) {
    const offset = Math.max(0, text.search(/<\/?[A-Za-z\d]/))
    return { character: characterAt(text, offset), message: tagError }
  }
  // The parser reads unclosed braces as text, but they are probably a mistake.
  const open = syntax === 'double-brace' ? text.search(/\{\{(?![^{}]*\}\})/) : -1
  return open < 0 ? undefined : { character: characterAt(text, open) }
}

/** Returns the number of a character, from 1. Offsets count UTF-16 code units. */
const characterAt = (text: string, offset: number): number =>
  Array.from(text.slice(0, offset)).length + 1
