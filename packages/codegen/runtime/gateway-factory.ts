import type { GatewayAny } from './gateway-types.js'

/** Creates test data with every member set. Overrides win; the same seed gives the same data. */
export interface GatewayFactory<T> {
  (overrides?: Partial<T>, seed?: number): T
  /**
   * Creates several: `makeProduct.many(20, (index) => ({ Price: index }))`.
   *
   * @param seed Seed of the first one, 1 by default; the others follow.
   */
  many(count: number, overrides?: Partial<T> | ((index: number) => Partial<T>), seed?: number): T[]
}

/**
 * Members by name: the type of a scalar, `[Float]!`, or for an object the brackets and its factory.
 * Those without `!` are left to the overrides.
 *
 * @internal
 */
export interface GatewayFactoryMembers {
  readonly [name: string]:
    | string
    | { readonly type: string; readonly of: () => GatewayFactory<GatewayAny> }
}

/** Nested objects below this depth are omitted, because schemas may be recursive. */
const deepest = 3

/** Depth of the factory that runs: those of nested objects are functions of other modules. */
type MakeNested = (overrides: object, seed: number, depth: number) => object

/** @param schema Name of the schema, for texts. @internal */
export function factory(
  schema: string,
  members: GatewayFactoryMembers,
): GatewayFactory<GatewayAny> {
  const makeMember = (name: string, seed: number, depth: number): unknown => {
    const member = members[name]!
    const { type, of } = typeof member === 'string' ? { type: member, of: undefined } : member
    if (!type.startsWith('[')) return makeValue(type, of, name, seed, depth)
    const item = makeValue(type, of, name, seed, depth)
    return item === null ? [] : [item]
  }
  const makeValue = (
    type: string,
    nested: (() => GatewayFactory<GatewayAny>) | undefined,
    name: string,
    seed: number,
    depth: number,
  ): unknown => {
    if (nested === undefined) return sample(type.replaceAll(/[[\]!]/g, ''), schema, name, seed)
    return depth < deepest ? (nested() as MakeNested)({}, seed, depth + 1) : null
  }
  const names = Object.entries(members)
    .filter(([, member]) => (typeof member === 'string' ? member : member.type).endsWith('!'))
    .map(([name]) => name)
  const make = (overrides: object = {}, seed = 1, depth = 0): GatewayAny => {
    const values = names.map((name) => [name, makeMember(name, seed, depth)] as const)
    return { ...Object.fromEntries(values), ...overrides }
  }
  const many: GatewayFactory<GatewayAny>['many'] = (count, overrides = {}, seed = 1) =>
    Array.from({ length: count }, (_, index) =>
      make(typeof overrides === 'function' ? overrides(index) : overrides, seed + index),
    )
  return Object.assign(make, { many })
}

/** Returns the value of a scalar for a seed. */
function sample(type: string, schema: string, name: string, seed: number): unknown {
  const [kind, ...values] = type.split('|')
  if (kind === 'Enum') return values[seed % values.length]
  // A reference is the ItemId of the record with the same seed.
  if (name === 'ItemId' || type === 'Reference') {
    const hex = (seed >>> 0).toString(16).padStart(12, '0')
    return `00000000-0000-4000-8000-${hex}`
  }
  if (type === 'Int' || type === 'Long') return seed
  if (type === 'LongBigint') return BigInt(seed)
  if (type === 'LongString') return `${seed}`
  if (type === 'Float') return seed + 0.5
  if (type === 'Boolean') return seed % 2 === 1
  // From 2026-01-01 on, a minute later for each seed.
  if (type === 'DateTime') return new Date(1767225600000 + seed * 60000).toISOString()
  if (type === 'GeoJson') return { type: 'Point', coordinates: [seed % 180, seed % 90] }
  return type === 'unknown' ? null : `${schema} ${name} ${seed}`
}
