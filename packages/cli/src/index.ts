/**
 * Entry of `servicekit.config.ts`: `defineConfig` and its types. The packages behind the
 * commands are `@servicekit/catalog`, `@servicekit/codegen`, `@servicekit/platform` and
 * `@servicekit/server`.
 */
import type { ServicekitConfig } from '@servicekit/catalog/config'

export type { GatewayOptions, ServicekitConfig } from '@servicekit/catalog/config'

/**
 * Types the default export of `servicekit.config.ts`. Returns its argument.
 *
 * ```ts
 * import { defineConfig } from 'servicekit'
 *
 * export default defineConfig({ localization: { languages: ['en-US', 'de-DE'] } })
 * ```
 */
export const defineConfig = (config: ServicekitConfig): ServicekitConfig => config
