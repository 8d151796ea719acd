import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { writeIfChanged } from '@servicekit/catalog'
import type { BuildOptions, OutputFile, PluginBuild } from 'esbuild'
import { followSource } from '../core/follow-source.ts'
import { createFreshness } from '../core/freshness.ts'
import { parseSpecifier, usedSpecifier, virtualId, virtualOf } from '../core/ids.ts'
import { cutOutput } from '../core/output-packs.ts'
import type { Workshop } from '../core/workshop.ts'
import { importerName, importerPath, isForKeys, loadUsed, loadVirtual } from './bundler.ts'
import { checkFormat } from './rollup-like.ts'

const namespace = 'uilm'
const followAfterMs = 1000

/**
 * Returns the setup of the esbuild plugin. esbuild has no hook between its linker and its
 * output. The output is therefore kept in memory, split into packs, and then written.
 */
export const esbuildSetup =
  (workshop: Workshop) =>
  async (build: PluginBuild): Promise<void> => {
    const { options, settings } = workshop
    const { initialOptions } = build
    settings.root ??= initialOptions.absWorkingDir ?? process.cwd()
    const reactive = options.framework === 'react' ? undefined : options.framework
    const writes = initialOptions.write !== false
    if (options.inline === undefined) prepare(initialOptions)
    const isFollowed = options.library || initialOptions.platform === 'node'

    const refreshed = createFreshness(workshop)
    let stopFollowing: Promise<() => void> | undefined
    // esbuild does not report watch mode. A build that is not disposed soon is assumed to
    // be watching.
    let following: NodeJS.Timeout | undefined
    const follow = (): void => void (stopFollowing ??= followSource(workshop))
    build.onStart(async () => {
      await refreshed()
      following ??= setTimeout(follow, followAfterMs).unref()
    })
    build.onDispose(() => {
      clearTimeout(following)
      void stopFollowing?.then((stop) => stop())
    })

    build.onResolve({ filter: /^~uilm/ }, ({ path, importer, namespace: from }) => {
      const virtual = parseSpecifier(path)
      if (!virtual) return undefined
      const specifier =
        isForKeys(virtual) && from === 'file' && importer !== ''
          ? usedSpecifier(virtual.module, importerName(workshop, importer))
          : path
      return { path: virtualId(specifier).slice(1), namespace, sideEffects: false }
    })
    build.onLoad({ filter: /.*/, namespace }, async ({ path }) => {
      const { project } = await workshop.open()
      const virtual = virtualOf(`\0${path}`)!
      const style = { find: 'binding', hot: 'import.meta.hot', reactive } as const
      const watchFiles = [project.options.lockFile]
      if (virtual.kind === 'entry' || virtual.kind === 'chunks') return undefined
      const resolveDir = project.options.root
      if (virtual.kind !== 'used') {
        const contents = await loadVirtual(workshop, virtual, style)
        return { contents, resolveDir, watchFiles }
      }
      watchFiles.push(importerPath(workshop, virtual.importer))
      return { contents: await loadUsed(workshop, virtual), resolveDir, watchFiles }
    })

    if (options.inline !== undefined) return
    build.onEnd(async (result) => {
      const { session } = await workshop.open()
      const files = cutOutput(result.outputFiles ?? [], session.model(), isFollowed)
      if (!writes) {
        result.outputFiles = files.map(toOutputFile)
        return
      }
      Object.assign(result, { outputFiles: undefined })
      for (const { path, contents } of files) {
        await mkdir(dirname(path), { recursive: true })
        if (typeof contents === 'string') await writeIfChanged(path, contents)
        else await writeFile(path, contents)
      }
    })
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

const toOutputFile = ({
  path,
  contents,
}: {
  readonly path: string
  readonly contents: string | Uint8Array
}): OutputFile => {
  const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents
  return {
    path: join(path),
    contents: bytes as Uint8Array<ArrayBuffer>,
    hash: '',
    get text() {
      return new TextDecoder().decode(bytes)
    },
  }
}
