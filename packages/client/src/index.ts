/**
 * Client of the platform for browsers, workers and servers.
 *
 * `createClient` binds every operation to one project. For smaller bundles, each group is
 * also a subpath of plain functions that take a core (`@servicekit/client/localization`).
 * `/server` has server-only functions, `/testing` test helpers.
 */
import { bindClient, type Client } from './client.ts'
import { createCore } from './core.ts'
import type { ClientOptions } from './options.ts'

export { checkOptions, readChoice } from './check-options.ts'
export { bindClient, type Bound, type Client } from './client.ts'
export {
  type CoreResponse,
  type CallOptions,
  type Core,
  createCore,
  type SendInput,
} from './core.ts'
export type { DataSchema, GatewayError, GatewayResult, ListSchemasOptions } from './data.ts'
export * from './errors.ts'
export { fieldErrors } from './field-errors.ts'
export type { ClientGateway, GatewayCall, GatewayRequest } from './gateway.ts'
export type { Hooks, RequestEvent, RequestOutcome, RetryEvent } from './hooks.ts'
export type { Listing, ListOptions, Page } from './listing.ts'
export type {
  Language,
  LocalizationCallOptions,
  LocalizationFamily,
  Module,
  TranslationFile,
} from './localization.ts'
export { type ErrorOf, isErrorOf, type OperationId } from './operation-errors.ts'
export type { ClientOptions, Runtime } from './options.ts'
export type { RetryOptions } from './retry.ts'
export type { Transport, TransportRequest, TransportResponse } from './transport.ts'
export { fetchTransport, type FetchLike } from './transport-fetch.ts'

/**
 * Creates a client for one project.
 *
 * ```ts
 * const client = createClient({ baseUrl: 'http://127.0.0.1:4600', projectKey: 'P1' })
 * await client.localization.getFile({ language: 'de-DE', module: 'auth' })
 * for await (const user of client.iam.listUsers()) console.log(user.email)
 * ```
 *
 * @throws ConfigError for invalid options.
 */
export const createClient = (options: ClientOptions): Client => bindClient(createCore(options))
