/**
 * The core without any group, for pages that import only the groups they use.
 *
 * @module core
 */
export {
  type CoreResponse,
  type CallOptions,
  type Core,
  createCore,
  type SendInput,
} from './core.ts'
export * from './errors.ts'
export type { Hooks, RequestEvent, RequestOutcome, RetryEvent } from './hooks.ts'
export { type ErrorOf, isErrorOf, type OperationId } from './operation-errors.ts'
export type { ClientOptions, Runtime } from './options.ts'
export { fetchTransport, type FetchLike } from './transport-fetch.ts'
