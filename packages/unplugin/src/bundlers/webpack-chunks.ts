import { type BuiltChunk, emitPackFiles, type Model } from '@servicekit/catalog'
import type { Chunk, ChunkGroup, Compilation, Compiler, Module } from 'webpack'
import { messageOf } from '../core/message-calls.ts'
import { keyOf, virtualOf } from '../core/ids.ts'
import { manifestFile } from '../core/manifest.ts'
import type { PluginContext } from '../core/plugin-context.ts'

/**
 * String literals that are replaced once chunks are known. Neither webpack nor rspack offers
 * the positions of literals in rendered code.
 */
const placeholders =
  /(\\?["'`])(?:(~uilm-key\/[\w+/-]+)(?:@[\da-f]+)?(#?)|~uilm-(?:(table)|(sizes)|(file)|start\/((?:(?!\1).)*)))\1/g

/** Returns the id of a virtual module, which unplugin percent-encodes in its path. */
export function virtualIdOf(path: string): string | undefined {
  const encoded = /%00~uilm.*$/.exec(path)?.[0]
  return encoded && decodeURIComponent(encoded)
}

/**
 * Creates the packs of each chunk before its content is hashed and minified. Keys are
 * replaced by numbers, and a table maps chunks to packs.
 */
export function emitChunkPacks(
  compiler: Compiler,
  context: PluginContext,
  isForServer: boolean,
): void {
  const { Compilation: Stages, sources } = compiler.webpack
  compiler.hooks.thisCompilation.tap('servicekit', (compilation) => {
    const stage = Stages.PROCESS_ASSETS_STAGE_ADDITIONS
    let chunks: ReadonlyMap<Chunk, BuiltChunk> = new Map()
    compilation.hooks.processAssets.tapPromise({ name: 'servicekit', stage }, async () => {
      const { session } = await context.open()
      const model = session.model()
      chunks = createPacks(compilation, model, sources)
    })
    if (!context.options.manifest || isForServer) return
    // Files have their final names, with the hashes of their content.
    const last = { name: 'servicekit', stage: Stages.PROCESS_ASSETS_STAGE_REPORT }
    compilation.hooks.processAssets.tapPromise(last, async () => {
      const { session } = await context.open()
      const named = [...chunks].map(([chunk, built]) => ({
        ...built,
        files: filesOf(chunk),
        entries: entriesOf(compilation, chunk),
      }))
      const { fileName, source } = manifestFile(session.model(), named)
      compilation.emitAsset(fileName, new sources.RawSource(source))
    })
  })
}

/** Module of several modules in one scope, which webpack does not export. */
interface ConcatenatedModule extends Module {
  readonly modules: readonly Module[]
}

type Sources = Compiler['webpack']['sources']

function createPacks(
  compilation: Compilation,
  model: Model,
  sources: Sources,
): ReadonlyMap<Chunk, BuiltChunk> {
  const built = new Map<Chunk, BuiltChunk>()
  const extension = fileExtension(compilation)
  const hashes = new Map<Chunk, { readonly hash: string; readonly keys: readonly string[] }>()
  for (const chunk of compilation.chunks) {
    const keys = keysOf(compilation, chunk)
    if (keys.length === 0) continue
    const messages = keys.map((key) => messageOf(model, key))
    const { hash, packs } = emitPackFiles(model, messages)
    hashes.set(chunk, { hash, keys })
    built.set(chunk, { hash, keys: keys.map(keyOf), packs })
    for (const { name, source } of packs) {
      const file = name.replace(/\.js$/, extension)
      if (compilation.getAsset(file)) continue
      // A minifier would give the file another content than its hash says.
      compilation.emitAsset(file, new sources.RawSource(source), { minimized: true })
    }
  }

  const table = Object.fromEntries([...hashes].map(([{ id }, { hash }]) => [String(id), hash]))
  const sizes = Object.fromEntries(
    [...hashes.values()].map(({ hash, keys }) => [hash, keys.length]),
  )
  const startOf = (entry: string, own: Chunk): readonly string[] => {
    // The entry of a worker has no name.
    const [worker] = entry === '' ? own.groupsIterable : []
    const { chunks = [] } = worker ?? compilation.entrypoints.get(entry) ?? {}
    return chunks.flatMap((chunk) => hashes.get(chunk)?.hash ?? [])
  }
  for (const chunk of compilation.chunks) {
    for (const file of filesOf(chunk)) {
      const asset = compilation.getAsset(file)
      const code = asset?.source.source().toString()
      if (!asset || !code?.includes('~uilm-')) continue
      const replaced = new sources.ReplaceSource(asset.source)
      for (const match of code.matchAll(placeholders)) {
        const [text, quote, key, isIndex, isTable, isSizes, isFile, entry] = match
        const { hash, keys } = hashes.get(chunk) ?? { hash: '', keys: [] }
        const literal = (value: unknown): string =>
          JSON.stringify(value).replaceAll('"', quote!.startsWith('\\') ? '\\"' : '"')
        const value = key
          ? isIndex
            ? String(keys.indexOf(key))
            : literal(hash)
          : isTable
            ? literal(table)
            : isSizes
              ? literal(sizes)
              : isFile
                ? literal(`uilm-*${extension}`)
                : literal(startOf(entry!, chunk))
        replaced.replace(match.index, match.index + text.length - 1, value)
      }
      compilation.updateAsset(file, replaced)
    }
  }
  return built
}

/** Returns the names of the entries that load a chunk, also by dynamic imports. */
function entriesOf({ entrypoints }: Compilation, chunk: Chunk): readonly string[] {
  // A set also iterates over what is added during the iteration.
  const groups = new Set<ChunkGroup>(chunk.groupsIterable)
  for (const group of groups) for (const parent of group.getParents()) groups.add(parent)
  const names = new Set([...groups].map(({ name }) => name))
  return [...entrypoints.keys()].filter((name) => names.has(name))
}

const filesOf = (chunk: Chunk): readonly string[] =>
  [...chunk.files].filter((file) => /\.[cm]?js$/.test(file))

/** Returns the specifiers of the key modules that survived tree shaking in a chunk. */
function keysOf({ chunkGraph }: Compilation, chunk: Chunk): readonly string[] {
  const modules = [...chunkGraph.getChunkModulesIterable(chunk)].flatMap((module) =>
    'modules' in module ? (module as ConcatenatedModule).modules : module,
  )
  const ids = modules.flatMap((module) => virtualIdOf(module.nameForCondition() ?? '') ?? [])
  return ids.flatMap((id) => (virtualOf(id)?.kind === 'key' ? id.slice(1) : [])).sort()
}

/**
 * CommonJS output loads packs with `import()`. Node treats only `.mjs` files as modules
 * there.
 */
function fileExtension({ outputOptions }: Compilation): string {
  const { module, chunkLoading } = outputOptions
  return !module && /require|async-node/.test(String(chunkLoading)) ? '.mjs' : '.js'
}
