import { livePack } from '~uilm-runtime/live.js'
import { base } from './base.js'

/** Numbers of messages by the hash of their packs. @type {any} */
const sizeOf = '~uilm-sizes'

/** Loads the newest pack of a chunk. @param {string} hash */
export const loadPack = (hash) =>
  livePack((addressOf) => import(/* webpackIgnore: true */ addressOf(hash, base)), sizeOf[hash])
