/** Returns whether a value is an object and not an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Parses JSON, also after the byte order mark that editors on Windows add; returns undefined if it
 * is invalid.
 *
 * @param parse `parseExactJson` reads integers beyond 2^53 - 1 as bigints; JSON.parse rounds them.
 */
export function parseJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}
