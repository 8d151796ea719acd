/**
 * Characters that are invisible but change the text around them, hide text in it, or control a
 * terminal: control and format characters, and line separators. Zero-width spaces and joiners are
 * part of the text after a letter, mark or symbol that they may join, as in Persian, Khmer and emoji.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}](?<![\p{Lo}\p{M}\p{S}][\u200b-\u200d])/gu

/**
 * Escapes control, bidirectional and zero-width characters (`\u202e`) in one line, so that a key or a
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

/** Returns the escape of each UTF-16 code unit of a character: `\u202e`. */
export const unicodeEscape = (character: string): string =>
  // Without the flag u, each unit of a surrogate pair matches.
  character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
