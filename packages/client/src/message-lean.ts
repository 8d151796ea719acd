import type * as message from './message.ts'

/** In production in browsers an error says what failed; facts and help are its members. */
export const messageOf: typeof message.messageOf = (summary) => summary
