import type { Plugin } from 'rollup'
import { followSource } from '../core/follow-source.ts'
import { parseSpecifier, virtualId, virtualOf } from '../core/ids.ts'
import type { PluginContext } from '../core/plugin-context.ts'
import { isCatalogModule, loadVirtual } from './bundler.ts'
import { createChunkHooks, missingExport } from './chunk-hooks.ts'
import { rewriteForBuild, sourceFilter } from './rewrite-source.ts'

/** Creates the plugin for Rollup and Rolldown, which only build. */
export function rollupPlugin(context: PluginContext): Plugin {
  const { options } = context
  const reactive = options.framework === 'react' ? undefined : options.framework
  let follower: ReturnType<typeof followSource> | undefined
  /** `true` for a library or code for Node, which other tools bundle or trace again. */
  let isBundledAgain = options.library
  const isLive = (): boolean => options.live !== undefined && !isBundledAgain

  return {
    name: 'servicekit',

    async buildStart(inputOptions) {
      await context.reloadIfChanged()
      // An option of Rolldown.
      isBundledAgain ||= 'platform' in inputOptions && inputOptions.platform === 'node'
      if (this.meta.watchMode) follower ??= followSource(context)
    },

    resolveId(id) {
      // Unused modules are removed completely.
      return parseSpecifier(id) ? { id: virtualId(id), moduleSideEffects: false } : undefined
    },

    load: {
      filter: { id: /^\0~uilm/ },
      async handler(id) {
        const virtual = virtualOf(id)
        if (!virtual || !isCatalogModule(virtual)) return undefined
        const code = await loadVirtual(context, virtual, {
          packAccess: 'binding',
          hot: 'import.meta.hot',
          reactive,
          isLive: isLive(),
        })
        if (this.meta.watchMode) {
          for (const file of await context.watchFiles()) this.addWatchFile(file)
        }
        return code
      },
    },

    transform: {
      filter: sourceFilter,
      async handler(code, id) {
        const file = { code, id, parse: (text: string) => this.parse(text) as never }
        const rewritten = await rewriteForBuild(context, file, {
          // A build for one language cannot switch to another.
          replacesCompiler: options.inline === undefined,
        })
        return rewritten && { code: rewritten.code, map: rewritten.map }
      },
    },

    ...createChunkHooks(context, {
      loaderOf: () => ({ isBundledAgain, isLive: isLive() }),
      emitPack: (hook, fileName, source) => hook.emitFile({ type: 'asset', fileName, source }),
    }),

    onLog(_level, log) {
      const message = missingExport(log)
      if (message !== undefined) this.error(message)
    },

    async closeWatcher() {
      await (await follower)?.stop()
    },
  }
}
