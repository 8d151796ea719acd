import * as auth from './auth.ts'
import type { Core } from './core.ts'
import * as data from './data.ts'
import * as iam from './iam.ts'
import * as identity from './identity.ts'
import * as knowledge from './knowledge.ts'
import * as localization from './localization.ts'
import * as storage from './storage.ts'
import * as tools from './tools.ts'
import * as translation from './translation.ts'
import * as webhooks from './webhook-config.ts'

type BoundFunction<F> = F extends (core: Core, ...rest: infer A) => infer R
  ? (...rest: A) => R
  : never

/** The functions of a group that send something, without the core that they send through. */
export type Bound<Group> = {
  readonly [
    Name in keyof Group as Group[Name] extends (core: Core, ...rest: never[]) => unknown
      ? Name
      : never
  ]: BoundFunction<Group[Name]>
}

/** Every operation, bound to one project on one instance. */
export interface Client {
  readonly core: Core
  readonly auth: Bound<Omit<typeof auth, 'withSession'>>
  readonly iam: Bound<typeof iam>
  readonly identity: Bound<typeof identity>
  readonly storage: Bound<typeof storage>
  readonly localization: Bound<typeof localization>
  readonly translation: Bound<typeof translation>
  /** The receiver of events is a server's: `receive` of `@servicekit/client/webhooks`. */
  readonly webhooks: Bound<typeof webhooks>
  readonly tools: Bound<typeof tools>
  readonly knowledge: Bound<typeof knowledge>
  readonly data: Omit<Bound<typeof data>, 'execute'> & {
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
