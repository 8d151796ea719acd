/** Returns why a string cannot be stored, or undefined when it can. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'holds the character U+0000, which a database text cannot'
  if (/\p{Surrogate}/u.test(text)) return 'holds half of a surrogate pair, which is no character'
  return undefined
}

/** Maximum nesting of values. Real data is never that deep, and code that walks it is recursive. */
const deepest = 200

/** Returns the first problem in any string of a JSON value, with the path to it. */
export function jsonFault(value: unknown, path = '', depth = 0): string | undefined {
  if (depth > deepest) return `it nests deeper than ${deepest} levels`
  if (typeof value === 'string') {
    const fault = textFault(value)
    return fault && `${path || 'the value'} ${fault}`
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, part] of Object.entries(value)) {
    const at = path ? `${path}.${name}` : name
    const fault = textFault(name)
    const found = fault ? `the name ${JSON.stringify(at)} ${fault}` : jsonFault(part, at, depth + 1)
    if (found) return found
  }
  return undefined
}
