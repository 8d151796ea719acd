import type { RspackPluginInstance } from '@rspack/core'
import type { UilmOptions } from './options.ts'
import { unplugin } from './plugin.ts'

/**
 * Plugin for rspack.
 *
 * ```js
 * import { uilm } from '@servicekit/unplugin/rspack'
 *
 * export default { entry: './src/main.js', plugins: [uilm()] }
 * ```
 */
export const uilm = unplugin.rspack as (options?: UilmOptions) => RspackPluginInstance
