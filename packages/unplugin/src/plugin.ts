import { createUnplugin, type UnpluginInstance } from 'unplugin'
import { esbuildSetup } from './bundlers/esbuild.ts'
import { rollupPlugin } from './bundlers/rollup.ts'
import { vitePlugin } from './bundlers/vite.ts'
import { webpackLike } from './bundlers/webpack-like.ts'
import { createPluginContext } from './core/plugin-context.ts'
import { resolveOptions, type UilmOptions } from './options.ts'

/**
 * Plugin for all bundlers. Omitted options are read from `servicekit.config.*` of the
 * project.
 */
export const unplugin: UnpluginInstance<UilmOptions | undefined, false> = createUnplugin<
  UilmOptions | undefined,
  false
>((options = {}, { framework }) => {
  const context = createPluginContext(resolveOptions(options))
  if (framework === 'esbuild') {
    return { name: 'servicekit', esbuild: { setup: esbuildSetup(context) } }
  }
  if (framework === 'webpack' || framework === 'rspack') return webpackLike(context)
  if (framework === 'vite') return { name: 'servicekit', vite: vitePlugin(context) }
  const rollup = rollupPlugin(context)
  // Rolldown has the same hooks, with types of its own.
  return { name: 'servicekit', rollup, rolldown: rollup as never }
})
