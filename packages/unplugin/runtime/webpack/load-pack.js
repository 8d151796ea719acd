import { pack } from '~uilm'
import { base } from './base.js'

/** Loads the pack of a chunk. @param {string} hash */
export const loadPack = (hash) =>
  pack(
    (language) =>
      import(/* webpackIgnore: true */ base + '~uilm-file'.replace('*', `${hash}.${language}`)),
  )
