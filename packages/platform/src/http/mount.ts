import { type Operation, projectHeader } from '@servicekit/contract'
import type { Context } from 'hono'
import { setActor } from '../database/actor.ts'
import { type Scopes, scopesOf } from '../database/database.ts'
import type { Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'
import { senderOf } from './address.ts'
import { inDialect } from './adapt-response.ts'
import { type AppEnv, requestIdOf } from './app-env.ts'
import { type CallerOf, requireAdministrator } from './caller.ts'
import type { Door, Implemented, Input, InputOptions } from './pipeline.ts'
import { unknownKey } from './project-key.ts'
import { unlessUnchanged } from './responses.ts'
import { acceptedSchemas } from './wide-schemas.ts'

/** Validated request, passed to a handler. */
export interface Call<O extends Operation = Operation> extends Scopes, Input<O> {
  readonly services: Services
  readonly project: Project
  /** True if the header contains the project key; only some operations work without it. */
  readonly hasHeader: boolean
  /** Caller, as required by the access rule of the operation. */
  readonly caller: CallerOf<O>
  /** Original request, for cookies and URLs; its body is already consumed. */
  readonly request: Request
  readonly sender: string
  readonly requestId: string
}

export interface HandlerOptions<O extends Operation = Operation> extends InputOptions {
  /** Returns the user that a `self` operation concerns; required for those operations. */
  readonly userOf?: (input: Input<O>) => string
  /** Accepts the `ProjectKey` of the query without the header; false by default. */
  readonly isHeaderOptional?: boolean
  /** Reads a project key from the query. It must be equal to the header's, if there is one. */
  readonly keyOf?: (query: Readonly<Record<string, string>>) => string | undefined
}

/** Operation of the interface with its handler. */
export interface ImplementedOperation extends Implemented<Call> {
  readonly options: HandlerOptions
  readonly handle: (call: Call) => Promise<Response>
}

/** Binds a handler to an operation, with typed parameters. */
export const implement = <O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<Response>,
  options: HandlerOptions<O> = {},
): ImplementedOperation => {
  if (operation.access.who === 'self' && !options.userOf) {
    throw new TypeError(`${operation.route.id}: userOf is missing`)
  }
  return {
    operation,
    schemas: acceptedSchemas(operation),
    options: options as unknown as HandlerOptions,
    handle: async (call) => {
      checkInput(call, options as unknown as HandlerOptions)
      return handle(call as unknown as Call<O>)
    },
  }
}

/** Rejects input that the caller may not send. @throws RejectedRequest */
function checkInput(call: Call, { userOf, isStorable }: HandlerOptions): void {
  const { caller, project, body } = call
  if (caller && userOf && caller.userId !== userOf(call)) requireAdministrator(caller)
  const { projectKey } = ((isStorable && body) || {}) as { projectKey?: string | null }
  if (projectKey && projectKey !== project.key) throw unknownKey()
}

/** Binds a handler that receives only strings that the database can store. */
export const implementStorable = <O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<Response>,
  options?: HandlerOptions<O>,
): ImplementedOperation => implement(operation, handle, { ...options, isStorable: true })

type Query = Readonly<Record<string, string>>

/** Project and caller of a request. */
export type Found = Pick<Call, 'project' | 'hasHeader' | 'caller'>

/** Steps that operations of the interface share, whichever address they are called at. */
export const interfaceDoor = (
  services: () => Promise<Services>,
  {
    find,
    ...door
  }: Pick<Door<Call, ImplementedOperation>, 'options' | 'pathOf'> & {
    /** Finds the project and the caller of a request. @throws RejectedRequest */
    readonly find: (
      c: Context<AppEnv>,
      services: Services,
      entry: ImplementedOperation,
      query: Query,
    ) => Promise<Found>
  },
): Door<Call, ImplementedOperation> => ({
  ...door,
  admit: async (c, entry, given) => {
    const { operation } = entry
    c.set('operation', operation.route.id)
    setActor({ operation: operation.route.id })
    const all = await services()
    // Empty parameters count as absent.
    const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
    const found = await find(c, all, entry, sent)
    const { project, hasHeader } = found
    const call = {
      services: all,
      ...found,
      request: c.req.raw,
      sender: senderOf(c, all.options),
      requestId: requestIdOf(c),
      ...scopesOf(all.database, project.id),
    }
    // A parameter with the project key may be absent: the header names the project.
    return { call, query: hasHeader ? { ...keysOf(operation, project.key), ...sent } : sent }
  },
  finish: async (c, { operation }, { project, query, requestId }, response) => {
    const adapted = await inDialect(response, project.dialect, { operation, requestId, query })
    return unlessUnchanged(c.req.raw, adapted)
  },
})

/** Parameters of an operation that repeat the key of the header. */
const keysOf = ({ route }: Operation, key: string): Query =>
  Object.fromEntries(
    (route.query ?? []).flatMap((name) =>
      name === 'ProjectKey' || name === projectHeader ? [[name, key]] : [],
    ),
  )
