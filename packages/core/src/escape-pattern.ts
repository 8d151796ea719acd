/** Escapes a text for use in a regular expression, outside of character classes. */
export const escapePattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
