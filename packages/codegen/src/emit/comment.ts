/**
 * Escapes text of the listing for a block comment: it cannot end the comment, start a
 * JSDoc tag, break the line or change the text direction.
 */
export function commentText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('*/', '*\\/')
    .replaceAll(/(^|[\s{])@/g, '$1\\@')
    .trim()
}

/** Formats text as inline code in a comment. */
export function commentCode(text: string): string {
  return `\`${commentText(text).replaceAll('`', "'")}\``
}
