/**
 * Position of a string. In an element, an attribute for text, or a call every word is read by
 * users. A value that reaches these through a variable may be a code, and a property of an object
 * may be anything, so it must look like text.
 */
export type TextPosition = 'visible' | 'value' | 'property'

/** Texts that are not translated: exact texts, and regular expressions. */
export interface IgnoredTexts {
  readonly exact: ReadonlySet<string>
  readonly patterns: readonly RegExp[]
}

/** Reads the option `ignore`: `GitHub` is an exact text, `/^v\d/` a regular expression. */
export function readIgnored(ignore: readonly string[]): IgnoredTexts {
  const isPattern = (one: string): boolean => /^\/.+\/[a-z]*$/.test(one)
  return {
    exact: new Set(ignore.filter((one) => !isPattern(one))),
    patterns: ignore.filter(isPattern).map((one) => {
      const end = one.lastIndexOf('/')
      return new RegExp(one.slice(1, end), one.slice(end + 1))
    }),
  }
}

/** Stands for an expression within a text. No letter, so that it is not read as text. */
export const hole = '\u0000'

/**
 * Returns whether a string is text for users: no unit, brand, address, code or format.
 *
 * ```text
 * Sign in, Größe, 日本語, OK   text
 * px, v1.2, user_id, foo(), https://example.com, ⌘K, &nbsp;   no text
 * ```
 */
export function isText(raw: string, position: TextPosition, ignored: IgnoredTexts): boolean {
  const text = decodeEntities(raw)
    .replaceAll(/%[sdif]/g, hole)
    .replaceAll(/[\s\u00a0]+/g, ' ')
    .trim()
  if (!/\p{L}/u.test(text)) return false
  const fixed = text.replaceAll(hole, ' ').trim()
  if (ignored.exact.has(fixed) || ignored.patterns.some((one) => one.test(fixed))) return false
  if (isCode(text)) return false
  const words = text.split(new RegExp(`[\\s${hole}]+`)).filter((one) => /\p{L}/u.test(one))
  if (words.every(isUnitOrLetter)) return false
  if (position === 'visible') return !words.every(isAcronym)
  if (words.every((one) => /^[\p{Lu}\d\p{P}]+$/u.test(one))) return false
  return position === 'value' || looksLikeText(text, words)
}

/** Returns whether the value of a property looks like text: a capitalised word, or several words. */
function looksLikeText(text: string, words: readonly string[]): boolean {
  if (/[^\p{ASCII}]/u.test(text.replaceAll(/[\p{P}\p{S}\0]/gu, ''))) return true
  if (words.length === 1) return /^\p{P}*\p{Lu}\p{Ll}+[\p{Ll}\p{P}\d]*$/u.test(words[0]!)
  return !isListOfNames(text)
}

/** Class names, selectors and values of CSS. */
const isListOfNames = (text: string): boolean =>
  (/^[a-z0-9:[\]/.%_ -]+$/.test(text) && /[a-z0-9][-:[/_]\S/.test(text)) ||
  /^[.#][\w-]+(?:[\s>+~.#:]|$)/.test(text) ||
  /^[a-z-]+\([^)]*\)(?:\s|$)/.test(text) ||
  /^(?:[a-z-]+:\s*[^;]+;\s*)*[a-z-]+:\s*[^;]+;?$/.test(text)

const isCode = (text: string): boolean =>
  // Addresses, files and paths.
  /^(?:[a-z][a-z+.-]*:\/\/|mailto:|tel:|www\.|data:)\S*$/i.test(text) ||
  /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(text) ||
  /^(?:[~.]{0,2}\/|#|@)[\w$@:[\]{}*./#?=&%\0-]*$/.test(text) ||
  /^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app|json|ts|tsx|js|jsx|vue|svelte|css|html|md|yml|yaml|toml|png|jpe?g|svg|pdf|csv|txt|zip)$/i.test(
    text,
  ) ||
  /^[\w-]+\/[\w.+-]+(?:;\s*\w+=\S+)?$/.test(text) ||
  // Identifiers: snake_case, camelCase, page.title, foo(), --flag.
  /^[\w$-]*[A-Za-z0-9]_[\w$.-]*$/.test(text) ||
  /^[a-z]+[0-9]*[A-Z][\w$]*$/.test(text) ||
  /^[a-z][\w$-]*(?:\.[\w$-]+)+(?:\(\))?$/.test(text) ||
  /^[A-Za-z_$][\w$]*\(\)$/.test(text) ||
  /^--?[a-z][\w-]*$/.test(text) ||
  // Versions and colors.
  /^v?\d+(?:\.\d+)+(?:-[\w.]+)?$/i.test(text) ||
  /^(?:#[\da-f]{3,8}|(?:rgba?|hsla?|var|calc|url)\([^)]*\))$/i.test(text)

const units = new Set(
  (
    'px rem em vh vw dpi dppx fps pt ms min sec hr µs ns b kb mb gb tb pb kib mib gib tib kbit mbit gbit ' +
    'kbps mbps gbps bps hz khz mhz ghz mm cm km kg mg lb lbs oz ml cl kw kwh wh mah mph kmh km/h ' +
    'kcal db kpa bar °c °f eur usd gbp chf'
  ).split(' '),
)

/** A single letter is a symbol such as the x in 3x4, but a word in Chinese. */
function isUnitOrLetter(word: string): boolean {
  const plain = word.replaceAll(/^[\p{P}\p{S}\d]+|[\p{P}\p{S}\d]+$/gu, '')
  return /^[A-Za-z]?$/.test(plain) || units.has(plain.toLowerCase())
}

const acronyms = new Set(
  (
    'ID IDs URL URLs URI API APIs HTTP HTTPS CSS HTML JSON PDF CSV XML YAML TOML UUID GUID IP CPU GPU RAM ' +
    'SSD SQL SVG PNG JPG JPEG GIF MP3 MP4 UTC GMT SSH SSL TLS DNS JWT SHA MD5 RSA TOTP OTP QR USB VPN SDK ' +
    'CLI REST SMTP FTP TCP UDP MIME ISO IBAN BIC SKU GET POST PUT PATCH'
  ).split(' '),
)

const isAcronym = (word: string): boolean =>
  acronyms.has(word.replaceAll(/^[\p{P}\p{S}\d]+|[\p{P}\p{S}]+$/gu, ''))

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  copy: '©',
  gt: '>',
  hellip: '…',
  ldquo: '“',
  lsquo: '‘',
  lt: '<',
  mdash: '—',
  middot: '·',
  nbsp: '\u00a0',
  ndash: '–',
  quot: '"',
  rdquo: '”',
  rsquo: '’',
}

/** Decodes the entities of HTML that are common in text, which some parsers keep. */
export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
        const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex as string, 16) : 0
        return code > 0 && code <= 0x10_ffff
          ? String.fromCodePoint(code)
          : (entities[name as string] ?? whole)
      })
    : text
