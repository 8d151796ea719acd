// Packs whose translations are all loaded, in programs that cannot await.
import { getLanguage } from './messages.js'

/** @import { Entries } from './types.js' */

/**
 * Creates a pack from the translations in every language.
 * @param {Record<string, Entries>} by
 */
export const staticPack = (by) => ({
  by,
  get entries() {
    return by[getLanguage()]
  },
})
