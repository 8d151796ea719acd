import { controlEffects } from '@servicekit/core'
import { z } from 'zod'
import { ProblemDetails } from '../errors.ts'
import {
  type Access,
  defineOperation,
  type Operation,
  type ResponseDefinition,
} from '../operation.ts'
import type { Effect, Route } from '../route.ts'

/** Path below which all control operations are. */
export const controlPath = '/_platform'

/** Definition of a control operation beyond its id and address. */
interface ControlParts {
  readonly summary: string
  readonly description?: string
  readonly access: Access
  /** Schemas of path parameters that are no text. */
  readonly params?: Readonly<Record<string, z.ZodType>>
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The body is the bytes of a file. */
  readonly hasBytes?: true
  /** Body of a response to a request that succeeded; absent if it has none (204). */
  readonly result?: z.ZodType
  /** Media type of the result; `application/json` unless stated. */
  readonly mediaType?: string
  /** Effect of repeating a request, if it is not that of the method. */
  readonly effect?: Effect
  /** Status of a request that succeeded: 200, or 204 without a result, unless stated. */
  readonly status?: 201 | 202
  /** Meaning of further statuses, in the words of a reason. */
  readonly errors?: Readonly<Partial<Record<400 | 403 | 404 | 409 | 422 | 502, string>>>
}

type NamesIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

type PathSchema<P extends string, Params> = z.ZodObject<{
  [Name in NamesIn<P>]: Name extends keyof Params ? Extract<Params[Name], z.ZodType> : z.ZodString
}>

/** A control operation: its route and schemas, like those of the interface. */
export type ControlOperation<
  Id extends string = string,
  M extends Route['method'] = Route['method'],
  P extends string = string,
  Parts extends ControlParts = ControlParts,
> = Pick<Operation, 'responses'> &
  Omit<Parts, 'params' | 'errors' | 'hasBytes' | 'effect'> & {
    readonly route: Route<Id> & {
      readonly method: M
      readonly path: `${typeof controlPath}${P}`
      readonly effect: Parts extends { readonly effect: infer E } ? E : (typeof controlEffects)[M]
    }
    readonly path: PathSchema<P, Parts['params']>
  }

/**
 * Defines a control operation. Its route follows from the address and the schemas. Without an
 * access rule it does not compile: nobody may call an operation unless its definition says so.
 *
 * ```ts
 * export const listDrafts = defineControl('translations.listDrafts', 'GET /projects/{project}/drafts', {
 *   summary: 'List the drafts of translations',
 *   access: access.administration,
 *   result: z.array(Draft),
 * })
 * ```
 *
 * @param address method, and path below `/_platform` with its parameters in braces.
 */
export function defineControl<
  const Id extends string,
  M extends Route['method'],
  P extends `/${string}`,
  const Parts extends ControlParts,
>(id: Id, address: `${M} ${P}`, parts: Parts): ControlOperation<Id, M, P, Parts> {
  const [method, below] = address.split(' ') as [M, P]
  const {
    params,
    errors: _,
    hasBytes,
    effect = controlEffects[method],
    ...rest
  }: ControlParts = parts
  const names = [...below.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const path = z.object(
    Object.fromEntries(names.map((name) => [name, params?.[name] ?? z.string()])),
  )
  const bytes = hasBytes && z.string().describe('The bytes of the file')
  const body = rest.body ?? bytes
  const route: Route = {
    id,
    method,
    path: `${controlPath}${below}`,
    effect,
    ...(rest.query && { query: Object.keys(rest.query.shape) }),
    ...(body && { body: hasBytes ? 'bytes' : 'json' }),
  }
  const operation = defineOperation(route, {
    ...rest,
    path,
    ...(body && { body }),
    denied: { 401: ProblemDetails, 403: ProblemDetails },
    responses: responsesOf(parts, names),
  })
  return operation as unknown as ControlOperation<Id, M, P, Parts>
}

function responsesOf(
  { query, body, params, result, mediaType, status, errors = {} }: ControlParts,
  names: readonly string[],
): Readonly<Record<number, ResponseDefinition>> {
  const isValidated = query ?? body ?? params
  const reasons = {
    ...(isValidated && { 400: 'The request is not valid' }),
    ...(names.includes('project') && { 404: 'The project is unknown' }),
  }
  const given = Object.entries(errors).map(([code, reason]) => {
    const general = reasons[code as unknown as keyof typeof reasons]
    return [code, general ? `${general}, or: ${reason}` : reason]
  })
  const all: Record<string, string> = { ...reasons, ...Object.fromEntries(given) }
  const failures = Object.entries(all).map(([code, description]) => [
    code,
    { description, schema: ProblemDetails, mediaType: 'application/problem+json' },
  ])
  const succeeded: ResponseDefinition = result
    ? { description: 'Done', schema: result, ...(mediaType && { mediaType }) }
    : { description: 'Done' }
  return { [status ?? (result ? 200 : 204)]: succeeded, ...Object.fromEntries(failures) }
}
