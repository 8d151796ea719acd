/** Tree without a prototype, so that a segment may have any name. */
type Tree = { [segment: string]: string | Tree }

const emptyTree = (): Tree => Object.create(null) as Tree

/**
 * Builds the file of the language `key`: each key as its own value, nested at the dots.
 *
 * A key whose beginning is itself a key cannot be nested and stays flat: `a` and `a.b`
 * become `{"a": "a", "a.b": "a.b"}`.
 */
export function keyFile(keys: readonly string[]): Readonly<Record<string, unknown>> {
  const known = new Set(keys)
  const root = emptyTree()
  for (const key of keys) {
    const segments = key.split('.')
    if (hasKeyAbove(segments, known)) {
      root[key] = key
      continue
    }
    let tree = root
    for (const segment of segments.slice(0, -1)) {
      tree = (tree[segment] ??= emptyTree()) as Tree
    }
    tree[segments.at(-1)!] = key
  }
  return root
}

/** Returns whether a leading part of the key is a key itself. */
function hasKeyAbove(segments: readonly string[], known: ReadonlySet<string>): boolean {
  return segments.some((_, index) => index > 0 && known.has(segments.slice(0, index).join('.')))
}
