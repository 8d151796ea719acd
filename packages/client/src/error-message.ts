/**
 * Formats error messages. Production bundles for browsers use `error-message-browser.ts` instead.
 */
export { formatErrorMessage } from '@servicekit/core'
