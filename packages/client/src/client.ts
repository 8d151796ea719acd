import * as auth from './auth.ts'
import type { Core } from './core.ts'
import * as data from './data.ts'
import type * as download from './download.ts'
import * as iam from './iam.ts'
import * as idp from './idp.ts'
import * as knowledge from './knowledge.ts'
import * as localization from './localization.ts'
import type * as session from './session.ts'
import type * as sessionRequests from './session-requests.ts'
import * as storage from './storage.ts'
import type * as storedFiles from './stored-files.ts'
import * as tools from './tools.ts'
import * as translation from './translation.ts'
import type * as upload from './upload.ts'
import * as webhooks from './webhook-config.ts'

type BoundFunction<F> = F extends (core: Core, ...rest: infer A) => infer R
  ? (...rest: A) => R
  : never

/** Names of the functions in a group whose first argument is a core. */
type Names<Group> = {
  [Name in keyof Group]: Group[Name] extends (core: Core, ...rest: never[]) => unknown
    ? Name
    : never
}[keyof Group]

/** Mapped like `Pick`, so that editors find the doc comment of each function. */
type BoundPart<Group, Name extends keyof Group> = {
  readonly [Each in Name]: BoundFunction<Group[Each]>
}

/** Functions of a group with the `core` argument already bound. */
export type Bound<Group> = BoundPart<Group, Names<Group>>

/** Built from the modules that declare the functions: editors lose doc comments on re-exports. */
type BoundAuth = BoundPart<
  typeof auth,
  Exclude<Names<typeof auth>, 'withSession' | 'createSession' | Names<typeof sessionRequests>>
> &
  BoundPart<typeof session, 'createSession'> &
  Bound<typeof sessionRequests>

/** Client with every operation bound to one project on one instance. */
export interface Client {
  /**
   * Core that all groups send through. Functions of the subpath imports take it as first
   * argument.
   */
  readonly core: Core
  /** Sign-in, session and activation (section 4.1). */
  readonly auth: BoundAuth
  /** Users, organizations, roles and permissions, for a signed-in user (section 4.2). */
  readonly iam: Bound<typeof iam>
  /** Users and accounts through the `/idp/v1/Iam` routes (section 4.3). */
  readonly idp: Bound<typeof idp>
  /** File uploads and downloads (section 4.4). */
  readonly storage: Bound<typeof storedFiles> & Bound<typeof upload> & Bound<typeof download>
  /** Languages and translation files (section 4.6). */
  readonly localization: Bound<typeof localization>
  /** Translation suggestions (section 4.7). */
  readonly translation: Bound<typeof translation>
  /**
   * Webhook configuration (section 4.7). To receive events on a server, use `receive` from
   * `@servicekit/client/webhooks`.
   */
  readonly webhooks: Bound<typeof webhooks>
  /** AI tools (section 4.8). */
  readonly tools: Bound<typeof tools>
  /** Questions and answers for an agent (section 4.8). */
  readonly knowledge: Bound<typeof knowledge>
  /** Schemas and the GraphQL gateway (section 4.5). */
  readonly data: BoundPart<typeof data, Exclude<Names<typeof data>, 'execute'>> & {
    /**
     * Runs a GraphQL document on the data gateway. A query is retried after a transient
     * failure; a mutation only if it cannot have run (429, or never connected).
     *
     * ```ts
     * const result = await client.data.execute<{ Products: { totalCount: number } }>({
     *   query: '{ Products { totalCount } }',
     * })
     * if (result.ok) show(result.data.Products.totalCount)
     * ```
     *
     * Does not reject if the request fails: `errors[0].cause` is then the RequestError.
     *
     * @see section 4.5
     */
    readonly execute: <T = Record<string, unknown>>(
      ...rest: Parameters<BoundFunction<typeof data.execute<T>>>
    ) => Promise<data.GatewayResult<T>>
  }
}

/**
 * Binds every operation to a core: one with a session (`createSession`), with forwarded
 * cookies (`forwardCookies`) or with a token (`withToken`).
 */
export const bindClient = (core: Core): Client => ({
  core,
  auth: bind(core, auth),
  iam: bind(core, iam),
  idp: bind(core, idp),
  storage: bind(core, storage),
  localization: bind(core, localization),
  translation: bind(core, translation),
  webhooks: bind(core, webhooks),
  tools: bind(core, tools),
  knowledge: bind(core, knowledge),
  data: bind(core, data) as Client['data'],
})

/** Binds the functions of a group, which all take the core as first argument. */
const bind = <Group extends object>(core: Core, group: Group): Bound<Group> =>
  Object.fromEntries(
    Object.entries(group).map(([name, run]) => [
      name,
      (...rest: unknown[]) => (run as (...all: unknown[]) => unknown)(core, ...rest),
    ]),
  ) as Bound<Group>
