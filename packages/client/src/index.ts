/**
 * The runtime kit: the platform's client for browsers, workers and servers.
 *
 * `createClient` binds every operation to one project. Each group is also a
 * subpath of plain functions over a core (`@servicekit/client/localization`),
 * so that a page pays for what it uses.
 */
import { type Core, createCore } from './core.ts'
import * as data from './data.ts'
import * as localization from './localization.ts'
import type { ClientOptions } from './options.ts'

export { checkOptions } from './check-options.ts'
export { type Answer, type CallOptions, type Core, createCore, type SendInput } from './core.ts'
export type { DataSchema, GatewayError, GatewayOutcome, ListSchemasOptions } from './data.ts'
export * from './errors.ts'
export type {
  Language,
  LocalizationCallOptions,
  LocalizationFamily,
  Module,
  TranslationFile,
} from './localization.ts'
export type { ClientOptions, Runtime } from './options.ts'
export type { RetryOptions } from './retry.ts'
export type { Transport, TransportRequest, TransportResponse } from './transport.ts'
export { fetchTransport, type FetchLike } from './transport-fetch.ts'

type Bound<F> = F extends (core: Core, ...rest: infer A) => infer R ? (...rest: A) => R : never

/** Every operation, bound to one project on one instance. */
export interface Client {
  readonly core: Core
  readonly localization: {
    readonly listLanguages: Bound<typeof localization.listLanguages>
    readonly listModules: Bound<typeof localization.listModules>
    readonly getFile: Bound<typeof localization.getFile>
  }
  readonly data: {
    readonly listSchemas: Bound<typeof data.listSchemas>
    readonly execute: <T = Record<string, unknown>>(
      ...rest: Parameters<Bound<typeof data.execute<T>>>
    ) => Promise<data.GatewayOutcome<T>>
  }
}

/**
 * Makes a client for one project.
 *
 * ```ts
 * const client = createClient({ baseUrl: 'http://127.0.0.1:4600', projectKey: 'P1' })
 * await client.localization.getFile({ language: 'de-DE', module: 'auth' })
 * ```
 *
 * @throws ConfigError for options that cannot be used.
 */
export function createClient(options: ClientOptions): Client {
  const core = createCore(options)
  return {
    core,
    localization: {
      listLanguages: (...rest) => localization.listLanguages(core, ...rest),
      listModules: (...rest) => localization.listModules(core, ...rest),
      getFile: (...rest) => localization.getFile(core, ...rest),
    },
    data: {
      listSchemas: (...rest) => data.listSchemas(core, ...rest),
      execute: (...rest) => data.execute(core, ...rest),
    },
  }
}
