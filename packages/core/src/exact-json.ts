/**
 * Parses JSON, like JSON.parse, which rounds integers beyond 2^53 - 1. Each of them is a bigint
 * here; all other numbers are numbers. A reviver that receives the source of a number needs Node 21,
 * and any reviver makes JSON.parse twenty times slower.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  const rounded = JSON.parse(text) as unknown
  // Only integers of 16 digits and more can be rounded.
  if (!/\d{16}/.test(text)) return rounded
  const mark = unusedMark(text)
  const marked = markIntegers(text, mark)
  if (marked === text) return rounded
  return withBigints(JSON.parse(marked), JSON.parse(`"${mark}"`) as string)
}

/** Returns valid JSON whose integers beyond 2^53 - 1 are strings that begin with the mark. */
function markIntegers(text: string, mark: string): string {
  let marked = ''
  /** End of the text that is part of the result. */
  let copied = 0
  /** End of the text whose quotes are counted. */
  let counted = 0
  let isInString = false
  // The types of TypeScript 5.3 allow a match without an index.
  for (const { 0: digits, index = 0 } of text.matchAll(/-?\d{16,}/g)) {
    for (;;) {
      const quote = text.indexOf('"', counted)
      if (quote === -1 || quote > index) break
      if (!isInString || !isEscaped(text, quote)) isInString = !isInString
      counted = quote + 1
    }
    const end = index + digits.length
    const isPart = /[.eE+]/.test((text[index - 1] ?? '') + (text[end] ?? ''))
    if (isInString || isPart || Number.isSafeInteger(Number(digits))) continue
    marked += `${text.slice(copied, index)}"${mark}${digits}"`
    copied = end
  }
  return marked + text.slice(copied)
}

/** Returns whether a quote within a string follows an odd number of backslashes. */
function isEscaped(text: string, quote: number): boolean {
  let start = quote
  while (text[start - 1] === '\\') start--
  return (quote - start) % 2 === 1
}

/** Replaces the strings that begin with the mark. */
function withBigints(value: unknown, mark: string): unknown {
  if (typeof value === 'string') {
    return value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value
  }
  if (typeof value !== 'object' || value === null) return value
  const members = value as Record<string, unknown>
  for (const name of Object.keys(members)) members[name] = withBigints(members[name], mark)
  return value
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
      function (this: Readonly<Record<string, unknown>>, name, one: unknown) {
        // Not `one`: applications add a toJSON to bigints, which returns a string.
        const given = this[name]
        return typeof given === 'bigint' ? `${start}${given}` : one
      },
      indent,
    )
  const mark = unusedMark(print(''))
  const marked = new RegExp(`"\\${mark}(-?\\d+)"`, 'g')
  return print(JSON.parse(`"${mark}"`) as string).replace(marked, '$1')
}

/** @param seen Objects and lists that were searched. JSON.stringify fails for circular ones. */
function hasBigint(value: unknown, seen = new Set<unknown>()): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value !== 'object' || value === null || seen.has(value)) return false
  seen.add(value)
  return Object.values(value).some((member) => hasBigint(member, seen))
}
