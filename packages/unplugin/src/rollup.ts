import type { Plugin } from 'rollup'
import type { UilmOptions } from './options.ts'
import { unplugin } from './plugin.ts'

/**
 * Plugin for rollup.
 *
 * ```js
 * import { uilm } from '@servicekit/unplugin/rollup'
 *
 * export default { input: 'src/main.js', plugins: [uilm()], output: { dir: 'dist' } }
 * ```
 */
export const uilm = unplugin.rollup as (options?: UilmOptions) => Plugin
