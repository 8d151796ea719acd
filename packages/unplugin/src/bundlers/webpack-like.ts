import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import type { Compiler as RspackCompiler } from '@rspack/core'
import { ConfigError } from '@servicekit/client'
import type { UnpluginOptions } from 'unplugin'
import type { Compiler, EntryNormalized } from 'webpack'
import { followSource } from '../core/follow-source.ts'
import { createFreshness } from '../core/freshness.ts'
import { entrySpecifier, parseSpecifier, usedSpecifier, virtualId, virtualOf } from '../core/ids.ts'
import { chunksCode, entryCode } from '../core/table-code.ts'
import type { Workshop } from '../core/workshop.ts'
import { importerName, importerPath, isForKeys, loadUsed, loadVirtual } from './bundler.ts'
import manifest from '../../package.json' with { type: 'json' }
import { cutChunks } from './webpack-chunks.ts'

/** Creates the plugin for webpack and rspack, which share their hooks. */
export function webpackLike(workshop: Workshop): UnpluginOptions {
  const { options, settings } = workshop
  const refreshed = createFreshness(workshop)
  const reactive = options.framework === 'react' ? undefined : options.framework
  const style = { find: 'table', hot: 'import.meta.webpackHot', reactive } as const
  const entries = new Map<string, readonly string[]>()
  let forServer = false
  let stopFollowing: Promise<() => void> | undefined

  const apply = (compiler: Compiler): void => {
    const { mode, target, context } = compiler.options
    settings.root ??= context ?? compiler.context
    settings.dev = mode === 'development'
    settings.offline = settings.dev
    forServer = isForServer(target)
    const logger = compiler.getInfrastructureLogger('servicekit')
    settings.log = {
      info: (message) => logger.info(message),
      warn: (message) => logger.warn(message),
      error: (message) => logger.error(message),
    }
    compiler.options.module.rules.unshift({
      // Ids of virtual modules are percent-encoded in paths.
      include: (id) => decodeURIComponent(id.slice(id.search(/%00~uilm/))).startsWith('\0~uilm'),
      sideEffects: false,
    })
    compiler.hooks.watchRun.tapPromise('servicekit', async () => {
      // Not in `buildStart`, which runs while modules are already loaded.
      await refreshed()
      stopFollowing ??= followSource(workshop)
      await stopFollowing
    })
    compiler.hooks.watchClose.tap('servicekit', () => void stopFollowing?.then((stop) => stop()))
    keepCacheApart(compiler, workshop)
    if (settings.dev || options.inline !== undefined) return
    refuseNext(compiler)
    putBefore(compiler, entries)
    cutChunks(compiler, workshop)
  }

  return {
    name: 'servicekit',

    resolveId(id, importer) {
      const virtual = parseSpecifier(id)
      if (!virtual) return undefined
      const isFile = importer !== undefined && isAbsolute(importer) && !/\0|%00/.test(importer)
      if (!isForKeys(virtual) || !isFile) {
        return virtualId(id)
      }
      return virtualId(usedSpecifier(virtual.module, importerName(workshop, importer)))
    },

    load: {
      filter: { id: /^\0~uilm/ },
      async handler(id) {
        const virtual = virtualOf(id)
        if (!virtual) return undefined
        const { project, configFile } = await workshop.open()
        this.addWatchFile(project.options.lockFile)
        if (configFile !== undefined) this.addWatchFile(configFile)
        if (virtual.kind === 'chunks') return chunksCode(forServer)
        if (virtual.kind === 'entry') return entryCode(virtual.entry, entries.get(virtual.entry)!)
        if (virtual.kind !== 'used') return loadVirtual(workshop, virtual, style)
        this.addWatchFile(importerPath(workshop, virtual.importer))
        // The development server shows the error, and the page continues to work.
        const onError = settings.dev ? (error: Error) => this.error(error.message) : undefined
        return loadUsed(workshop, virtual, onError)
      },
    },

    webpack: apply,
    rspack: (compiler) => apply(compiler as unknown as Compiler),
  }
}

/**
 * Adds the options and the version to the key of the disk cache, so that outdated code is
 * not reused.
 */
function keepCacheApart({ options }: Compiler, workshop: Workshop): void {
  const cache = options.cache as { type?: string; version?: string } | boolean | undefined
  if (typeof cache !== 'object' || cache.type === 'memory') return
  const { catalog, webhook: _, ...own } = workshop.options
  const { cache: _cache, ...rest } = catalog
  const told = JSON.stringify([manifest.version, own, rest])
  const mark = createHash('sha256').update(told).digest('hex').slice(0, 8)
  cache.version = `${cache.version ?? ''}|uilm-${mark}`
}

/**
 * @throws ConfigError in Next.js, which reads the exports of its entries before their
 * messages are loaded.
 */
function refuseNext({ options }: Compiler): void {
  const alias = options.resolve.alias ?? {}
  if (Array.isArray(alias) || !('private-next-root-dir' in alias)) return
  throw new ConfigError('The entries of Next.js cannot wait for texts', {
    help:
      "Build one language with the option inline: 'en-US', or all of them with " +
      '`servicekit compile --out texts`, whose modules need no plugin.',
  })
}

/**
 * Puts a module before each entry that loads the messages and then imports the original
 * entry.
 */
function putBefore(compiler: Compiler, entries: Map<string, readonly string[]>): void {
  const up = wayToContext(compiler)
  const wrap = (entry: Exclude<EntryNormalized, (...args: never[]) => unknown>) => {
    for (const [name, description] of Object.entries(entry)) {
      const requests = description.import
      if (!requests) continue
      entries.set(
        name,
        requests.map((request) => (/^\.\.?\//.test(request) ? up + request : request)),
      )
      description.import = [entrySpecifier(name)]
    }
    return entry
  }
  const { entry } = compiler.options
  compiler.options.entry =
    typeof entry === 'function' ? async () => wrap(await entry()) : wrap(entry)
}

/**
 * Returns the relative path from unplugin's folder for virtual modules to the context, so
 * that no absolute path becomes part of the code.
 */
function wayToContext(compiler: Compiler | RspackCompiler): string {
  if (!('rspack' in compiler)) return ''
  // Without native virtual modules, each process has its own folder.
  return compiler.rspack.experiments.VirtualModulesPlugin ? '../../' : '../../../'
}

const isForServer = (target: unknown): boolean =>
  [target].flat().some((one) => typeof one === 'string' && /^(?:async-)?node/.test(one))
