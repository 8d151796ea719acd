/**
 * Formats error messages. Production bundles for browsers use `message-lean.ts` instead.
 */
export { formatErrorMessage as messageOf } from '@servicekit/core'
