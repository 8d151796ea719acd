/** Maximum nesting of values, far below the depth at which the stack overflows. */
const maxDepth = 500

/**
 * Prints a value as JSON, like JSON.stringify, which returns undefined for undefined. That would
 * also turn NaN, infinities and invalid dates into null, and promises and maps into objects
 * without members. It has no form for a bigint, which is printed in digits.
 *
 * @param isOptional Returns whether the member at a path may be undefined; every one by default.
 * @throws TypeError that names such a value and its path, and one that contains itself.
 */
export function printJson(
  given: unknown,
  isOptional: (path: string) => boolean = () => true,
): string | undefined {
  return print(given, isOptional, '', [])
}

/** @param above Objects and lists that contain the value. */
function print(
  given: unknown,
  isOptional: (path: string) => boolean,
  path: string,
  above: readonly unknown[],
): string | undefined {
  if (typeof given === 'bigint') return `${given}`
  const { toJSON } = Object(given) as { readonly toJSON?: unknown }
  const value: unknown = typeof toJSON === 'function' ? toJSON.call(given) : given
  if (value === undefined && isOptional(path)) return undefined
  if (above.includes(value)) throw invalid(path, 'is circular')
  if (above.length > maxDepth) {
    throw invalid(`${path.slice(0, 80)}…`, `nests deeper than ${maxDepth} levels`)
  }
  const inside = [...above, value]
  if (Array.isArray(value)) {
    const items = Array.from(value, (item, index) =>
      print(
        item,
        // A list would have null in place of undefined.
        (inner) => !inner.endsWith(']') && isOptional(inner),
        `${path}[${index}]`,
        inside,
      ),
    )
    return `[${items}]`
  }
  if ({}.toString.call(value) === '[object Object]') {
    const members = Object.entries(value as object).flatMap(([name, member]) => {
      const text = print(member, isOptional, path ? `${path}.${name}` : name, inside)
      return text ? `${JSON.stringify(name)}:${text}` : []
    })
    return `{${members}}`
  }
  const text = JSON.stringify(value)
  // Functions have no text, NaN and invalid dates are null, and promises and maps have no members.
  if (!text || text === '{}' || (text === 'null' && given !== null)) {
    throw invalid(path, `is ${String(given)}`)
  }
  return text
}

const invalid = (path: string, problem: string): TypeError =>
  new TypeError(`${path} ${problem}. Nothing was sent`)
