/**
 * User-facing parts: option validation and error messages. Production bundles for browsers
 * use `diagnostics-browser.ts` instead (condition `browser` without `development`), with shorter
 * messages.
 */
export { deadlines, sendWithin } from './deadline.ts'
export { failed, neverSent, notJson, refused } from './request-errors.ts'
export { conceal, type Headers, readHeaders } from './headers.ts'
export { resolveClientOptions } from './options.ts'
export { serviceMessage } from '@servicekit/core'
