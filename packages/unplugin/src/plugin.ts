import { createUnplugin, type UnpluginInstance } from 'unplugin'
import { esbuildSetup } from './bundlers/esbuild.ts'
import { rollupLike } from './bundlers/rollup-like.ts'
import { webpackLike } from './bundlers/webpack-like.ts'
import { createWorkshop } from './core/workshop.ts'
import { resolveOptions, type UilmOptions } from './options.ts'

/**
 * Plugin for all bundlers. Omitted options are read from `servicekit.config.*` of the
 * project.
 */
export const unplugin: UnpluginInstance<UilmOptions | undefined, false> = createUnplugin<
  UilmOptions | undefined,
  false
>((options = {}, { framework }) => {
  const workshop = createWorkshop(resolveOptions(options))
  if (framework === 'esbuild') {
    return { name: 'servicekit', esbuild: { setup: esbuildSetup(workshop) } }
  }
  if (framework === 'webpack' || framework === 'rspack') return webpackLike(workshop)
  return rollupLike(workshop)
})
