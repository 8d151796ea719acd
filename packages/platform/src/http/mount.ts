import { type Operation, projectHeader, type ValidationDetail } from '@servicekit/contract'
import type { Context, Hono } from 'hono'
import type { z } from 'zod'
import type { Tables } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { acceptedBody } from './accepted-bodies.ts'
import { type Answer, toResponse } from './answer.ts'
import { authorize, type CallerOf, checkOther, Forbidden, signInHelp } from './authorize.ts'
import { type AppEnv, requestIdOf } from './app-env.ts'
import { inDialect } from './dialect.ts'
import { readText } from './read-text.ts'
import { refuse, type Refusal } from './refusals.ts'
import { senderOf } from './sender.ts'

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** Validated request, passed to a handler. */
export interface Call<O extends Operation = Operation> {
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
  /** Sender's address, for rate limits. */
  readonly sender: string
  readonly requestId: string
  readonly refuse: (refusal: Refusal) => Answer
  /** Runs `work` in a transaction that can only read rows of the project. */
  readonly snapshot: <T>(work: (tables: Tables) => Promise<T>) => Promise<T>
  /** Runs `work` in a transaction that can only see and write rows of the project. */
  readonly transaction: <T>(work: (tables: Tables) => Promise<T>) => Promise<T>
}

/** Options for serving an operation. */
export interface ServeOptions<O extends Operation = Operation> {
  /** Returns the user that a `self` operation concerns; required for those operations. */
  readonly userOf?: (call: Pick<Call<O>, 'query' | 'path' | 'body'>) => string
  /** Accepts the `ProjectKey` of the query without the header; false by default. */
  readonly isHeaderOptional?: boolean
  /**
   * Returns the project key from another place than the header; if both are present, they
   * must be equal.
   */
  readonly keyOf?: (query: Readonly<Record<string, string>>) => string | undefined
  /** Requires one of the project's `accessRoles`; false by default. */
  readonly requiresAccessRole?: boolean
}

/** Operation of the contract with its handler. */
export interface Served {
  readonly operation: Operation
  readonly options: ServeOptions
  readonly handle: (call: Call) => Promise<Answer>
}

/** Binds a handler to an operation, with typed parameters. */
export const serve = <O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<Answer>,
  options: ServeOptions<O> = {},
): Served => {
  if (operation.access.who === 'self' && !options.userOf) {
    throw new TypeError(`${operation.route.id}: userOf is missing`)
  }
  return {
    operation,
    options: options as unknown as ServeOptions,
    handle: handle as unknown as Served['handle'],
  }
}

/**
 * Registers operations with the application. Paths, parameters and refusals are derived
 * from the contract; each section only lists its operations and their handlers.
 */
export function mount(
  app: Hono<AppEnv>,
  services: () => Promise<Services>,
  served: readonly Served[],
): void {
  for (const entry of served) {
    const { method, path } = entry.operation.route
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
      c.set('operation', entry.operation.route.id)
      return toResponse(c.req.raw, await answer(c, await services(), entry))
    })
  }
}

async function answer(c: Context<AppEnv>, services: Services, entry: Served): Promise<Answer> {
  const { operation, options } = entry
  const requestId = requestIdOf(c)
  const query = queryOf(c.req.url)
  const turnAway = (refusal: Refusal): Answer => {
    if (refusal.reason !== 'unauthenticated') return refuse(operation, refusal, requestId)
    const message = `${refusal.message} ${signInHelp({ services, c }, operation.access)}`
    return refuse(operation, { ...refusal, message }, requestId)
  }
  const found = await findProject(c, services, operation, options, query)
  if ('reason' in found) return turnAway(found)

  const { project } = found
  const caller = await authorize({ services, project, c }, operation.access)
  if (caller && 'reason' in caller) return turnAway(caller)
  if (options.requiresAccessRole && !caller?.hasAccess) {
    return turnAway({ reason: 'forbidden', message: 'This requires a role of the project.' })
  }
  const parts = {
    query: operation.query?.safeParse(query),
    path: operation.path?.safeParse(c.req.param()),
    body: acceptedBody(operation)?.safeParse(await readBody(c.req.raw, operation)),
  }
  const invalid = faultsOf(parts)
  if (invalid) return turnAway(invalid)
  const read = {
    query: parts.query?.data as never,
    path: parts.path?.data as never,
    body: parts.body?.data as never,
  }
  if (caller && options.userOf) {
    const other = checkOther(caller, options.userOf(read))
    if (other) return turnAway(other)
  }
  try {
    const response = await entry.handle({
      services,
      ...found,
      ...read,
      caller: caller as never,
      request: c.req.raw,
      sender: senderOf(c, services.options),
      requestId,
      refuse: turnAway,
      snapshot: (work) => services.database.scoped(project.id, work, { isReadOnly: true }),
      transaction: (work) => services.database.scoped(project.id, work),
    })
    return inDialect(response, project.dialect, { operation, query: read.query, requestId })
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error
    return turnAway({ reason: 'forbidden', message: error.message })
  }
}

type Parsing = z.ZodSafeParseResult<unknown> | undefined

/** Collects the validation errors of a request; undefined if there are none. */
function faultsOf(parts: Readonly<Record<string, Parsing>>): Refusal | undefined {
  // No prototype, because a client may send a member called `constructor`.
  const errors = Object.create(null) as Record<string, string[]>
  const issues: ValidationDetail['detail'] = []
  for (const part in parts) {
    for (const issue of parts[part]?.error?.issues ?? []) {
      const name = issue.path.map(String).join('.') || part
      ;(errors[name] ??= []).push(`${name}: ${issue.message}`)
      const steps = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
      issues.push({ loc: [part, ...steps], msg: issue.message, type: issue.code ?? 'value_error' })
    }
  }
  return issues.length > 0 ? { reason: 'invalid', errors, issues } : undefined
}

/** Returns the first value of each query parameter; empty values count as absent. */
function queryOf(url: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null) as Record<string, string>
  for (const [name, value] of new URL(url).searchParams) {
    if (!(name in query) && value !== '') query[name] = value
  }
  return query
}

async function findProject(
  c: Context<AppEnv>,
  { projects }: Services,
  operation: Operation,
  { isHeaderOptional = false, keyOf }: ServeOptions,
  query: Readonly<Record<string, string>>,
): Promise<{ project: Project; hasHeader: boolean } | Refusal> {
  const header = c.req.header(projectHeader) ?? ''
  const takesKey = operation.route.query?.includes('ProjectKey') ?? false
  const inQuery = query['ProjectKey'] ?? ''
  const elsewhere = keyOf?.(query) ?? ''
  if (header === '' && elsewhere === '' && !isHeaderOptional) {
    return { reason: 'keyMissing', message: `The header ${projectHeader} is missing.` }
  }
  if (takesKey && inQuery === '') {
    return { reason: 'keyMissing', message: 'The parameter ProjectKey is missing.' }
  }
  const key = header || elsewhere || inQuery
  const project = await projects.find(key)
  // The header selects the tenant; a parameter with another project key is invalid.
  const named = takesKey ? inQuery : elsewhere
  if (!project || (named !== '' && named !== project.key)) {
    return { reason: 'keyUnknown', message: 'There is no project with this key.' }
  }
  return { project, hasHeader: header !== '' }
}

async function readBody(request: Request, { route }: Operation): Promise<unknown> {
  const text = await readText(request)
  if (route.body === 'form') return Object.fromEntries(new URLSearchParams(text))
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
