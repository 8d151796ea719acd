/**
 * A seeded source of randomness: the same seed gives the same work on every machine.
 *
 * @typedef {object} Random
 * @property {() => number} next from 0 to below 1
 * @property {(max: number) => number} below whole numbers from 0 to below `max`
 * @property {<T>(list: readonly T[]) => T} pick each as likely as the other
 * @property {<T>(list: readonly T[]) => T} pickEarly the earlier in the list the likelier, as words are
 */

/**
 * Mulberry32: 32 bits of state, good enough to choose words with.
 *
 * @param {number} seed a whole number
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

/** A seed from a name, so that languages and modules do not share one. @param {string} name */
export function seedOf(name) {
  let seed = 0x811c9dc5
  for (let index = 0; index < name.length; index++) {
    seed = Math.imul(seed ^ name.charCodeAt(index), 0x01000193)
  }
  return seed >>> 0
}
