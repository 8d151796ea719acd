import type * as message from './error-message.ts'

/**
 * Keeps messages short in production browser bundles; details and help remain properties of
 * the error.
 */
export const formatErrorMessage: typeof message.formatErrorMessage = (summary) => summary
