import { join } from 'node:path'
import { rejectLinkedFolders, writeFiles } from '@servicekit/catalog'
import { createPluginContext } from './core/plugin-context.ts'
import type { FrameworkOptions } from './frameworks/language-options.ts'
import { nitroPlugin, nuxtConfigTypes, nuxtPlugin } from './frameworks/nuxt-code.ts'
import { resolveOptions } from './options.ts'
import { uilm as rollupPlugin } from './rollup.ts'
import { uilm as vitePlugin } from './vite.ts'

export type { FrameworkOptions, LanguageConfig } from './frameworks/language-options.ts'

/** The parts of Nuxt that the module changes. */
interface Nuxt {
  readonly options: {
    readonly rootDir: string
    readonly vite: { plugins?: unknown[] }
    readonly nitro: {
      plugins?: string[]
      rollupConfig?: { plugins?: unknown }
      esbuild?: { options?: { target?: string | readonly string[] } }
      externals?: { inline?: unknown[] }
    }
    readonly uilm?: FrameworkOptions
  }
  readonly hook: (name: never, listener: (value: never) => unknown) => unknown
}

interface Page {
  path: string
}

interface TypeReference {
  readonly path: string
}

/** Declarations of the application, of the configuration, and of both. */
const typeLists = ['references', 'nodeReferences', 'sharedReferences'] as const

/**
 * Module for Nuxt: adds the plugin to the pages and to the server, and handles the language
 * of requests. Options are those of the plugin, and `language`.
 *
 * ```ts
 * export default defineNuxtConfig({ modules: ['@servicekit/unplugin/nuxt'] })
 * ```
 */
// oxlint-disable-next-line import/no-default-export -- Nuxt loads the default export
export default async function uilmModule(
  inline: FrameworkOptions | undefined,
  nuxt: Nuxt,
): Promise<void> {
  const { language = {}, ...given } = { ...nuxt.options.uilm, ...inline }
  const options = { root: nuxt.options.rootDir, framework: 'vue', cookie: true, ...given } as const
  const { vite, nitro } = nuxt.options
  ;(vite.plugins ??= []).push(vitePlugin(options))
  // Server routes and the handling of requests are bundled separately from the pages.
  const rollup = (nitro.rollupConfig ??= {})
  rollup.plugins = [rollup.plugins, rollupPlugin({ ...options, library: true })]
  // The server awaits its messages.
  nitro.esbuild = { ...nitro.esbuild, options: { target: 'es2022', ...nitro.esbuild?.options } }
  const folder = join(options.root, '.servicekit/nuxt')
  const [serverPlugin, appPlugin] = [join(folder, 'server.mjs'), join(folder, 'app.mjs')] as const
  const configTypes = join(folder, 'config.d.ts')
  rejectLinkedFolders(options.root, [folder])
  await writeFiles([
    { path: serverPlugin, text: nitroPlugin(language) },
    { path: appPlugin, text: nuxtPlugin },
    { path: configTypes, text: nuxtConfigTypes },
  ])
  // In development, Nitro would leave the file and its imports to Node.
  ;((nitro.externals ??= {}).inline ??= []).push(folder)
  ;(nitro.plugins ??= []).push(serverPlugin)
  const hook = nuxt.hook as (name: string, listener: (value: never) => unknown) => unknown
  hook('app:resolve', (app: { plugins: unknown[] }) => {
    app.plugins.unshift({ src: appPlugin, mode: 'all' })
  })
  const types = [join(options.root, '.servicekit/types/index.d.ts'), configTypes]
  hook('prepare:types', (prepared: { [name in (typeof typeLists)[number]]?: TypeReference[] }) => {
    for (const list of typeLists) prepared[list]?.push(...types.map((path) => ({ path })))
  })
  if (!language.strategies?.includes('path')) return
  hook('pages:extend', async (pages: Page[]) => {
    const { session } = await createPluginContext(resolveOptions(options)).open()
    const prefixes = session
      .model()
      .catalog.languages.map(({ code }) => language.prefixes?.[code] ?? code)
    for (const page of pages) {
      page.path = `/:language(${prefixes.join('|')})?${page.path === '/' ? '' : page.path}`
    }
  })
}
