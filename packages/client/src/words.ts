/**
 * The parts that speak to people: options are checked and errors explained. A
 * bundle for production in a browser gets `words-lean.ts` in their place
 * (the condition `browser` without `development`), which says the same in fewer
 * words.
 */
export { deadlines, sendWithin } from './deadline.ts'
export { failed, neverSent, notJson, refused } from './failures.ts'
export { conceal, type Headers, readHeaders } from './headers.ts'
export { resolveClientOptions } from './options.ts'
export { serviceMessage as saidIn } from './service-message.ts'
