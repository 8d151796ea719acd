import type { WebpackPluginInstance } from 'webpack'
import type { UilmOptions } from './options.ts'
import { unplugin } from './plugin.ts'

/**
 * Plugin for webpack.
 *
 * ```js
 * import { uilm } from '@servicekit/unplugin/webpack'
 *
 * export default { entry: './src/main.js', plugins: [uilm()] }
 * ```
 */
export const uilm = unplugin.webpack as (options?: UilmOptions) => WebpackPluginInstance
