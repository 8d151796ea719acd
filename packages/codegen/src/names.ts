import { upperFirst } from '@servicekit/core'
import { runtimeParts } from './runtime-exports.ts'

/** Names of a schema in the generated code. */
export interface SchemaNames {
  /** File name without its extension: `order-line`. */
  readonly file: string
  /** TypeScript name: `OrderLine`. */
  readonly type: string
}

/** Returns a hash of seven characters: FNV-1a, 32 bits, base 36. */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(36).padStart(7, '0')
}

/**
 * Returns the TypeScript identifier of a schema: its name with a capital first letter.
 * Characters that are invalid in identifiers are removed, and the next part is
 * capitalised.
 *
 * `Product` is unchanged, `order line` becomes `OrderLine`, `3D` becomes `_3D`.
 */
export function typeNameOf(name: string): string {
  const joined = name
    .split(/[^\p{ID_Continue}]+/u)
    .map((part) => upperFirst(part))
    .join('')
  const start = /^[\p{ID_Start}_]/u.test(joined) ? joined : `_${joined}`
  return start === '_' ? `Schema${hashOf(name)}` : start
}

/** Names reserved by file systems or by this package. */
const takenFiles: ReadonlySet<string> = new Set([
  ...runtimeParts,
  'gateway-responses',
  'index',
  'con',
  'prn',
  'aux',
  'nul',
  ...Array.from({ length: 10 }, (_, digit) => [`com${digit}`, `lpt${digit}`]).flat(),
])

/**
 * Yields candidates for the file name of a schema, without extension, best first. All are
 * lowercase ASCII, so that names cannot collide on case-insensitive file systems. The
 * sequence is endless.
 *
 * `OrderLine` yields `order-line`, `Gateway` yields `gateway-schema`.
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
  if (isFaithful) yield takenFiles.has(slug) ? `${slug}-schema` : slug
  const hashed = [short, hashOf(name)].filter(Boolean).join('-')
  yield hashed
  for (let count = 2; ; count++) yield `${hashed}-${count}`
}

/** Yields candidates for an identifier, best first. The sequence is endless. */
export function* identifiersOf(wanted: string, name: string): Generator<string, never, undefined> {
  yield wanted
  yield `${wanted}_`
  const hashed = `${wanted}_${hashOf(name)}`
  yield hashed
  for (let count = 2; ; count++) yield `${hashed}_${count}`
}

/**
 * Claims the first candidate whose derived names are all free.
 *
 * @param derive Returns the names derived from a candidate, including itself.
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
  throw new RangeError('No free name is left')
}
