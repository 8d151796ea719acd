import { type Operation, projectHeader, type ValidationDetail } from '@servicekit/contract'
import { parseJson } from '@servicekit/core'
import { parseExactJson } from '@servicekit/core/exact-json'
import type { Context, Hono } from 'hono'
import type { z } from 'zod'
import { setActor } from '../database/actor.ts'
import { type Scopes, scopesOf } from '../database/database.ts'
import type { Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'
import { type CallerOf, requireAdministrator } from './caller.ts'
import { signInHelp } from './sign-in-help.ts'
import { unknownKey } from './project-key.ts'
import { type AppEnv, requestIdOf } from './app-env.ts'
import { wideBodies, wideQueries } from './wide-schemas.ts'
import { inDialect } from './adapt-response.ts'
import { withMemberNames } from './member-names.ts'
import { readText } from '@servicekit/core/node'
import { Forbidden, RejectedRequest, rejectionResponse } from './rejected-request.ts'
import { clientClosedRequest, problemDetails, unlessUnchanged } from './responses.ts'
import { senderOf } from './address.ts'
import { jsonProblem } from './json-problem.ts'

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** Validated request, passed to a handler. */
export interface Call<O extends Operation = Operation> extends Scopes {
  readonly services: Services
  readonly project: Project
  /** True if the header contains the project key; only some operations work without it. */
  readonly hasHeader: boolean
  readonly query: Parsed<O['query']>
  readonly path: Parsed<O['path']>
  readonly body: Parsed<O['body']>
  /** Caller, as required by the access rule of the operation. */
  readonly caller: CallerOf<O>
  /** Original request, for cookies and URLs; its body is already consumed. */
  readonly request: Request
  readonly sender: string
  readonly requestId: string
}

export interface HandlerOptions<O extends Operation = Operation> {
  /** Returns the user that a `self` operation concerns; required for those operations. */
  readonly userOf?: (call: Pick<Call<O>, 'query' | 'path' | 'body'>) => string
  /** Accepts the `ProjectKey` of the query without the header; false by default. */
  readonly isHeaderOptional?: boolean
  /** Reads a project key from the query. It must be equal to the header's, if there is one. */
  readonly keyOf?: (query: Readonly<Record<string, string>>) => string | undefined
  /** Rejects strings that the database cannot store, and bodies with another project key. */
  readonly isStorable?: boolean
  /** Reads integers of the body beyond 2^53 - 1 as bigints; by default they are rounded. */
  readonly isExact?: boolean
}

/** Operation of the contract with its handler. */
export interface ImplementedOperation {
  readonly operation: Operation
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
    options: options as unknown as HandlerOptions,
    handle: handle as unknown as ImplementedOperation['handle'],
  }
}

/** Binds a handler that receives only strings that the database can store. */
export const implementStorable = <O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<Response>,
  options?: HandlerOptions<O>,
): ImplementedOperation => implement(operation, handle, { ...options, isStorable: true })

/** Path of operations, and who may call them. */
export interface MountOptions {
  readonly pathOf: (operation: Operation) => string
  /** Finds the project and the caller of a request. @throws RejectedRequest, HTTPException */
  readonly admit: (
    c: Context<AppEnv>,
    services: Services,
    implemented: ImplementedOperation,
    query: Readonly<Record<string, string>>,
  ) => Promise<Pick<Call, 'project' | 'hasHeader' | 'caller'>>
}

/**
 * Registers operations with the application. Paths, parameters and rejections are derived
 * from the contract; each section only lists its operations and their handlers.
 */
export function mount(
  app: Hono<AppEnv>,
  services: () => Promise<Services>,
  operations: readonly ImplementedOperation[],
  { pathOf, admit }: MountOptions,
): void {
  const methods = new Map<string, string[]>()
  for (const entry of operations) {
    const { operation } = entry
    const path = pathOf(operation).replaceAll(/\{(\w+)\}/g, ':$1')
    methods.set(path, [...(methods.get(path) ?? []), operation.route.method])
    app.on(operation.route.method, path, async (c) => {
      c.set('operation', operation.route.id)
      setActor({ operation: operation.route.id })
      const requestId = requestIdOf(c)
      const all = await services()
      const reject = (error: unknown): Response => {
        // The reason of an abort is not an Error, which Hono would not catch.
        if (c.req.raw.signal.aborted) return clientClosedRequest()
        if (!(error instanceof RejectedRequest)) throw error
        const problem = { ...error.problem }
        if (problem.reason === 'unauthenticated') {
          problem.message += ` ${signInHelp(all, c, operation.access)}`
        }
        return rejectionResponse(operation, problem, requestId)
      }
      try {
        const call = await readCall(c, all, entry, admit)
        const response = await entry.handle(call).catch(reject)
        const { project, query } = call
        const adapted = inDialect(response, project.dialect, { operation, requestId, query })
        return unlessUnchanged(c.req.raw, await adapted)
      } catch (error) {
        return reject(error)
      }
    })
  }
  // Paths without parameters come first, because `/users/:id` matches `/users/create` as well.
  const paths = [...methods].sort(([a], [b]) => a.indexOf(':') - b.indexOf(':'))
  for (const [path, allowed] of paths) {
    app.all(path, (c) => {
      const response = problemDetails(405, `${c.req.method} is not allowed here.`, requestIdOf(c))
      response.headers.set('allow', allowed.join(', '))
      return response
    })
  }
}

/** Parameters of an operation that repeat the key of the header. */
const keysOf = ({ route }: Operation, key: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (route.query ?? []).flatMap((name) =>
      name === 'ProjectKey' || name === projectHeader ? [[name, key]] : [],
    ),
  )

/** Authenticates and validates a request. @throws RejectedRequest */
async function readCall(
  c: Context<AppEnv>,
  services: Services,
  implemented: ImplementedOperation,
  admit: MountOptions['admit'],
): Promise<Call> {
  const { operation, options } = implemented
  const given = queryOf(c.req.url)
  const { project, hasHeader, caller } = await admit(c, services, implemented, given)
  // A parameter with the project key may be absent: the header names the project.
  const query = hasHeader ? { ...keysOf(operation, project.key), ...given } : given
  const schema = wideBodies.get(operation) ?? operation.body
  if (operation.route.path.startsWith('/iam/v4/iam/') && !caller?.hasAccess) {
    throw new Forbidden('This requires a role of the project.')
  }
  const input = validate({
    query: (wideQueries.get(operation) ?? operation.query)?.safeParse(query),
    path: operation.path?.safeParse(c.req.param()),
    body: schema?.safeParse(
      withMemberNames(schema, await readBody(c.req.raw, operation, options.isExact)),
    ),
  })
  const isOther = options.userOf && caller?.userId !== options.userOf(input)
  if (caller && isOther) requireAdministrator(caller)
  if (options.isStorable) {
    const problem = jsonProblem(input)
    if (problem) throw new RejectedRequest({ reason: 'invalid', errors: { request: [problem] } })
    const { projectKey } = (input.body ?? {}) as { projectKey?: string | null }
    if (projectKey && projectKey !== project.key) throw unknownKey()
  }
  return {
    services,
    project,
    hasHeader,
    ...input,
    caller,
    request: c.req.raw,
    sender: senderOf(c, services.options),
    requestId: requestIdOf(c),
    ...scopesOf(services.database, project.id),
  }
}

type Parsing = z.ZodSafeParseResult<unknown> | undefined

/** Returns the parsed parts of a request. @throws RejectedRequest with all errors */
function validate(parts: Readonly<Record<'query' | 'path' | 'body', Parsing>>) {
  // No prototype, because a client may send a member called `constructor`.
  const errors = Object.create(null) as Record<string, string[]>
  const issues: ValidationDetail['detail'] = []
  for (const [part, parsed] of Object.entries(parts)) {
    for (const issue of parsed?.error?.issues ?? []) {
      const name = issue.path.map(String).join('.') || part
      ;(errors[name] ??= []).push(`${name}: ${issue.message}`)
      const steps = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
      issues.push({ loc: [part, ...steps], msg: issue.message, type: issue.code ?? 'value_error' })
    }
  }
  if (issues.length > 0) throw new RejectedRequest({ reason: 'invalid', errors, issues })
  return {
    query: parts.query?.data as never,
    path: parts.path?.data as never,
    body: parts.body?.data as never,
  }
}

/** Returns the first value of each query parameter; empty values count as absent. */
function queryOf(url: string): Record<string, string> {
  const query = Object.create(null) as Record<string, string>
  for (const [name, value] of new URL(url).searchParams) {
    if (!(name in query) && value !== '') query[name] = value
  }
  return query
}

async function readBody(request: Request, { route }: Operation, isExact = false): Promise<unknown> {
  const text = await readText(request)
  if (route.body === 'form') return Object.fromEntries(new URLSearchParams(text))
  return parseJson(text, isExact ? parseExactJson : undefined)
}
