import { readFileSync, watchFile } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { rejectLinkedFolders, writeFiles } from '@servicekit/catalog'
import { ConfigError } from '@servicekit/client'
import { invalidValue } from '@servicekit/core'
import type { NextConfig } from 'next'
import { followSource } from '../core/follow-source.ts'
import { createPluginContext, type PluginContext } from '../core/plugin-context.ts'
import { createWarner } from '../core/session.ts'
import { resolveOptions, type UilmOptions } from '../options.ts'
import { findApplication } from './application.ts'
import { checkNextVersion } from './check-version.ts'
import { generateModules } from './generate.ts'
import { type BundlerInput, turbopackConfig } from './turbopack.ts'
import { addToWebpack } from './webpack.ts'

/** Function that Next.js calls for its configuration. */
export type NextConfigFunction = (
  phase: string,
  context: { readonly defaultConfig: NextConfig },
) => NextConfig | Promise<NextConfig>

/** Options of {@link withUilm}: those of the plugin that apply to Next.js, and its own. */
export interface NextOptions extends Omit<
  UilmOptions,
  'inline' | 'framework' | 'library' | 'manifest' | 'live' | 'inspect' | 'webhook'
> {
  /**
   * Name of a cookie with the time zone of the visitor, in which the server and the browser format
   * dates. `setTimeZone` of `~uilm` stores it. Pages are then rendered for each request. By
   * default there is none.
   */
  readonly timeZoneCookie?: string
}

/**
 * Adds typed messages to an application of Next.js, with webpack and with Turbopack. Omitted
 * options are read from `servicekit.config.*`.
 *
 * ```ts
 * import { withUilm } from '@servicekit/unplugin/next'
 *
 * export default withUilm({})
 * ```
 *
 * @param config Configuration of Next.js: an object, or a function that returns one.
 */
export function withUilm(
  config: NextConfig | NextConfigFunction = {},
  { timeZoneCookie, ...options }: NextOptions = {},
): (...args: Parameters<NextConfigFunction>) => Promise<NextConfig> {
  const resolved = resolveOptions(options)
  checkCookieName(timeZoneCookie)
  return async (phase, given) => {
    const own = typeof config === 'function' ? await config(phase, given) : config
    const isDev = phase === 'phase-development-server'
    if (!isDev && phase !== 'phase-production-build') return own
    const root = process.cwd()
    checkNextVersion(root)
    const outDir = join(root, '.servicekit/next')
    const extensions = own.pageExtensions ?? ['tsx', 'ts', 'jsx', 'js']
    const application = findApplication(root, extensions)
    // The processes of a build inherit the variable and share the work of the first one.
    if (process.env[readyVariable] !== root) {
      process.env[readyVariable] = root
      const context = createPluginContext(resolved)
      Object.assign(context.settings, { root, dev: isDev })
      const write = async (): Promise<void> => {
        const { project, session } = await context.open()
        const { storageKey } = project.options
        const { rootParam } = application
        const names = { storageKey, rootParam, timeZoneCookie }
        rejectLinkedFolders(root, [outDir])
        await writeFiles(generateModules(session.model(), { outDir, ...names }))
      }
      await write()
      if (isDev) await follow(context, write)
    }
    const packages = own.transpilePackages ?? []
    const input: BundlerInput = {
      application,
      outDir,
      loader: createRequire(import.meta.url).resolve('@servicekit/unplugin/next/loader'),
      options: {
        root,
        outDir,
        appDir: application.appDir ?? null,
        pagesDir: application.pagesDir ?? null,
        extensions,
        isStatic: own.i18n != null && timeZoneCookie === undefined,
        packages,
        otherPackages: dependenciesOf(root).filter((name) => !packages.includes(name)),
      },
    }
    return {
      ...own,
      turbopack: turbopackConfig(own.turbopack, input),
      webpack(webpack, context) {
        addToWebpack(webpack, context, input)
        return own.webpack ? (own.webpack(webpack, context) as unknown) : webpack
      },
    }
  }
}

/** @throws ConfigError */
function checkCookieName(name: string | undefined): void {
  if (name === undefined || /^[\w-]+$/.test(name)) return
  throw new ConfigError(
    invalidValue('timeZoneCookie', 'of letters, digits, hyphens and underscores', name),
  )
}

/** Set to the root of an application whose modules have been generated. */
const readyVariable = 'SERVICEKIT_NEXT_ROOT'

/**
 * Generates the modules again when translations change on the service or on disk, and warns
 * about a changed config file.
 */
async function follow(context: PluginContext, write: () => Promise<void>): Promise<void> {
  const { warn } = createWarner(context.settings.log)
  const update = (): void => void write().catch(warn)
  const { session } = await context.open()
  session.subscribe(update)
  await followSource(context)
  // Notices later changes of the config file.
  await context.reloadIfChanged()
  for (const file of await context.watchFiles()) {
    watchFile(file, { interval: 500, persistent: false }, () => {
      context.reloadIfChanged().catch(warn)
    })
  }
}

/** Returns the packages that an application depends on. */
function dependenciesOf(root: string): readonly string[] {
  try {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string> | undefined>
    return Object.keys({ ...dependencies, ...devDependencies })
  } catch {
    return []
  }
}
