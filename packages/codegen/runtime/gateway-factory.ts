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

/** Nested objects below this depth are omitted, because schemas may be recursive. */
const deepest = 3

const sample: any = (type: string, schema: string, name: string, seed: number) => {
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

/** @internal */
export const factory: any = (schema: string, members: any) => {
  const make: any = (overrides: any = {}, seed = 1, depth = 0) => {
    const result: any = {}
    for (const [name, member] of (Object as any).entries(members)) {
      const [text, nested] = Array.isArray(member) ? [member[0], member[1]] : [member, undefined]
      // Optional members of an insert are left to the overrides.
      if (!text.endsWith('!')) continue
      const isList = text.startsWith('[')
      let value: any
      if (!nested) value = sample(text.replace(/[\[\]!]/g, ''), schema, name, seed)
      else value = depth < deepest ? nested()({}, seed, depth + 1) : null
      if (isList) value = value === null ? [] : [value]
      Object.defineProperty(result, name, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    return { ...result, ...overrides }
  }
  make.many = (count: number, overrides: any = {}, seed = 1) =>
    Array.from({ length: count }, (_, index) =>
      make(typeof overrides === 'function' ? overrides(index) : overrides, seed + index),
    )
  return make
}
