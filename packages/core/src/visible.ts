/**
 * Characters that are invisible but change the text around them, or control a terminal: control
 * characters, line separators, directional marks, annotations and the byte order mark.
 */
const invisible =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g

/**
 * Escapes control and bidirectional characters (`\u202e`) in one line, so that a key or a
 * translation cannot disguise the line that it is printed in.
 */
export const escapeInvisible = (text: string): string => text.replaceAll(invisible, unicodeEscape)

/**
 * Escapes the same characters in text of several lines: only line breaks and tabs are kept. All
 * output of commands and all files that they generate for people pass through it, because both
 * contain names from a service. In JSON and in string literals the escape means the same character.
 */
export const escapeOutput = (text: string): string =>
  text.replaceAll(invisible, (character, at: number) =>
    character === '\n' || character === '\t' || (character === '\r' && text[at + 1] === '\n')
      ? character
      : unicodeEscape(character),
  )

/** Returns the escape of a UTF-16 code unit: `\u202e`. */
export const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
