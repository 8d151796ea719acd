/** @import { Pack } from './types.js' */

/**
 * Functions of localizers. `localizer.js` sets them, so that bundles for browsers, which do not
 * create localizers, do not contain them.
 * @type {{
 *   language?: () => string | undefined,
 *   timeZone?: () => string | undefined,
 *   loadAll?: (pack: Pack) => Promise<unknown>,
 * }}
 */
export const scoped = {}
