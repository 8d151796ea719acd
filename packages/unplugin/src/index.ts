/**
 * The bundler plugin: `~uilm/<module>` becomes typed messages, of which a page
 * downloads those it uses, in the language it shows.
 *
 * Thin over `@servicekit/catalog`: bundler hooks are in `plugin.ts`, everything
 * that can be said without a bundler is in `core/`.
 */
export { webhookPath } from './core/webhook.ts'
export type { InspectOptions, UilmOptions } from './options.ts'
export { unplugin } from './plugin.ts'
