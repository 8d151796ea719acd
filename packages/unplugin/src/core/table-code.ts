/**
 * Returns the code that loads messages in bundles of webpack and rspack. The packs of a
 * chunk are loaded together with the chunk through `__webpack_require__.e`, which every
 * `import()` uses. An entry awaits the packs of its initial chunks. Literals that start
 * with `~uilm-` are replaced when chunks are known (webpack-chunks.ts).
 *
 * @param options `isServer`: files are next to the bundle and not at its public path.
 * `isLive`: the page may load newer packs than those of the build.
 */
export const chunksCode = ({
  isServer,
  isLive,
}: {
  readonly isServer: boolean
  readonly isLive: boolean
}): string => {
  const argument = isLive ? 'addressOf' : 'language'
  return `import { ${packImport(isLive)} } from '~uilm'

const hashOf = "~uilm-table"
${isLive ? 'const sizeOf = "~uilm-sizes"\n' : ''}const loaded = Object.create(null)
const loading = Object.create(null)
const base = ${isServer ? "'./'" : "__webpack_public_path__ || './'"}

const fetchPack = (hash, ${argument}) => {
  const url = ${isLive ? 'addressOf(hash, base)' : `base + "~uilm-file".replace('*', hash + '.' + language)`}
  return import(/* webpackIgnore: true */ url)
}
const load = (hash) =>
  (loading[hash] ??= pack((${argument}) => fetchPack(hash, ${argument})${isLive ? ', sizeOf[hash]' : ''}).then(
    (entry) => { loaded[hash] = entry },
    (error) => {
      // The next attempt may succeed.
      delete loading[hash]
      throw error
    },
  ))

export const packOf = (hash) => loaded[hash]
export const start = (hashes) => {
  const { e: ensure } = __webpack_require__
  if (ensure && !ensure.uilm) {
    const ensureWithPacks = (chunk, ...rest) => {
      const hash = hashOf[chunk]
      return Promise.all([ensure(chunk, ...rest), hash && load(hash)])
    }
    ensureWithPacks.uilm = true
    __webpack_require__.e = ensureWithPacks
  }
  return Promise.all(hashes.map(load))
}
`
}

/** Returns the import of the function that registers packs, under the name `pack`. */
export const packImport = (isLive = false): string => (isLive ? 'livePack as pack' : 'pack')

/**
 * Returns the code of the module that precedes an entry and awaits the messages of its
 * initial chunks.
 */
export const entryCode = (entry: string, requests: readonly string[]): string =>
  `import { start } from '~uilm-chunks'

start(${JSON.stringify(`~uilm-start/${entry}`)})${requests
    .map((request) => `.then(() => import(/* webpackMode: "eager" */ ${JSON.stringify(request)}))`)
    .join('')}
`
