import { basename, dirname, join, relative, resolve } from 'node:path'
import { type BuiltChunk, type Model, writeIfChanged } from '@servicekit/catalog'
import type { BuildOptions, BuildResult, Metafile, OutputFile, PluginBuild } from 'esbuild'
import { entryNames } from '../core/entry-names.ts'
import { changeFolderStamp, folderStamp } from '../core/folder-stamp.ts'
import { followSource } from '../core/follow-source.ts'
import {
  compilerSpecifier,
  parseSpecifier,
  usedSpecifier,
  virtualId,
  virtualOf,
} from '../core/ids.ts'
import { manifestFile } from '../core/manifest.ts'
import { createOutputPacks, outputFile } from '../core/output-packs.ts'
import type { PluginContext } from '../core/plugin-context.ts'
import { isCompilerRuntime } from '../core/react-compiler.ts'
import { createWarner } from '../core/session.ts'
import { importerName, isKeyModule, loadUsed, loadVirtual } from './bundler.ts'
import { checkFormat } from './chunk-hooks.ts'

const namespace = 'uilm'
const followAfterMs = 1000

/**
 * Returns the setup of the esbuild plugin. esbuild has no hook between its linker and its
 * output. The output is therefore kept in memory, split into packs, and then written.
 */
export const esbuildSetup =
  (context: PluginContext) =>
  async (build: PluginBuild): Promise<void> => {
    const { options, settings } = context
    const { initialOptions } = build
    settings.root ??= initialOptions.absWorkingDir ?? process.cwd()
    const reactive = options.framework === 'react' ? undefined : options.framework
    const writes = initialOptions.write !== false
    if (options.inline === undefined) prepare(initialOptions)
    const isBundledAgain = options.library || initialOptions.platform === 'node'
    // Names the entries of each file in the manifest.
    if (options.manifest) initialOptions.metafile = true
    const isLive = options.live !== undefined && !isBundledAgain

    let follower: ReturnType<typeof followSource> | undefined
    // esbuild does not report watch mode. It disposes a single build when that has ended; one that
    // is not disposed then is watching. A build itself never follows the service.
    let timer: NodeJS.Timeout | undefined
    const follow = (): void => void (follower ??= followSource(context))
    const buildAgain = async (): Promise<void> => {
      const { project } = await context.open()
      await changeFolderStamp(project)
    }
    let isBuilding = false
    let modelAtStart: Model | undefined
    let unsubscribe: (() => void) | undefined
    build.onStart(async () => {
      isBuilding = true
      settings.watching ||= timer !== undefined
      await context.reloadIfChanged()
      const { session } = await context.open()
      modelAtStart = session.model()
      unsubscribe ??= session.subscribe(() => {
        if (!isBuilding) buildAgain().catch(createWarner(settings.log).warn)
      })
    })
    build.onEnd(() => {
      timer ??= setTimeout(follow, followAfterMs).unref()
    })
    build.onDispose(() => {
      clearTimeout(timer)
      unsubscribe?.()
      void follower?.then((one) => one?.stop())
    })

    build.onResolve({ filter: /^~uilm/ }, ({ path, importer, namespace: from }) => {
      const virtual = parseSpecifier(path)
      if (!virtual) return undefined
      const specifier =
        isKeyModule(virtual) && from === 'file' && importer !== ''
          ? usedSpecifier(virtual.module, importerName(context, importer))
          : path
      return { path: virtualId(specifier).slice(1), namespace, sideEffects: false }
    })
    build.onResolve({ filter: /^react.compiler-runtime$/ }, ({ path, namespace: from }) => {
      // A server renders each page once, and a build for one language has no other.
      const canSwitch = initialOptions.platform !== 'node' && options.inline === undefined
      if (!isCompilerRuntime(path) || from !== 'file' || !canSwitch) return undefined
      return { path: compilerSpecifier(path), namespace, sideEffects: false }
    })
    build.onLoad({ filter: /.*/, namespace }, async ({ path }) => {
      const { project } = await context.open()
      const virtual = virtualOf(`\0${path}`)!
      const style = { packAccess: 'binding', hot: 'import.meta.hot', reactive, isLive } as const
      // esbuild keeps the content that a watched file has when this function returns. A file of the
      // application that is listed here could have a newer content than the one that was bundled.
      const watchFiles = [...(await context.watchFiles()), folderStamp(project)]
      if (virtual.kind === 'entry' || virtual.kind === 'webpack') return undefined
      const resolveDir = project.options.root
      if (virtual.kind !== 'used') {
        const contents = await loadVirtual(context, virtual, style)
        return { contents, resolveDir, watchFiles }
      }
      return { contents: await loadUsed(context, virtual), resolveDir, watchFiles }
    })

    const writePacks = async (result: BuildResult): Promise<void> => {
      const { session } = await context.open()
      const model = session.model()
      const chunks: BuiltChunk[] = []
      const note = (chunk: BuiltChunk): void => void chunks.push(chunk)
      const loader = { isBundledAgain, isLive }
      const files = [...createOutputPacks(result.outputFiles ?? [], model, loader, note)]
      if (options.manifest && !isBundledAgain)
        files.push(manifestIn(initialOptions, model, chunks, result.metafile))
      result.outputFiles = writes ? undefined : files
      for (const { path, contents } of writes ? files : []) {
        await writeIfChanged(path, Buffer.from(contents))
      }
    }
    if (options.inline === undefined) build.onEnd(writePacks)
    build.onEnd(async () => {
      const { session } = await context.open()
      isBuilding = false
      // The texts changed during the build, which may contain older ones.
      if (session.model() !== modelAtStart) await buildAgain()
    })
  }

/** Creates the manifest in the output folder. */
function manifestIn(
  { absWorkingDir = process.cwd(), outdir, outfile }: BuildOptions,
  model: Model,
  chunks: readonly BuiltChunk[],
  metafile: Metafile | undefined,
): OutputFile {
  const folder = resolve(absWorkingDir, outdir ?? dirname(outfile ?? '.'))
  const nameOf = (path: string): string => relative(folder, path).replaceAll('\\', '/')
  const entries = entriesOf(metafile?.outputs ?? {}, (path) => nameOf(resolve(absWorkingDir, path)))
  const { fileName, source } = manifestFile(
    model,
    chunks.map((chunk) => ({
      ...chunk,
      packs: chunk.packs.map((pack) => ({
        ...pack,
        name: nameOf(pack.name),
      })),
      files: chunk.files!.map(nameOf),
      entries: chunk.files!.flatMap((file) => entries.get(nameOf(file)) ?? []),
    })),
  )
  return outputFile(join(folder, fileName), source)
}

/** Returns the entries that load each file. */
function entriesOf(outputs: Metafile['outputs'], nameOf: (path: string) => string) {
  const files = Object.entries(outputs)
  // esbuild calls the targets of dynamic imports entries, too.
  const dynamic = new Set(
    files.flatMap(([, { imports }]) =>
      imports.flatMap(({ path, kind }) => (kind === 'dynamic-import' ? path : [])),
    ),
  )
  return entryNames(
    files.map(([path, { entryPoint, imports }]) => ({
      file: nameOf(path),
      imports: imports.map((one) => nameOf(one.path)),
      entry:
        entryPoint === undefined || dynamic.has(path)
          ? undefined
          : nameOf(path).replace(/\.[cm]?js$/, ''),
    })),
  )
}

/**
 * Sets the options that the plugin needs: top-level await requires ES modules, and code
 * splitting separates pages.
 */
function prepare(initialOptions: BuildOptions): void {
  const { format, outdir, outfile } = initialOptions
  checkFormat(format ?? 'iife', basename(outfile ?? outdir ?? 'the output'))
  if (outdir !== undefined) initialOptions.splitting ??= true
  initialOptions.write = false
}
