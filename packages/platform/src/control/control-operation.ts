import type { Operation } from '@servicekit/contract'
import type { Context } from 'hono'
import type { z } from 'zod'
import type { Scopes } from '../database/database.ts'
import type { AppEnv } from '../http/app-env.ts'
import type { CallerOf } from '../http/caller.ts'
import type { Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

type Member<O, Name extends string> = O extends { readonly [N in Name]: infer S } ? S : undefined

/** Validated request to a control operation. */
export interface ProcessCall<O = Operation> {
  readonly c: Context<AppEnv>
  readonly services: () => Promise<Services>
  readonly query: Parsed<Member<O, 'query'>>
  readonly path: Parsed<Member<O, 'path'>>
  readonly body: Parsed<Member<O, 'body'>>
}

/** Validated request about one project that changes nothing. */
export interface ReadCall<O extends Operation = Operation>
  extends Omit<ProcessCall<O>, 'services'>, Pick<Scopes, 'snapshot'> {
  readonly services: Services
  readonly project: Project
  /** Caller that the access rule of the operation requires. */
  readonly caller: CallerOf<O>
}

/** Validated request about one project. */
export interface WriteCall<O extends Operation = Operation> extends ReadCall<O>, Scopes {
  /** Runs `work` like `transaction`, with the lock of the project. */
  readonly locked: Scopes['transaction']
}

type HasProject<O> = O extends { readonly path: z.ZodObject<infer Shape> }
  ? 'project' extends keyof Shape
    ? true
    : false
  : false

/**
 * Request that the handler of an operation gets. A GET changes nothing: its handler gets no
 * transaction, because any page can send one.
 */
export type CallOf<O extends Operation> =
  HasProject<O> extends true
    ? O['route']['method'] extends 'GET'
      ? ReadCall<O>
      : WriteCall<O>
    : ProcessCall<O>

/** Value whose JSON has the type T: a date becomes its ISO string. */
type Sendable<T> = T extends string
  ? string extends T
    ? T | Date
    : T
  : T extends object
    ? { readonly [K in keyof T]: Sendable<T[K]> }
    : T

/** Value that a handler returns: the body of the response, or a response that is no JSON. */
export type Returned<O> =
  Member<O, 'result'> extends infer S
    ? S extends z.ZodType
      ? Member<O, 'mediaType'> extends string
        ? Response
        : Sendable<z.input<S>>
      : void
    : never

export interface ControlOptions {
  /** Maximum size of the body; that of other operations by default. */
  readonly maxBytes?: number
  /** Reads integers of the body beyond 2^53 - 1 as bigints; by default they are rounded. */
  readonly isExact?: boolean
  /** Refuses the operation on a server, because it is for tests and development only. */
  readonly isForDevelopment?: boolean
}

/** Control operation with its handler. */
export interface ImplementedControl {
  readonly operation: Operation
  readonly options: ControlOptions
  readonly handle: (call: WriteCall | ProcessCall) => unknown
}

/** Binds a handler to a control operation, with typed parameters and result. */
export const implementControl = <O extends Operation>(
  operation: O,
  handle: (call: CallOf<O>) => Returned<O> | Promise<Returned<O>>,
  options: ControlOptions = {},
): ImplementedControl => ({ operation, options, handle: handle as ImplementedControl['handle'] })
