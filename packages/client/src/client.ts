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
  readonly auth: Omit<Bound<typeof auth>, 'withSession'>
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
  return {
    core,
    auth: bind(core, auth),
    iam: bind(core, iam),
    identity: bind(core, identity),
    storage: bind(core, storage),
    localization: bind(core, localization),
    translation: bind(core, translation),
    webhooks: bind(core, webhooks),
    tools: bind(core, tools),
    knowledge: bind(core, knowledge),
    data: bind(core, data) as Client['data'],
  }
}

function bind<Group extends object>(core: Core, group: Group): Bound<Group> {
  return Object.fromEntries(
    Object.entries(group).map(([name, run]) => [
      name,
      (...rest: unknown[]) => (run as (...all: unknown[]) => unknown)(core, ...rest),
    ]),
  ) as Bound<Group>
}
