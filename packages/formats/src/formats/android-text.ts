/** Characters that are written as escapes: white space that is not a single space, and controls. */
const escapedCharacters = /[^\S ]|[\0-\x1F\x7F-\x9F\u200B\uFEFF\uFFFE\uFFFF]/g

/** Escapes a text for string resources, which collapse white space and give quotes a meaning. */
export const escapeAndroid = (text: string): string =>
  text
    .replaceAll(/[\\'"]/g, String.raw`\$&`)
    .replace(/^[@?#]/, String.raw`\$&`)
    .replaceAll(escapedCharacters, (character) =>
      character === '\n'
        ? String.raw`\n`
        : character === '\t'
          ? String.raw`\t`
          : unicode(character),
    )
    // Only a single space between other characters is kept.
    .replaceAll(/^ | $|(?<= ) /g, unicode(' '))

const unicode = (character: string): string =>
  String.raw`\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

/** Returns the text of a string resource: without escapes, and with white space as it is shown. */
export function unescapeAndroid(raw: string): string {
  let text = ''
  let isQuoted = false
  /** Number of characters that are not removed as white space at the end. */
  let kept = 0
  for (const [token, escape, code] of raw.matchAll(/\\(u([\dA-Fa-f]{4})|[^])|\s+|[^]/gu)) {
    if (escape !== undefined) {
      text +=
        code === undefined
          ? (named[escape] ?? escape)
          : String.fromCharCode(Number.parseInt(code, 16))
      kept = text.length
    } else if (token === '"') {
      isQuoted = !isQuoted
      kept = text.length
    } else if (isQuoted) {
      text += token
      kept = text.length
    } else if (/^\s/.test(token)) {
      if (kept > 0 || text !== '') text += ' '
    } else {
      text += token
      kept = text.length
    }
  }
  return text.slice(0, kept)
}

const named: Readonly<Record<string, string>> = { n: '\n', t: '\t' }
