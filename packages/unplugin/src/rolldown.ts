import type { Plugin } from 'rolldown'
import type { UilmOptions } from './options.ts'
import { unplugin } from './plugin.ts'

/**
 * Plugin for rolldown.
 *
 * ```js
 * import { uilm } from '@servicekit/unplugin/rolldown'
 *
 * export default { input: 'src/main.js', plugins: [uilm()], output: { dir: 'dist' } }
 * ```
 */
export const uilm = unplugin.rolldown as (options?: UilmOptions) => Plugin
