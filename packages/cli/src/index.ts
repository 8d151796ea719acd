/**
 * The commands, and the type of `servicekit.config.ts`. The parts that commands
 * are made of are packages of their own: `@servicekit/catalog`,
 * `@servicekit/codegen`, `@servicekit/platform`.
 */
import type { ServicekitConfig } from '@servicekit/catalog/config'

export type { GatewayOptions, ServicekitConfig } from '@servicekit/catalog/config'

/**
 * Types what `servicekit.config.ts` exports; returns it as it is.
 *
 * ```ts
 * import { defineConfig } from 'servicekit'
 *
 * export default defineConfig({ localization: { languages: ['en-US', 'de-DE'] } })
 * ```
 */
export const defineConfig = (config: ServicekitConfig): ServicekitConfig => config
