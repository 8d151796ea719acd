import { type Reactive, reactives } from '@servicekit/catalog'
import type { Plugin, Rollup, UserConfig } from 'vite'
import { updateServer } from '../core/dev-server.ts'
import { followSource } from '../core/follow-source.ts'
import { parseSpecifier, virtualId, virtualOf } from '../core/ids.ts'
import type { PluginContext } from '../core/plugin-context.ts'
import type { UnknownKeyError } from '../core/unknown-key.ts'
import { isCatalogModule, loadVirtual } from './bundler.ts'
import { createChunkHooks, missingExport } from './chunk-hooks.ts'
import { rewriteForBuild, rewriteForDev, sourceFilter } from './rewrite-source.ts'

/** Creates the plugin for Vite, its development server and Vitest. */
export function vitePlugin(context: PluginContext): Plugin {
  const { settings, options } = context
  let reactive = options.framework === 'react' ? undefined : options.framework
  let follower: ReturnType<typeof followSource> | undefined
  /** `true` for a library, which other tools bundle again. */
  let isBundledAgain = options.library
  let isForTests = false
  let isBundledDev = false
  const isLive = (hook: HookContext): boolean =>
    options.live !== undefined && !settings.dev && !isBundledAgain && !isServer(hook)
  /**
   * Functions that stop the updates of a server, by its environment for the browser. A restart
   * may use the plugin again, and starts the new server before the old one closes.
   */
  const running = new WeakMap<object, () => void | Promise<void>>()

  return {
    name: 'servicekit',
    // Runs after TypeScript, JSX and component files were compiled to JavaScript.
    enforce: 'post',

    config({ build = {}, plugins }) {
      // Astro inlines small scripts into pages, where relative imports would not
      // resolve.
      return isAmong(plugins, /^astro:/)
        ? { build: { assetsInlineLimit: keepScripts(build.assetsInlineLimit) } }
        : undefined
    },

    configResolved(config) {
      settings.root ??= config.root
      settings.dev = config.command === 'serve'
      isBundledAgain ||= Boolean(config.build.lib)
      isForTests = config.plugins.some(({ name }) => name === 'vitest')
      isBundledDev = config.experimental.bundledDev ?? false
      settings.cookie ||= options.cookie ?? isAmong(config.plugins, serverFrameworks)
      reactive ??= frameworkOf(config.plugins, options.framework)
      const { logger } = config
      settings.log = {
        info: (message) => logger.info(`[uilm] ${message}`),
        warn: (message) => logger.warn(`[uilm] ${message}`),
        error: (message) => logger.error(`[uilm] ${message}`),
      }
    },

    async configureServer(server) {
      // Unit tests end before any message changes.
      if (isForTests) return
      running.set(server.environments.client, await updateServer(server, context))
    },

    // Each environment calls it when its server closes, also the old one at a restart.
    async closeBundle() {
      await running.get(this.environment)?.()
    },

    async buildStart() {
      await context.reloadIfChanged()
      if (this.meta.watchMode && !settings.dev) follower ??= followSource(context)
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
          server: isServer(this),
          isLive: isLive(this),
        })
        if (this.meta.watchMode && !settings.dev) {
          for (const file of await context.watchFiles()) this.addWatchFile(file)
        }
        return {
          code,
          // Otherwise vite would append a source map of the code itself, three times its size.
          map: settings.dev ? { mappings: '' } : null,
          // On a server, the runtime joins the localizers of other bundles.
          ...(virtual.kind === 'runtime' && isServer(this) && { moduleSideEffects: true }),
        }
      },
    },

    transform: {
      filter: sourceFilter,
      async handler(code, id) {
        const file = { code, id, parse: (text: string) => this.parse(text) }
        // A server renders each page once, and a build for one language cannot switch.
        const replacesCompiler =
          (options.inline === undefined || settings.dev) && (isForTests || !isServer(this))
        if (!settings.dev) return rewriteForBuild(context, file, { replacesCompiler })
        const { rewritten, errors } = await rewriteForDev(context, file, {
          replacesCompiler,
          bundlesImported: !isForTests && !isBundledDev && !isServer(this),
        })
        // An unknown key fails a test run, like a build.
        if (isForTests && errors[0]) throw errors[0]
        reportUnknownKeys(context, id, errors)
        return rewritten
      },
    },

    ...createChunkHooks<HookContext>(context, {
      loaderOf: (hook) => ({
        isBundledAgain: isBundledAgain || isServer(hook),
        isLive: isLive(hook),
      }),
      emitPack(hook, fileName, code) {
        // Vite drops assets from server builds.
        if (isServer(hook)) hook.emitFile({ type: 'prebuilt-chunk', fileName, code })
        else hook.emitFile({ type: 'asset', fileName, source: code })
      },
    }),

    onLog(_level, log) {
      const message = missingExport(log)
      if (message !== undefined && !settings.dev) this.error(message)
    },

    async closeWatcher() {
      await (await follower)?.stop()
    },
  }
}

/** Prints the unknown keys of a file, each once until it is corrected. */
function reportUnknownKeys(
  { unknownKeys, settings }: PluginContext,
  id: string,
  errors: readonly UnknownKeyError[],
): void {
  const reported = unknownKeys.get(id)?.map(({ message }) => message)
  unknownKeys.set(id, errors)
  for (const { message } of errors) {
    if (!reported?.includes(message)) settings.log.error(message)
  }
}

type HookContext = Pick<Rollup.PluginContext, 'emitFile' | 'environment' | 'parse'>

const isServer = ({ environment }: Pick<HookContext, 'environment'>): boolean =>
  environment.config.consumer === 'server'

/** Names of the plugins of frameworks that render pages on a server. */
const serverFrameworks = /^(?:astro|nuxt|react-router|solid-start|vite-plugin-sveltekit)\b/

const isAmong = (plugins: unknown, name: RegExp): boolean =>
  [plugins]
    .flat(Infinity)
    .some((plugin) => name.test((plugin as { name?: string } | undefined)?.name ?? ''))

type InlineLimit = NonNullable<NonNullable<UserConfig['build']>['assetsInlineLimit']>

/**
 * Keeps scripts that load messages in separate files. Other files use the configured
 * limit.
 */
const keepScripts =
  (configured: InlineLimit = 4096): InlineLimit =>
  (file, content) => {
    if (/\.m?js$/.test(file) && content.includes('./uilm-')) return false
    return typeof configured === 'function'
      ? configured(file, content)
      : content.length < configured
  }

/** Returns the framework among the plugins that must track calls of messages. */
function frameworkOf(
  plugins: readonly { readonly name: string }[],
  configured: string | undefined,
): Reactive | undefined {
  if (configured !== undefined) return undefined
  // Other names only mention a framework, like `fullstack:patch-vue-scoped-css-hmr` of Nitro.
  const prefix = '^(?:vite:|(?:vite-|rollup-|un)plugin-)?'
  return reactives.find((framework) =>
    plugins.some(({ name }) => new RegExp(`${prefix}${framework}(?:$|[-:])`).test(name)),
  )
}
