// Changes of the language, the time zone and translations, for frameworks that show them.

/** @type {Set<() => void>} */
const listeners = new Set()
let changes = 0

/** Notifies all subscribers of a change. */
export const changed = () => {
  changes++
  for (const listener of listeners) listener()
}

/** Returns a number that increases with every change of the language, the time zone or a translation. */
export const getChanges = () => changes

/**
 * Calls `listener` after every change of the language, the time zone or a translation.
 * Returns a function that unsubscribes.
 * @param {() => void} listener
 */
export const subscribe = (listener) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
