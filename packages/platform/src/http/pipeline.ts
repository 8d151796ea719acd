import type { Operation, ValidationDetail } from '@servicekit/contract'
import { parseJson } from '@servicekit/core'
import { jsonProblem } from './json-problem.ts'
import { parseExactJson } from '@servicekit/core/exact-json'
import { readText } from '@servicekit/core/node'
import type { Context, Hono } from 'hono'
import type { z } from 'zod'
import { PlatformError } from '../errors.ts'
import type { ResolvedOptions } from '../options.ts'
import { type AppEnv, requestIdOf } from './app-env.ts'
import { RejectedRequest, rejectionResponse } from './rejected-request.ts'
import { clientClosedRequest, json, problemDetails } from './responses.ts'
import { signInHelp } from './sign-in-help.ts'

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

type Member<O, Name extends string> = O extends { readonly [N in Name]: infer S } ? S : undefined

/** Validated input of a request. */
export interface Input<O = Operation> {
  readonly query: Parsed<Member<O, 'query'>>
  readonly path: Parsed<Member<O, 'path'>>
  readonly body: Parsed<Member<O, 'body'>>
}

/** Options for reading the input of an operation. */
export interface InputOptions {
  /** Maximum size of the body; that of other operations by default. */
  readonly maxBytes?: number
  /** Reads integers of the body beyond 2^53 - 1 as bigints; by default they are rounded. */
  readonly isExact?: boolean
  /** Rejects strings that the database would replace or refuse. */
  readonly isStorable?: boolean
}

export type Schemas = Readonly<Partial<Record<keyof Input, z.ZodType>>>

type Query = Readonly<Record<string, string>>

/** Operation with its handler, which gets a call of the type C. */
export interface Implemented<C> {
  readonly operation: Operation
  readonly schemas: Schemas
  readonly options: InputOptions
  /** Returns the response, or a value that becomes its JSON. */
  readonly handle: (call: C) => unknown
}

/** Parts of a call that do not come from its input. */
interface Admission<C> {
  readonly call: Omit<C, keyof Input>
  /** Query with the parameters that follow from the project. */
  readonly query: Query
}

/** Way to operations: their addresses, who may call them, and the form of their responses. */
export interface Door<C extends Input, E extends Implemented<C> = Implemented<C>> {
  readonly options: ResolvedOptions
  /** Returns the path of an operation, with its parameters in braces. */
  readonly pathOf: (operation: Operation) => string
  /** Finds the project and the caller of a request. @throws RejectedRequest, DomainError */
  readonly admit: (c: Context<AppEnv>, entry: E, query: Query) => Promise<Admission<C>>
  /** Returns what the client receives, after the handler has responded. */
  readonly finish: (
    c: Context<AppEnv>,
    entry: E,
    call: C,
    response: Response,
  ) => Response | Promise<Response>
}

/**
 * Registers operations with an application. Each request is admitted, validated by the schemas of
 * its operation, handled, and responded to; rejections have the format that the operation documents.
 */
export function mountOperations<C extends Input, E extends Implemented<C>>(
  app: Hono<AppEnv>,
  operations: readonly E[],
  door: Door<C, E>,
): void {
  const methods = new Map<string, string[]>()
  for (const entry of operations) {
    const { route } = entry.operation
    const path = door.pathOf(entry.operation).replaceAll(/\{(\w+)\}/g, ':$1')
    methods.set(path, [...(methods.get(path) ?? []), route.method])
    app.on(route.method, path, (c) => handleRequest(c, entry, door))
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

async function handleRequest<C extends Input, E extends Implemented<C>>(
  c: Context<AppEnv>,
  entry: E,
  door: Door<C, E>,
): Promise<Response> {
  const reject = (error: unknown) => rejectedResponse(c, entry.operation, door.options, error)
  try {
    const admission = await door.admit(c, entry, queryOf(c.req.url))
    const input = await readInput(c, entry, admission.query)
    const call = { ...admission.call, ...input } as C
    const response = await respond(entry, call).catch(reject)
    return await door.finish(c, entry, call, response)
  } catch (error) {
    return reject(error)
  }
}

/** Runs a handler. Its value becomes JSON; a response without a body has the status 204. */
async function respond<C>({ operation, handle }: Implemented<C>, call: C): Promise<Response> {
  const value = await handle(call)
  if (value instanceof Response) return value
  const status = Object.keys(operation.responses).find((one) => one.startsWith('2'))
  return status === '204' ? new Response(null, { status: 204 }) : json(value, Number(status))
}

/** Returns the response to a request that is rejected; throws all other errors. */
function rejectedResponse(
  c: Context<AppEnv>,
  operation: Operation,
  options: ResolvedOptions,
  error: unknown,
): Response {
  // The reason of an abort is not an Error, which Hono would not catch.
  if (c.req.raw.signal.aborted) return clientClosedRequest()
  const { problem } = rejectionOf(error)
  if (problem.reason !== 'unauthenticated') {
    return rejectionResponse(operation, problem, requestIdOf(c))
  }
  const message = `${problem.message} ${signInHelp(options, c, operation.access)}`
  return rejectionResponse(operation, { ...problem, message }, requestIdOf(c))
}

/**
 * PostgreSQL error codes for values that it cannot store: invalid characters, numbers out
 * of range, values too large.
 */
const valueErrors: ReadonlySet<unknown> = new Set(['22021', '22P05', '22003', '54000'])

/** Returns the reason why a request is rejected; throws errors that it did not cause. */
function rejectionOf(error: unknown): RejectedRequest {
  if (error instanceof RejectedRequest) return error
  if (error instanceof PlatformError && error.code === 'PROJECT_INVALID') {
    return invalidRequest(error.message)
  }
  const { code, message } = ((error as Error).cause ?? error) as {
    readonly code?: unknown
    readonly message?: unknown
  }
  if (!valueErrors.has(code)) throw error
  return invalidRequest(`The database cannot store a value: ${String(message)}.`)
}

/** Rejects a request for a reason that concerns no parameter, or one that is not parsed. */
const invalidRequest = (
  message: string,
  part: 'request' | 'body' = 'request',
  type = 'value_error',
): RejectedRequest =>
  new RejectedRequest({
    reason: 'invalid',
    errors: { [part]: [message] },
    issues: [{ loc: [part], msg: message, type }],
  })

/** Maximum number of errors in a response: a body can have one for each of 100,000 values. */
const maxErrors = 100

/** Reads and validates the input of a request. @throws RejectedRequest with the first errors */
async function readInput<C>(
  c: Context<AppEnv>,
  { operation, schemas, options }: Implemented<C>,
  query: Query,
): Promise<Input> {
  const values = {
    query,
    path: c.req.param(),
    body: await readBody(c.req.raw, operation, options),
  }
  // No prototype, because a client may send a member called `constructor`.
  const errors = Object.create(null) as Record<string, string[]>
  const issues: ValidationDetail['detail'] = []
  const input: Partial<Record<keyof Input, unknown>> = {}
  for (const part of ['query', 'path', 'body'] as const) {
    // Bytes are validated by the handler that reads them.
    const isRead = part !== 'body' || operation.route.body !== 'bytes'
    const parsed = isRead ? schemas[part]?.safeParse(values[part]) : undefined
    input[part] = parsed?.data
    for (const issue of parsed?.error?.issues.slice(0, maxErrors) ?? []) {
      const name = issue.path.map(String).join('.') || part
      ;(errors[name] ??= []).push(`${name}: ${issue.message}`)
      const steps = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
      issues.push({ loc: [part, ...steps], msg: issue.message, type: issue.code ?? 'value_error' })
    }
  }
  if (issues.length > 0) throw new RejectedRequest({ reason: 'invalid', errors, issues })
  const problem = options.isStorable ? jsonProblem(input) : undefined
  if (problem) throw invalidRequest(problem)
  return input as unknown as Input
}

/** Returns the first value of each query parameter. */
function queryOf(url: string): Query {
  const query = Object.create(null) as Record<string, string>
  for (const [name, value] of new URL(url).searchParams) query[name] ??= value
  return query
}

/** Reads a form or JSON; undefined without a body, and for bytes, which the handler reads. */
async function readBody(
  request: Request,
  { route }: Operation,
  { maxBytes, isExact }: InputOptions,
): Promise<unknown> {
  if (route.body === undefined || route.body === 'bytes') return undefined
  const text = await readText(request, maxBytes)
  if (route.body === 'form') return Object.fromEntries(new URLSearchParams(text))
  const value = parseJson(text, isExact ? parseExactJson : undefined)
  if (text === '' || value !== undefined) return value
  throw invalidRequest('The body is not JSON.', 'body', 'json_invalid')
}
