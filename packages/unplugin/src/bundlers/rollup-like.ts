import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findByImportName, lookupModuleOf, type ModuleModel } from '@servicekit/catalog'
import { ConfigError } from '@servicekit/client'
import type { UnpluginOptions } from 'unplugin'
import type { Plugin, UserConfig } from 'vite'
import type { Reactive } from '../core/adapter-code.ts'
import { reactives } from '../core/adapter-code.ts'
import { cutPacks, type PackFile } from '../core/chunk-packs.ts'
import { followTexts } from '../core/dev-server.ts'
import { followSource } from '../core/follow-source.ts'
import { createFreshness } from '../core/freshness.ts'
import { modulePrefix, parseSpecifier, virtualId, virtualOf } from '../core/ids.ts'
import { rewriteImports } from '../core/rewrite-imports.ts'
import { type UnknownKey, type UnknownKeyError, unknownKeyError } from '../core/unknown-key.ts'
import { looksUp, unknownNames } from '../core/used-messages.ts'
import type { Workshop } from '../core/workshop.ts'
import { loadVirtual, warnOfLookup } from './bundler.ts'

/** Hook context of vite, rollup and rolldown beyond the types of unplugin. */
interface Context {
  readonly parse: (code: string) => unknown
  readonly emitFile: (
    file:
      | { type: 'asset'; fileName: string; source: string }
      | { type: 'prebuilt-chunk'; fileName: string; code: string },
  ) => unknown
  readonly addWatchFile: (file: string) => void
  readonly environment?: { readonly config: { readonly consumer: 'client' | 'server' } }
  readonly meta?: { readonly watchMode?: boolean }
}

/** Creates the plugin for vite, rollup and rolldown, which share their hooks. */
export function rollupLike(workshop: Workshop): UnpluginOptions {
  const { settings, options } = workshop
  const refreshed = createFreshness(workshop)
  let reactive = options.framework === 'react' ? undefined : options.framework
  let stopFollowing: Promise<() => void> | undefined
  /** `true` for a library or code for Node, which other tools bundle or trace again. */
  let isBundledAgain = options.library
  let isForTests = false

  const parser =
    (context: unknown) =>
    (code: string): { body: readonly unknown[] } =>
      (context as Context).parse(code) as { body: unknown[] }
  const render = {
    async renderChunk(
      this: unknown,
      code: string,
      chunk: { readonly fileName: string },
      { format }: { readonly format: string },
    ) {
      if (options.inline !== undefined) return undefined
      const { session } = await workshop.open()
      const cut = cutPacks({
        code,
        model: session.model(),
        parse: parser(this),
        isFollowed: isBundledAgain || isServer(this),
      })
      if (!cut) return undefined
      checkFormat(format, chunk.fileName)
      for (const pack of cut.packs) {
        const fileName = beside(chunk.fileName, pack)
        // vite drops assets from server builds.
        const file = isServer(this)
          ? { type: 'prebuilt-chunk' as const, fileName, code: pack.source }
          : { type: 'asset' as const, fileName, source: pack.source }
        ;(this as Context).emitFile(file)
      }
      return { code: cut.code, map: cut.map }
    },
    async closeWatcher() {
      ;(await stopFollowing)?.()
    },
  }

  return {
    name: 'servicekit',
    // Runs after TypeScript, JSX and component files were compiled to JavaScript.
    enforce: 'post',

    async buildStart(...args: readonly unknown[]) {
      await refreshed()
      isBundledAgain ||= (args[0] as { platform?: string } | undefined)?.platform === 'node'
      const { meta } = this as unknown as Context
      if (meta?.watchMode && !settings.dev) stopFollowing ??= followSource(workshop)
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
        if (virtual.kind === 'chunks') return undefined
        const { meta } = this as unknown as Context
        const style = { find: 'binding', hot: 'import.meta.hot', reactive } as const
        const code = await loadVirtual(workshop, virtual, style)
        if (meta?.watchMode && !settings.dev) {
          const { project } = await workshop.open()
          this.addWatchFile(project.options.lockFile)
        }
        return { code, map: null }
      },
    },

    transform: {
      filter: { id: { exclude: /^\0~uilm/ }, code: modulePrefix },
      async handler(code, file) {
        const { session } = await workshop.open()
        const model = session.model()
        const { modules } = model
        for (const module of settings.dev ? [] : modules) {
          if (looksUp(code, module)) warnOfLookup(workshop, file, module)
        }
        const findModule = (name: string) => findByImportName(modules, name)
        const source = await sourceOf(file, code)
        const result = rewriteImports({
          code,
          parse: parser(this),
          findModule,
          isOther: (name) => lookupModuleOf(modulePrefix + name, model) !== undefined,
          keepsKnown: settings.dev,
          ...(settings.dev && {
            unknownNamesOf: (name: string) => unknownNames(source, name, findModule(name)),
          }),
        })
        const errors = unknownKeyErrors(result?.unknown ?? [], { file, source }, modules)
        // An unknown key fails a test run, like a build.
        if (!settings.dev || isForTests) {
          if (errors[0]) throw errors[0]
        } else {
          for (const { message } of workshop.unknownKeys.report(file, errors)) {
            settings.log.error(message)
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
        settings.offline = settings.dev
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
        const stop = await followTexts(server, workshop)
        const { close } = server
        // On restart the plugin may be reused, and the old server closes after the new
        // one has started.
        server.close = async () => {
          stop()
          await close()
        }
      },
    },
  }
}

/** Returns a file as written by the developer. Its code in the bundler is compiled. */
const sourceOf = (file: string, code: string): Promise<string> =>
  readFile(pathOf(file), 'utf8').catch(() => code)

/** Removes the query that distinguishes the blocks of a component file. */
const pathOf = (file: string): string => file.replace(/\?.*$/, '')

/** Returns the errors for unknown keys of a file, one for each key. */
function unknownKeyErrors(
  unknown: readonly UnknownKey[],
  { file, source }: { readonly file: string; readonly source: string },
  modules: readonly ModuleModel[],
): readonly UnknownKeyError[] {
  const unique = new Map(unknown.map((one) => [`${one.module}/${one.name}`, one]))
  return [...unique.values()].map((one) =>
    unknownKeyError(
      one,
      { file: pathOf(file), source },
      findByImportName(modules, one.module),
      modules,
    ),
  )
}

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
  (told: InlineLimit = 4096): InlineLimit =>
  (file, content) => {
    if (/\.m?js$/.test(file) && content.includes('./uilm-')) return false
    return typeof told === 'function' ? told(file, content) : content.length < told
  }

const isServer = (context: unknown): boolean =>
  (context as Context).environment?.config.consumer === 'server'

/** Returns the framework among the plugins that must track calls of messages. */
function frameworkOf(
  plugins: readonly { readonly name: string }[],
  told: string | undefined,
): Reactive | undefined {
  if (told !== undefined) return undefined
  return reactives.find((framework) =>
    plugins.some(({ name }) => new RegExp(`(?:^|[-:])${framework}(?:$|[-:])`).test(name)),
  )
}

/** @throws ConfigError if chunks of the format cannot use top-level await. */
export function checkFormat(format: string, chunk: string): void {
  if (/^(?:es|esm|module)$/.test(format)) return
  throw new ConfigError(`${chunk} waits for its texts, which a chunk of format ${format} cannot`, {
    help: "Build ES modules (format: 'esm', and type=\"module\" on the script), or one build per language with the option inline: 'en-US'.",
  })
}

const beside = (chunk: string, pack: PackFile): string =>
  join(dirname(chunk), pack.name).replaceAll('\\', '/')
