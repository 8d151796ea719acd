import type * as message from './message.ts'

/**
 * Keeps messages short in production browser bundles; details and help remain properties of
 * the error.
 */
export const messageOf: typeof message.messageOf = (summary) => summary
