import type { LanguageOptions, Web } from './server.js'

/** Hook with the default strategies: `export { handle } from '~uilm/sveltekit'`. */
export const handle: ReturnType<typeof createHandle>
/** Creates the hook of `hooks.server`. It also sets the attributes of the root element. */
export function createHandle(
  options?: LanguageOptions,
): (input: { readonly event: any; readonly resolve: any }) => Promise<Web<'Response'>>
/** Creates the hook `reroute` of `hooks`, so that routes need no language. */
export function createReroute(
  options: LanguageOptions,
): (event: { readonly url: Web<'URL'> }) => string
