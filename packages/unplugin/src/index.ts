/**
 * Bundler plugin that turns `~uilm/<module>` into typed messages. A page downloads only
 * the messages that it uses, in its current language.
 *
 * A thin layer over `@servicekit/catalog`: `plugin.ts` selects the bundler hooks, and
 * `core/` contains everything that does not depend on a bundler.
 */
export { webhookPath } from './core/webhook.ts'
export type { InspectOptions, LiveOptions, UilmOptions } from './options.ts'
export { unplugin } from './plugin.ts'
