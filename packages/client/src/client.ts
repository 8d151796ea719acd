import * as auth from './auth.ts'
import type { Core } from './core.ts'
import * as data from './data.ts'
import * as iam from './iam.ts'
import * as identity from './identity.ts'
import * as knowledge from './knowledge.ts'
import * as localization from './localization.ts'
import type * as session from './session.ts'
import type * as sessionRequests from './session-requests.ts'
import * as storage from './storage.ts'
import * as tools from './tools.ts'
import * as translation from './translation.ts'
import * as webhooks from './webhook-config.ts'

type BoundFunction<F> = F extends (core: Core, ...rest: infer A) => infer R
  ? (...rest: A) => R
  : never

/** Names of the functions of a group that take a core first. */
type Names<Group> = {
  [Name in keyof Group]: Group[Name] extends (core: Core, ...rest: never[]) => unknown
    ? Name
    : never
}[keyof Group]

/** As `Pick` is made: editors then find what is said of each function. */
type BoundPart<Group, Name extends keyof Group> = {
  readonly [Each in Name]: BoundFunction<Group[Each]>
}

/** The functions of a group that send something, without the core that they send through. */
export type Bound<Group> = BoundPart<Group, Names<Group>>

/** From where each is declared: of what is exported again, editors know no comment. */
type BoundAuth = BoundPart<
  typeof auth,
  Exclude<Names<typeof auth>, 'withSession' | 'createSession' | Names<typeof sessionRequests>>
> &
  BoundPart<typeof session, 'createSession'> &
  Bound<typeof sessionRequests>

/** Every operation, bound to one project on one instance. */
export interface Client {
  /** What all of them send through; functions of the subpaths take it first. */
  readonly core: Core
  /** Sign-in, session, activation (section 4.1). */
  readonly auth: BoundAuth
  /** People and what they may do, for who is signed in (section 4.2). */
  readonly iam: Bound<typeof iam>
  /** The same by the routes of `/idp/v1/Iam` (section 4.3). */
  readonly identity: Bound<typeof identity>
  /** Files, up and down (section 4.4). */
  readonly storage: Bound<typeof storage>
  /** Languages and texts (section 4.6). */
  readonly localization: Bound<typeof localization>
  /** Suggested translations (section 4.7). */
  readonly translation: Bound<typeof translation>
  /**
   * Configuration of the webhook (section 4.7). The receiver of events is a server's: `receive`
   * of `@servicekit/client/webhooks`.
   */
  readonly webhooks: Bound<typeof webhooks>
  /** AI tools (section 4.8). */
  readonly tools: Bound<typeof tools>
  /** Questions and answers that an agent knows (section 4.8). */
  readonly knowledge: Bound<typeof knowledge>
  /** Schemas and the GraphQL gateway (section 4.5). */
  readonly data: BoundPart<typeof data, Exclude<Names<typeof data>, 'execute'>> & {
    /**
     * Runs a GraphQL document on the data gateway. A query is repeated after a
     * passing failure, a mutation never once it was sent.
     *
     * ```ts
     * const result = await client.data.execute<{ Products: { totalCount: number } }>({
     *   query: '{ Products { totalCount } }',
     * })
     * if (result.ok) show(result.data.Products.totalCount)
     * ```
     *
     * @throws RequestError when no answer came; a GraphQL error is an outcome.
     * @see section 4.5
     */
    readonly execute: <T = Record<string, unknown>>(
      ...rest: Parameters<BoundFunction<typeof data.execute<T>>>
    ) => Promise<data.GatewayOutcome<T>>
  }
}

/**
 * Binds every operation to a core: one with a session (`createSession`), one
 * with somebody's cookies (`forwardCookies`) or one with a token (`withToken`).
 */
export function bindClient(core: Core): Client {
  // Named one by one: of a namespace as a value, bundlers would have to keep everything.
  return {
    core,
    auth: bind<Omit<typeof auth, 'withSession'>>(core, {
      startSignIn: auth.startSignIn,
      completeSignIn: auth.completeSignIn,
      getSession: auth.getSession,
      refresh: auth.refresh,
      logout: auth.logout,
      activate: auth.activate,
      createSession: auth.createSession,
    }),
    iam: bind<typeof iam>(core, {
      getMe: iam.getMe,
      listOrganizations: iam.listOrganizations,
      createOrganization: iam.createOrganization,
      listUsers: iam.listUsers,
      getUser: iam.getUser,
      createUser: iam.createUser,
      deactivateUser: iam.deactivateUser,
      listRoles: iam.listRoles,
      listPermissions: iam.listPermissions,
      setAccess: iam.setAccess,
    }),
    identity: bind<typeof identity>(core, {
      listUsers: identity.listUsers,
      listAccounts: identity.listAccounts,
      createUser: identity.createUser,
      updateUser: identity.updateUser,
      getUser: identity.getUser,
      getAccount: identity.getAccount,
      activate: identity.activate,
    }),
    storage: bind<typeof storage>(core, {
      listConfigurations: storage.listConfigurations,
      listFiles: storage.listFiles,
      upload: storage.upload,
      getDownloadUrl: storage.getDownloadUrl,
      download: storage.download,
    }),
    localization: bind<typeof localization>(core, {
      listLanguages: localization.listLanguages,
      listModules: localization.listModules,
      getFile: localization.getFile,
    }),
    translation: bind<typeof translation>(core, {
      suggest: translation.suggest,
    }),
    webhooks: bind<typeof webhooks>(core, {
      save: webhooks.save,
      disable: webhooks.disable,
    }),
    tools: bind<typeof tools>(core, {
      initiateOauth: tools.initiateOauth,
      saveTutorial: tools.saveTutorial,
      countAgents: tools.countAgents,
    }),
    knowledge: bind<typeof knowledge>(core, {
      add: knowledge.add,
      addAll: knowledge.addAll,
    }),
    data: bind<typeof data>(core, {
      listSchemas: data.listSchemas,
      execute: data.execute,
    }) as Client['data'],
  }
}

function bind<Group extends object>(
  core: Core,
  group: Pick<Group, keyof Group & keyof Bound<Group>>,
): Bound<Group> {
  return Object.fromEntries(
    Object.entries(group).map(([name, run]) => [
      name,
      (...rest: unknown[]) => (run as (...all: unknown[]) => unknown)(core, ...rest),
    ]),
  ) as Bound<Group>
}
