import type { Plugin } from 'vite'
import type { UilmOptions } from './options.ts'
import { unplugin } from './plugin.ts'

/**
 * Plugin for vite.
 *
 * ```ts
 * import { defineConfig } from 'vite'
 * import { uilm } from '@servicekit/unplugin/vite'
 *
 * export default defineConfig({ plugins: [uilm()] })
 * ```
 */
export const uilm = unplugin.vite as (options?: UilmOptions) => Plugin
