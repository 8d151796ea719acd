import { createUnplugin, type UnpluginInstance } from 'unplugin'
import { esbuildSetup } from './bundlers/esbuild.ts'
import { rollupLike } from './bundlers/rollup-like.ts'
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
  return rollupLike(context)
})
