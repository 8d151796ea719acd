// Loads messages in bundles of webpack and rspack. The packs of a chunk are loaded together with
// the chunk through `__webpack_require__.e`, which every `import()` uses. An entry awaits the packs of
// its initial chunks. `webpack-chunks.ts` replaces literals that start with `~uilm-` when chunks are
// known.
import { loadPack } from './load-pack.js'

/** Hashes of packs by the id of their chunk. @type {any} */
const hashOf = '~uilm-table'
/** @type {Record<string, unknown>} */
const loaded = Object.create(null)
/** @type {Record<string, Promise<void>>} */
const loading = Object.create(null)

const load = (/** @type {string} */ hash) => (loading[hash] ??= loadOnce(hash))

const loadOnce = async (/** @type {string} */ hash) => {
  try {
    loaded[hash] = await loadPack(hash)
  } catch (error) {
    // The next attempt may succeed.
    delete loading[hash]
    throw error
  }
}

export const packOf = (/** @type {string} */ hash) => loaded[hash]
export const start = (/** @type {string[]} */ hashes) => {
  const { e: ensure } = __webpack_require__
  if (ensure && !ensure.uilm) {
    /** @type {(chunk: string, ...rest: unknown[]) => Promise<unknown>} */
    const ensureWithPacks = (chunk, ...rest) => {
      const hash = hashOf[chunk]
      return Promise.all([ensure(chunk, ...rest), hash && load(hash)])
    }
    __webpack_require__.e = Object.assign(ensureWithPacks, { uilm: true })
  }
  return Promise.all(hashes.map(load))
}
