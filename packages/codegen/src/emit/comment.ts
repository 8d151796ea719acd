/**
 * Makes text of the listing harmless inside a block comment: it cannot end the
 * comment, begin a JSDoc tag, break the line or turn the reading direction.
 */
export function commentText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('*/', '*\\/')
    .replaceAll(/(^|[\s{])@/g, '$1\\@')
    .trim()
}

/** Text as inline code in a comment. */
export function commentCode(text: string): string {
  return `\`${commentText(text).replaceAll('`', "'")}\``
}
