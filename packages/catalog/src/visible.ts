/**
 * Characters that are invisible but change the text around them: control characters, line
 * separators, directional marks and the byte order mark.
 */
const invisible = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/**
 * Escapes control and bidirectional characters (`\u202e`), so that a key or a translation
 * cannot disguise the line that it is printed in.
 */
export const escapeInvisible = (text: string): string => text.replaceAll(invisible, unicodeEscape)

/** Returns the escape of a UTF-16 code unit: `\u202e`. */
export const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
