import type { Operation } from '@servicekit/contract'
import type { Context } from 'hono'
import type { z } from 'zod'
import type { Scopes } from '../database/database.ts'
import type { AppEnv } from '../http/app-env.ts'
import type { CallerOf } from '../http/caller.ts'
import type { Implemented, Input, InputOptions } from '../http/pipeline.ts'
import type { Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'

type Member<O, Name extends string> = O extends { readonly [N in Name]: infer S } ? S : undefined

/** Validated request to a control operation. */
interface ProcessCall<O = Operation> extends Input<O> {
  readonly c: Context<AppEnv>
  readonly services: () => Promise<Services>
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
interface WriteCall<O extends Operation = Operation> extends ReadCall<O>, Scopes {
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

/** Call as the pipeline creates it; the operation decides which one its handler gets. */
export type ControlCall = ProcessCall | WriteCall

export interface ControlOptions extends InputOptions {
  /** Refuses the operation on a server, because it is for tests and development only. */
  readonly isForDevelopment?: boolean
}

/** Control operation with its handler. */
export interface ImplementedControl extends Implemented<ControlCall> {
  readonly options: ControlOptions
}

/** Binds a handler to a control operation, with typed parameters and result. */
export const implementControl = <O extends Operation>(
  operation: O,
  handle: (call: CallOf<O>) => Returned<O> | Promise<Returned<O>>,
  options: ControlOptions = {},
): ImplementedControl => ({
  operation,
  schemas: operation,
  options: { isStorable: true, ...options },
  handle: handle as ImplementedControl['handle'],
})
