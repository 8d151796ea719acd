import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import {
  type BuiltChunk,
  findByImportName,
  lookupModuleOf,
  type PackFile,
  type Reactive,
  reactives,
} from '@servicekit/catalog'
import { ConfigError } from '@servicekit/client'
import type { UnpluginOptions } from 'unplugin'
import type { Plugin, Rollup, UserConfig } from 'vite'
import { createChunkPacks } from '../core/chunk-packs.ts'
import { updateServer } from '../core/dev-server.ts'
import { entryNames } from '../core/entry-names.ts'
import { followSource } from '../core/follow-source.ts'
import { keyOf, modulePrefix, parseSpecifier, virtualId, virtualOf } from '../core/ids.ts'
import { manifestFile } from '../core/manifest.ts'
import type { PluginContext } from '../core/plugin-context.ts'
import { compilerRuntimeEnd } from '../core/react-compiler.ts'
import { rewriteImports } from '../core/rewrite-imports.ts'
import { unknownKeyError } from '../core/unknown-key.ts'
import { looksUpKeys, unknownNames } from '../core/used-messages.ts'
import { loadVirtual, warnAboutLookup } from './bundler.ts'

/** Context of the hooks. Only vite has environments. */
type HookContext = Omit<Rollup.PluginContext, 'environment'> & {
  readonly environment?: { readonly config: { readonly consumer: 'client' | 'server' } }
}

/** Creates the plugin for vite, rollup and rolldown, which share their hooks. */
export function rollupLike(context: PluginContext): UnpluginOptions {
  const { settings, options } = context
  let reactive = options.framework === 'react' ? undefined : options.framework
  let follower: ReturnType<typeof followSource> | undefined
  /** `true` for a library or code for Node, which other tools bundle or trace again. */
  let isBundledAgain = options.library
  let isForTests = false
  let isBundledDev = false
  /** `false` for a build for one language. */
  const canSwitch = (): boolean => options.inline === undefined || settings.dev
  const isLive = (hook: HookContext): boolean =>
    options.live !== undefined && !settings.dev && !isBundledAgain && !isServer(hook)
  /**
   * Functions that stop the updates of a server, by its environment for the browser. A restart
   * may use the plugin again, and starts the new server before the old one closes.
   */
  const running = new WeakMap<object, () => void | Promise<void>>()
  /** Chunks with messages, by output folder. */
  const built = new Map<string | undefined, BuiltChunk[]>()

  const render = {
    renderStart({ dir }: { readonly dir?: string }) {
      built.delete(dir)
    },
    async generateBundle(
      this: HookContext,
      { dir }: { readonly dir?: string },
      bundle: Rollup.OutputBundle,
    ) {
      const chunks = built.get(dir)
      if (!options.manifest || !chunks) return
      const { session } = await context.open()
      const named = withNames(chunks, bundle, settings.root)
      this.emitFile({ type: 'asset', ...manifestFile(session.model(), named) })
    },
    async renderChunk(
      this: HookContext,
      code: string,
      chunk: Rollup.RenderedChunk,
      { format, dir }: { readonly format: string; readonly dir?: string },
    ) {
      if (options.inline !== undefined) return undefined
      const { session } = await context.open()
      const loader = { isBundledAgain: isBundledAgain || isServer(this), isLive: isLive(this) }
      const result = createChunkPacks({
        code,
        model: session.model(),
        parse: (text) => this.parse(text),
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
      for (const pack of packs) {
        const fileName = pack.name
        // vite drops assets from server builds.
        const file = isServer(this)
          ? { type: 'prebuilt-chunk' as const, fileName, code: pack.source }
          : { type: 'asset' as const, fileName, source: pack.source }
        this.emitFile(file)
      }
      const { edited } = result
      return { code: edited.toString(), map: edited.generateMap({ hires: 'boundary' }) }
    },
    /** Fails for what no text search finds, such as a key of a namespace that is exported. */
    onLog(
      this: HookContext,
      _level: string,
      { code, message, exporter, id }: Rollup.RollupLog,
    ): void {
      const isMissing = code === 'MISSING_EXPORT' || code === 'IMPORT_IS_UNDEFINED'
      const names = [exporter, id, message].join(' ')
      if (isMissing && names.includes(modulePrefix) && !settings.dev) this.error(message)
    },
    async closeWatcher() {
      await (await follower)?.stop()
    },
  }

  return {
    name: 'servicekit',
    // Runs after TypeScript, JSX and component files were compiled to JavaScript.
    enforce: 'post',

    async buildStart(...args: readonly unknown[]) {
      await context.reloadIfChanged()
      isBundledAgain ||= (args[0] as { platform?: string } | undefined)?.platform === 'node'
      const { meta } = this as unknown as HookContext
      if (meta?.watchMode && !settings.dev) follower ??= followSource(context)
    },

    resolveId(id) {
      if (!parseSpecifier(id)) return undefined
      // Unused modules are removed completely.
      return { id: virtualId(id), moduleSideEffects: false } as { id: string }
    },

    load: {
      filter: { id: /^\0~uilm/ },
      async handler(id) {
        const virtual = virtualOf(id)
        if (!virtual || virtual.kind === 'used' || virtual.kind === 'entry') return undefined
        if (virtual.kind === 'webpack') return undefined
        const { meta } = this as unknown as HookContext
        const style = {
          packAccess: 'binding',
          hot: 'import.meta.hot',
          reactive,
          server: isServer(this as unknown as HookContext),
          isLive: isLive(this as unknown as HookContext),
        } as const
        const code = await loadVirtual(context, virtual, style)
        if (meta?.watchMode && !settings.dev) {
          for (const file of await context.watchFiles()) this.addWatchFile(file)
        }
        return {
          code,
          // Otherwise vite would append a source map of the code itself, three times its size.
          map: settings.dev ? { mappings: '' as const } : null,
          // On a server, the runtime joins the localizers of other bundles.
          ...(virtual.kind === 'runtime' && style.server && { moduleSideEffects: true }),
        }
      },
    },

    transform: {
      filter: { id: { exclude: /^\0~uilm/ }, code: [modulePrefix, compilerRuntimeEnd] },
      async handler(code, file) {
        const { session } = await context.open()
        const model = session.model()
        const { modules } = model
        for (const module of settings.dev ? [] : modules) {
          if (looksUpKeys(code, module)) warnAboutLookup(context, file, module)
        }
        const findModule = (name: string) => findByImportName(modules, name)
        const source = await sourceOf(file, code)
        const result = rewriteImports({
          code,
          parse: (text) => (this as unknown as HookContext).parse(text),
          findModule,
          isLookup: (name) => lookupModuleOf(modulePrefix + name, model) !== undefined,
          onlyUnknown: settings.dev,
          // A server renders each page once.
          replacesCompiler: canSwitch() && (isForTests || !isServer(this as never)),
          bundlesImported: settings.dev && !isForTests && !isBundledDev && !isServer(this as never),
          unknownNamesOf: (name) => unknownNames(source, name, findModule(name)),
        })
        const errors = (result?.unknown ?? []).map((unknown) =>
          unknownKeyError(unknown, { file: pathOf(file), source }, modules),
        )
        // An unknown key fails a test run, like a build.
        if (!settings.dev || isForTests) {
          if (errors[0]) throw errors[0]
        } else {
          const reported = context.unknownKeys.get(file)?.map(({ message }) => message)
          context.unknownKeys.set(file, errors)
          for (const { message } of errors) {
            if (!reported?.includes(message)) settings.log.error(message)
          }
        }
        return result && { code: result.code, map: result.map }
      },
    },

    rollup: render as never,
    rolldown: render as never,
    vite: {
      ...(render as unknown as Plugin),
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
      async closeBundle(this: HookContext) {
        if (this.environment) await running.get(this.environment)?.()
      },
    },
  }
}

/** Returns a file as written by the developer. Its code in the bundler is compiled. */
const sourceOf = (file: string, code: string): Promise<string> =>
  readFile(pathOf(file), 'utf8').catch(() => code)

/** Removes the query that distinguishes the blocks of a component file. */
const pathOf = (file: string): string => file.replace(/\?.*$/, '')

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

const isServer = ({ environment }: HookContext): boolean =>
  environment?.config.consumer === 'server'

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

/** @throws ConfigError if chunks of the format cannot use top-level await. */
export function checkFormat(format: string, chunk: string): void {
  if (/^(?:es|esm|module)$/.test(format)) return
  throw new ConfigError(`${chunk} cannot await its messages in the format ${format}`, {
    help: "Build ES modules (format: 'esm', and type=\"module\" on the script), or one build per language with the option inline: 'en-US'.",
  })
}

/** Replaces the preliminary names of files, which are rendered before hashes are known. */
function withNames(
  chunks: readonly BuiltChunk[],
  bundle: Rollup.OutputBundle,
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
