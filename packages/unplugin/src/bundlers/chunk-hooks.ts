import { dirname, join, relative } from 'node:path'
import type { BuiltChunk, PackFile } from '@servicekit/catalog'
import { ConfigError } from '@servicekit/client'
import type { ESTree } from 'vite'
import { createChunkPacks } from '../core/chunk-packs.ts'
import { entryNames } from '../core/entry-names.ts'
import { keyOf, modulePrefix } from '../core/ids.ts'
import { manifestFile } from '../core/manifest.ts'
import type { LoaderOptions } from '../core/message-calls.ts'
import type { PluginContext } from '../core/plugin-context.ts'

/** Differences between the outputs of one build, of a page and a server for example. */
export interface ChunkOptions<Hook> {
  readonly loaderOf: (hook: Hook) => LoaderOptions
  /** Adds a pack to the output. */
  readonly emitPack: (hook: Hook, fileName: string, code: string) => void
}

/** Part of the context of hooks that Rollup, Rolldown and Vite share. */
export interface ChunkContext {
  readonly parse: (code: string) => object
  readonly emitFile: (file: {
    readonly type: 'asset'
    readonly fileName: string
    readonly source: string
  }) => string
}

interface OutputOptions {
  readonly format: string
  readonly dir?: string | undefined
}

/** Creates the hooks that write packs and the manifest, which Rollup, Rolldown and Vite share. */
export function createChunkHooks<Hook extends ChunkContext>(
  context: PluginContext,
  { loaderOf, emitPack }: ChunkOptions<Hook>,
) {
  const { options, settings } = context
  /** Chunks with messages, by output folder. */
  const built = new Map<string | undefined, BuiltChunk[]>()
  return {
    renderStart({ dir }: OutputOptions) {
      built.delete(dir)
    },
    async renderChunk(
      this: Hook,
      code: string,
      chunk: { readonly fileName: string },
      { format, dir }: OutputOptions,
    ) {
      if (options.inline !== undefined) return undefined
      const { session } = await context.open()
      const loader = loaderOf(this)
      const result = createChunkPacks({
        code,
        model: session.model(),
        parse: (text) => this.parse(text) as ESTree.Program,
        ...loader,
      })
      if (!result) return undefined
      checkFormat(format, chunk.fileName)
      const packs = result.packs.map((pack) => ({
        ...pack,
        name: pathBeside(chunk.fileName, pack),
      }))
      if (options.manifest && !loader.isBundledAgain) {
        const others = built.get(dir) ?? []
        const files = [chunk.fileName]
        built.set(dir, [
          ...others,
          { hash: result.hash, keys: result.specifiers.map(keyOf), packs, files },
        ])
      }
      for (const { name, source } of packs) emitPack(this, name, source)
      const { edited } = result
      return { code: edited.toString(), map: edited.generateMap({ hires: 'boundary' }) }
    },
    async generateBundle(this: Hook, { dir }: OutputOptions, bundle: OutputBundle) {
      const chunks = built.get(dir)
      if (!options.manifest || !chunks) return
      const { session } = await context.open()
      const named = withNames(chunks, bundle, settings.root)
      this.emitFile({ type: 'asset', ...manifestFile(session.model(), named) })
    },
  }
}

/**
 * Returns the message of a log about a name that a key module does not export, which the bundler
 * finds in code that is not read here: `cart.CHEKOUT` if another file exports `cart`.
 */
export function missingExport({ code, message, exporter, id }: MissingExport): string | undefined {
  const isMissing = code === 'MISSING_EXPORT' || code === 'IMPORT_IS_UNDEFINED'
  return isMissing && [exporter, id, message].join(' ').includes(modulePrefix) ? message : undefined
}

interface MissingExport {
  readonly code?: string | undefined
  readonly message: string
  readonly exporter?: string | undefined
  readonly id?: string | undefined
}

/** @throws ConfigError if chunks of the format cannot use top-level await. */
export function checkFormat(format: string, chunk: string): void {
  if (['es', 'esm', 'module'].includes(format)) return
  throw new ConfigError(`${chunk} cannot await its messages in the format ${format}`, {
    help: "Build ES modules (format: 'esm', and type=\"module\" on the script), or one build per language with the option inline: 'en-US'.",
  })
}

/** Files of an output, of Rollup or of Rolldown. */
type OutputBundle = Readonly<Record<string, OutputFile>>
type OutputFile = { readonly type: 'asset' } | OutputChunk

interface OutputChunk {
  readonly type: 'chunk'
  readonly fileName: string
  readonly preliminaryFileName: string
  readonly name: string
  readonly isEntry: boolean
  readonly facadeModuleId: string | null
  readonly imports: readonly string[]
  readonly dynamicImports: readonly string[]
}

/** Replaces the preliminary names of files, which are rendered before hashes are known. */
function withNames(
  chunks: readonly BuiltChunk[],
  bundle: OutputBundle,
  root = '.',
): readonly BuiltChunk[] {
  const outputs = Object.values(bundle).filter((file) => file.type === 'chunk')
  const entries = entryNames(
    outputs.map(({ fileName: file, name, isEntry, facadeModuleId, imports, dynamicImports }) => ({
      file,
      imports: [...imports, ...dynamicImports],
      entry: isEntry ? (pageOf(facadeModuleId, root) ?? name) : undefined,
    })),
  )
  return chunks.map((chunk) => {
    const files = outputs
      .filter(({ preliminaryFileName }) => chunk.files?.includes(preliminaryFileName))
      .map(({ fileName }) => fileName)
    return { ...chunk, files, entries: files.flatMap((file) => entries.get(file) ?? []) }
  })
}

const pageOf = (id: string | null, root: string): string | undefined =>
  id?.endsWith('.html') ? relative(root, id).replaceAll('\\', '/') : undefined

const pathBeside = (chunk: string, pack: PackFile): string =>
  join(dirname(chunk), pack.name).replaceAll('\\', '/')
