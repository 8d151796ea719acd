/** Escapes and quotes of strings, and numbers, or what looks like one within a string. */
const tokens = /\\[^]|"|-?\d[\d.eE+-]*(?!\s*:)/g

const isUnsafeInteger = (token: string): boolean =>
  /^-?[1-9]\d{15,}$/.test(token) && !Number.isSafeInteger(Number(token))

/**
 * Parses JSON, like JSON.parse, which rounds integers beyond 2^53 - 1. Each of them is a bigint
 * here; all other numbers are numbers.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  // Only integers of 16 digits and more can be rounded.
  if (!/\d{16}/.test(text)) return JSON.parse(text) as unknown
  const mark = unusedMark(text)
  let isInString = false
  const marked = text.replace(tokens, (token) => {
    if (token === '"') isInString = !isInString
    return !isInString && isUnsafeInteger(token) ? `"${mark}${token}"` : token
  })
  if (marked.length === text.length) return JSON.parse(text) as unknown
  const start = JSON.parse(`"${mark}"`) as string
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(start)
      ? BigInt(value.slice(start.length))
      : value,
  ) as unknown
}

/** Returns the JSON of a text that no string of the text contains. */
function unusedMark(text: string): string {
  // JSON has no other form of the character U+0001.
  const used = new Set(text.match(/\\u0001\d+:/g))
  let count = 0
  while (used.has(`\\u0001${count}:`)) count++
  return `\\u0001${count}:`
}

/**
 * Prints a value as JSON, like JSON.stringify, which has no form for a bigint. It is printed in
 * digits, as {@link parseExactJson} reads it.
 *
 * @param indent Spaces before the members of each level; by default the text has one line.
 */
export function printExactJson(value: unknown, indent?: number): string {
  if (!hasBigint(value)) return JSON.stringify(value, undefined, indent)
  const print = (start: string): string =>
    JSON.stringify(
      value,
      (_, one: unknown) => (typeof one === 'bigint' ? `${start}${one}` : one),
      indent,
    )
  const mark = unusedMark(print(''))
  const marked = new RegExp(`"\\${mark}(-?\\d+)"`, 'g')
  return print(JSON.parse(`"${mark}"`) as string).replace(marked, '$1')
}

function hasBigint(value: unknown): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(hasBigint)
}
