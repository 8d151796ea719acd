import type { Plugin } from 'esbuild'
import type { UilmOptions } from './options.ts'
import { unplugin } from './plugin.ts'

/**
 * Plugin for esbuild.
 *
 * ```js
 * import { build } from 'esbuild'
 * import { uilm } from '@servicekit/unplugin/esbuild'
 *
 * await build({ entryPoints: ['src/main.js'], bundle: true, format: 'esm', outdir: 'dist', plugins: [uilm()] })
 * ```
 */
export const uilm = unplugin.esbuild as (options?: UilmOptions) => Plugin
