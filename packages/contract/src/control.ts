/**
 * Control operations: the administration of a platform and its projects, below `/_platform`. They
 * are not part of the interface, and not in the main entry, so that applications do not load them.
 */
import type { controlEffects } from '@servicekit/core'
import type { z } from 'zod'
import * as assignments from './control/assignments.ts'
import * as calls from './control/interface.ts'
import * as comments from './control/comments.ts'
import * as console from './control/console.ts'
import * as files from './control/files.ts'
import * as identity from './control/identity.ts'
import * as process from './control/process.ts'
import * as projects from './control/projects.ts'
import * as schemas from './control/schemas.ts'
import * as tasks from './control/tasks.ts'
import * as tools from './control/tools.ts'
import * as jobs from './control/translation-jobs.ts'
import * as states from './control/translation-states.ts'
import * as translations from './control/translations.ts'
import type { DeepReadonly } from './control/values.ts'
import * as webhook from './control/webhook.ts'
import { type OpenApiDocument, openApiDocument } from './openapi.ts'
import type { Operation } from './operation.ts'

export { assignments, calls, comments, console, files, identity, jobs, process, projects }
export { schemas, states, tasks, tools, translations, webhook }
export { type ControlOperation, controlPath } from './control/define.ts'
export {
  completeDialect,
  defaultDialect,
  type Dialect,
  DialectChoice,
  dialectMembers,
} from './control/dialect.ts'
export { IdentityFile } from './control/identity-file.ts'
export { Origin, parsedString, parseOrigin } from './control/values.ts'

/** Groups of control operations, in the order of the documentation. */
const groups = [
  process,
  projects,
  translations,
  states,
  comments,
  assignments,
  tasks,
  jobs,
  schemas,
  identity,
  webhook,
  tools,
  files,
  console,
  calls,
] as const

type OperationsIn<Group> = Group extends unknown
  ? { [Name in keyof Group]: Group[Name] extends Operation ? Group[Name] : never }[keyof Group]
  : never

type Below<P extends string> = P extends `/_platform${infer Rest}` ? Rest : never

/**
 * Control operations by method and path below `/_platform`, such as
 * `GET /projects/{project}/keys`.
 */
export type ControlOperations = {
  [
    O in OperationsIn<
      (typeof groups)[number]
    > as `${O['route']['method']} ${Below<O['route']['path']>}`
  ]: O
}

/** Method and path of a control operation. */
export type ControlAddress = keyof ControlOperations

/** Effects of control operations that differ from those of their methods, by address. */
export type ControlEffects = {
  readonly [
    A in ControlAddress as RouteAt<A>['effect'] extends (typeof controlEffects)[RouteAt<A>['method']]
      ? never
      : A
  ]: RouteAt<A>['effect']
}

type RouteAt<A extends ControlAddress> = ControlOperations[A]['route']

type InputOf<S> = S extends z.ZodType ? DeepReadonly<z.input<S>> : undefined

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [N in Name]?: undefined }
  : undefined extends Value
    ? { readonly [N in Name]?: Value }
    : {} extends Value
      ? { readonly [N in Name]?: Value }
      : { readonly [N in Name]: Value }

type Member<O, Name extends string> = O extends { readonly [N in Name]: infer S } ? S : undefined

/** Parameters and body of a request to a control operation. */
export type ControlInput<A extends ControlAddress> = Part<
  'path',
  InputOf<Member<ControlOperations[A], 'path'>>
> &
  Part<'query', InputOf<Member<ControlOperations[A], 'query'>>> &
  Part<'body', InputOf<Member<ControlOperations[A], 'body'>>>

/** Body of the response of a control operation; void if it has none. */
export type ControlResult<A extends ControlAddress> =
  Member<ControlOperations[A], 'result'> extends infer S
    ? S extends z.ZodType
      ? z.output<S>
      : void
    : never

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'route' in value

/** Every control operation, by group and name. */
export const controlOperations: readonly Operation[] = groups.flatMap((group) =>
  Object.values<unknown>(group).filter(isOperation),
)

/** Builds the OpenAPI 3.1 document of the control operations. */
export const controlDocument = (): OpenApiDocument =>
  openApiDocument({ operations: controlOperations, title: 'Control operations' })
