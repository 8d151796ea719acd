/** Whether a name can stand in a GraphQL document. Two leading underscores are GraphQL's own. */
export function isGraphqlName(name: string): boolean {
  return /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/.test(name)
}

export function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Order by code point: the same on every machine, whatever its locale. */
export function byCodePoint(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** Seven characters that stand for a name: FNV-1a, 32 bits, base 36. */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(36).padStart(7, '0')
}

/**
 * TypeScript identifier for a schema: the name itself with a capital first
 * letter; what cannot stand in an identifier joins two capitalised parts.
 *
 * `Product` stays, `order line` becomes `OrderLine`, `3D` becomes `_3D`.
 */
export function typeNameOf(name: string): string {
  const joined = name
    .split(/[^\p{ID_Continue}]+/u)
    .map((part) => upperFirst(part))
    .join('')
  const start = /^[\p{ID_Start}_]/u.test(joined) ? joined : `_${joined}`
  return start === '_' ? `Schema${hashOf(name)}` : start
}

/** Names that some file system, or this package, keeps for itself. */
const takenFiles =
  /^(?:index|gateway(?:-(?:walk|node|query|validate|factory))?|con|prn|aux|nul|com\d|lpt\d)$/

/**
 * Candidates for the name of a schema's file, without its ending, the most
 * wanted first. All are lower case and ASCII, so that no two differ only in
 * what a file system ignores. The last ones cannot run out.
 *
 * `OrderLine` gives `order-line`, `Gateway` gives `gateway-schema`.
 */
export function* fileNamesOf(name: string): Generator<string, never, undefined> {
  const slug = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  const short = slug.slice(0, 60)
  const isFaithful = /^[A-Za-z0-9_]+$/.test(name) && short === slug
  if (isFaithful) yield takenFiles.test(slug) ? `${slug}-schema` : slug
  const hashed = [short, hashOf(name)].filter(Boolean).join('-')
  yield hashed
  for (let count = 2; ; count++) yield `${hashed}-${count}`
}

/** Candidates for an identifier, the most wanted first; they cannot run out. */
export function* identifiersOf(wanted: string, name: string): Generator<string, never, undefined> {
  yield wanted
  yield `${wanted}_`
  const hashed = `${wanted}_${hashOf(name)}`
  yield hashed
  for (let count = 2; ; count++) yield `${hashed}_${count}`
}

/**
 * Takes the first candidate all of whose derived names are free, and takes them.
 *
 * @param derive the names that come with a candidate, itself included.
 */
export function claim(
  candidates: Iterable<string>,
  taken: Set<string>,
  derive: (candidate: string) => readonly string[] = (candidate) => [candidate],
): string {
  for (const candidate of candidates) {
    const names = derive(candidate)
    if (names.some((name) => taken.has(name))) continue
    for (const name of names) taken.add(name)
    return candidate
  }
  throw new RangeError('claim: the candidates ran out')
}
