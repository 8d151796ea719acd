/**
 * Seeded random number generator: the same seed gives the same input on every machine.
 *
 * @typedef {object} Random
 * @property {() => number} next from 0 to below 1
 * @property {(max: number) => number} below integers from 0 to below `max`
 * @property {<T>(list: readonly T[]) => T} pick uniformly distributed
 * @property {<T>(list: readonly T[]) => T} pickEarly prefers items early in the list, like word frequencies
 */

/**
 * Creates a Mulberry32 generator: 32 bits of state, sufficient for choosing words.
 *
 * @param {number} seed an integer
 * @returns {Random}
 */
export function createRandom(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (/** @type {number} */ max) => Math.floor(next() * max)
  /** @template T @param {readonly T[]} list @param {number} index @returns {T} */
  const at = (list, index) => /** @type {T} */ (list[index])
  return {
    next,
    below,
    pick: (list) => at(list, below(list.length)),
    pickEarly: (list) => at(list, Math.floor(next() ** 2 * list.length)),
  }
}

/**
 * Derives a seed from a name, so that languages and modules have different ones.
 *
 * @param {string} name
 */
export function seedOf(name) {
  let seed = 0x811c9dc5
  for (let index = 0; index < name.length; index++) {
    seed = Math.imul(seed ^ name.charCodeAt(index), 0x01000193)
  }
  return seed >>> 0
}
