import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import type { Compiler as RspackCompiler } from '@rspack/core'
import { ConfigError } from '@servicekit/client'
import type { UnpluginOptions } from 'unplugin'
import type { Compiler, EntryNormalized } from 'webpack'
import { followSource } from '../core/follow-source.ts'
import {
  compilerSpecifier,
  entrySpecifier,
  parseSpecifier,
  usedSpecifier,
  virtualId,
  virtualOf,
} from '../core/ids.ts'
import type { PluginContext } from '../core/plugin-context.ts'
import { isCompilerRuntime } from '../core/react-compiler.ts'
import { entryCode, webpackFileCode } from '../core/table-code.ts'
import { importerName, importerPath, isKeyModule, loadUsed, loadVirtual } from './bundler.ts'
import manifest from '../../package.json' with { type: 'json' }
import { workerLoader } from '../worker-loader.ts'
import { emitChunkPacks, virtualIdOf } from './webpack-chunks.ts'

/** Creates the plugin for webpack and rspack, which share their hooks. */
export function webpackLike(context: PluginContext): UnpluginOptions {
  const { options, settings } = context
  const reactive = options.framework === 'react' ? undefined : options.framework
  const style = { packAccess: 'table', hot: 'import.meta.webpackHot', reactive } as const
  const entries = new Map<string, readonly string[]>()
  let forServer = false
  const isLive = (): boolean => options.live !== undefined && !settings.dev && !forServer
  /** `false` for a server, which renders each page once, and for a build for one language. */
  const canSwitch = (): boolean => !forServer && (options.inline === undefined || settings.dev)
  let follower: ReturnType<typeof followSource> | undefined

  const apply = (compiler: Compiler): void => {
    const { mode, target } = compiler.options
    settings.root ??= compiler.options.context ?? compiler.context
    rejectContext(compiler)
    settings.dev = mode === 'development'
    forServer = isForServer(target)
    const logger = compiler.getInfrastructureLogger('servicekit')
    settings.log = {
      info: (message) => logger.info(message),
      warn: (message) => logger.warn(message),
      error: (message) => logger.error(message),
    }
    compiler.options.module.rules.unshift({
      include: (path) => virtualIdOf(path) !== undefined,
      sideEffects: false,
    })
    compiler.hooks.watchRun.tapPromise('servicekit', async () => {
      // Not in `buildStart`, which runs while modules are already loaded.
      await context.reloadIfChanged()
      follower ??= followSource(context)
      await follower
    })
    compiler.hooks.watchClose.tap('servicekit', () => void follower?.then((one) => one?.stop()))
    addOptionsToCacheKey(compiler, context)
    if (settings.dev || options.inline !== undefined) return
    rejectNext(compiler)
    wrapEntries(compiler, entries)
    compiler.options.module.rules.push({
      dependency: 'worker',
      enforce: 'post',
      use: [{ loader: workerLoader }],
    })
    emitChunkPacks(compiler, context, forServer)
  }

  return {
    name: 'servicekit',

    resolveId(id, importer) {
      const isFile = importer !== undefined && isAbsolute(importer) && !/\0|%00/.test(importer)
      if (isCompilerRuntime(id) && isFile && canSwitch()) return virtualId(compilerSpecifier(id))
      const virtual = parseSpecifier(id)
      if (!virtual) return undefined
      if (!isKeyModule(virtual) || !isFile) {
        return virtualId(id)
      }
      return virtualId(usedSpecifier(virtual.module, importerName(context, importer)))
    },

    load: {
      filter: { id: /^\0~uilm/ },
      async handler(id) {
        const virtual = virtualOf(id)
        if (!virtual) return undefined
        for (const file of await context.watchFiles()) this.addWatchFile(file)
        if (virtual.kind === 'webpack') {
          return webpackFileCode(virtual.name, { isServer: forServer, isLive: isLive() })
        }
        if (virtual.kind === 'entry') return entryCode(virtual.entry, entries.get(virtual.entry)!)
        if (virtual.kind !== 'used') {
          return loadVirtual(context, virtual, { ...style, isLive: isLive() })
        }
        this.addWatchFile(importerPath(context, virtual.importer))
        // The development server shows the error, and the page continues to work.
        const onError = settings.dev ? (error: Error) => this.error(error.message) : undefined
        return loadUsed(context, virtual, onError)
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
function addOptionsToCacheKey({ options }: Compiler, context: PluginContext): void {
  const cache = options.cache as { type?: string; version?: string } | boolean | undefined
  if (typeof cache !== 'object' || cache.type === 'memory') return
  const { catalog, webhook: _, ...own } = context.options
  const { cache: _cache, ...rest } = catalog
  const input = JSON.stringify([manifest.version, own, rest])
  const hash = createHash('sha256').update(input).digest('hex').slice(0, 8)
  cache.version = `${cache.version ?? ''}|uilm-${hash}`
}

/**
 * webpack and rspack read what follows `#` or `?` in the path of a virtual module as a fragment or
 * a query, and then build empty modules. The part before a `!` is the name of a loader.
 *
 * @throws ConfigError for a folder with such a path.
 */
function rejectContext(compiler: Compiler): void {
  const context = compiler.options.context ?? compiler.context
  const character = /[#?!]/.exec(context)?.[0]
  if (character === undefined) return
  const name = 'rspack' in compiler ? 'rspack' : 'webpack'
  throw new ConfigError(
    `${name} cannot load messages in a folder whose path contains "${character}"`,
    {
      details: { context },
      help: 'Rename the folder. Vite, Rollup, Rolldown and esbuild have no such limit.',
    },
  )
}

/**
 * @throws ConfigError in Next.js, which reads the exports of its entries before their
 * messages are loaded.
 */
function rejectNext({ options }: Compiler): void {
  const alias = options.resolve.alias ?? {}
  if (Array.isArray(alias) || !('private-next-root-dir' in alias)) return
  throw new ConfigError('The entries of Next.js cannot await their messages', {
    help: 'In next.config, use `withUilm` of @servicekit/unplugin/next instead of this plugin.',
  })
}

/**
 * Puts a module before each entry that loads the messages and then imports the original
 * entry.
 */
function wrapEntries(compiler: Compiler, entries: Map<string, readonly string[]>): void {
  const prefix = pathToContext(compiler)
  const wrap = (entry: Exclude<EntryNormalized, (...args: never[]) => unknown>) => {
    for (const [name, description] of Object.entries(entry)) {
      const requests = description.import
      if (!requests) continue
      entries.set(
        name,
        requests.map((request) => (/^\.\.?\//.test(request) ? prefix + request : request)),
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
function pathToContext(compiler: Compiler | RspackCompiler): string {
  if (!('rspack' in compiler)) return ''
  // Without native virtual modules, each process has its own folder.
  return compiler.rspack.experiments.VirtualModulesPlugin ? '../../' : '../../../'
}

const isForServer = (target: unknown): boolean =>
  [target].flat().some((one) => typeof one === 'string' && /^(?:async-)?node/.test(one))
