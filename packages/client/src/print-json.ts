/**
 * Prints a value as JSON, like JSON.stringify, which returns undefined for undefined. That would
 * also turn NaN, infinities and invalid dates into null, and maps, typed arrays and promises into
 * other objects. It has no form for a bigint, which is printed in digits.
 *
 * Only for values that an application composes: documents of the gateway and metadata. The bodies of
 * other routes have few numbers, which `request.ts` checks in a line that every page can load.
 * Generated code has no dependencies, so `gateway-request.ts` of codegen checks its variables itself.
 *
 * @param isOptional Returns whether the member at a path may be undefined; every one by default.
 * @param above Objects and lists that contain the value.
 * @throws TypeError that names such a value and its path, and one that contains itself.
 */
export function printJson(
  given: unknown,
  isOptional: (path: string) => boolean = () => true,
  path = '',
  above: readonly unknown[] = [],
): string | undefined {
  if (typeof given === 'bigint') return `${given}`
  const { toJSON } = Object(given) as { readonly toJSON?: unknown }
  const value: unknown = typeof toJSON === 'function' ? toJSON.call(given) : given
  if (value === undefined && isOptional(path)) return undefined
  const inside = [...above, value]
  if (above.includes(value)) throw new TypeError(`${path} is circular. Nothing was sent`)
  if (Array.isArray(value)) {
    const items = Array.from(value, (item, index) =>
      printJson(
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
      const text = printJson(member, isOptional, path ? `${path}.${name}` : name, inside)
      return text ? `${JSON.stringify(name)}:${text}` : []
    })
    return `{${members}}`
  }
  // Maps, typed arrays and other objects would lose what they contain.
  const text = Object(value) === value ? undefined : JSON.stringify(value)
  // Functions have no text, and NaN and invalid dates are null.
  if (!text || (text === 'null' && given !== null)) {
    throw new TypeError(`${path} is ${String(given)}. Nothing was sent`)
  }
  return text
}
