/**
 * Characters that are invisible but change the text around them, hide text in it, or control a
 * terminal: control characters, line separators, directional marks, annotations, the byte order
 * mark, tags, and zero-width characters. After a character of a script that needs these, such as
 * Persian, Khmer or emoji, they are part of the text.
 */
const invisible =
  /[\u0000-\u001f\u007f-\u009f\u061c\u180e\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\u200b-\u200d](?<![^\p{ASCII}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Z}\p{Cf}].)/gu

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
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
