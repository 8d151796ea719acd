import { calls, controlPath } from '@servicekit/contract/control'
import type { Operation } from '@servicekit/contract'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { DomainError } from '../domain-errors.ts'
import { PlatformError } from '../errors.ts'
import { type AppEnv, requestIdOf } from '../http/app-env.ts'
import { statusOfDomainError } from '../http/domain-status.ts'
import { mount, type MountOptions, type ImplementedOperation } from '../http/mount.ts'
import { Forbidden } from '../http/rejected-request.ts'
import { takesProjectKey, unknownKey } from '../http/project-key.ts'
import { problemDetails } from '../http/responses.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Services } from '../services.ts'
import { admitToProject, refuseOtherSites } from './admit.ts'
import { consoleOperations } from './console-operations.ts'
import type { ImplementedControl } from './control-operation.ts'
import type { Faults } from './fault-rules.ts'
import { fileOperations } from './file-operations.ts'
import { identityOperations } from './identity-operations.ts'
import { mountControl } from './mount-control.ts'
import { processOperations } from './process-operations.ts'
import { projectOperations } from './project-operations.ts'
import { recordCalls } from './record-calls.ts'
import type { RequestLog } from './request-log.ts'
import { schemaOperations } from './schema-operations.ts'
import { taskOperations } from './task-operations.ts'
import { toolOperations } from './tool-operations.ts'
import { translationOperations } from './translation-operations.ts'
import { webhookOperations } from './webhook-operations.ts'

export interface ControlDependencies {
  readonly services: () => Promise<Services>
  /** Returns true once the database is open and the projects are loaded. */
  readonly isReady: () => boolean
  readonly faults: Faults
  readonly requestLog: RequestLog
  readonly options: ResolvedOptions
  /** Operations of the interface. */
  readonly interfaceOperations: readonly ImplementedOperation[]
}

/** Returns the control operations with their handlers. A test compares them with the contract. */
export const implementedControls = (
  parts: Pick<ControlDependencies, 'faults' | 'requestLog'>,
): readonly ImplementedControl[] => [
  ...processOperations(parts),
  ...projectOperations,
  ...translationOperations,
  ...taskOperations,
  ...schemaOperations,
  ...identityOperations,
  ...webhookOperations,
  ...toolOperations,
  ...fileOperations,
  ...consoleOperations,
]

/** Creates the application of the control operations, which are not part of the interface. */
export function controlRoutes(parts: ControlDependencies): Hono<AppEnv> {
  const { services, options, interfaceOperations } = parts
  const app = new Hono<AppEnv>()
  app.use(recordCalls(services))
  app.use(async (c, next) => {
    await next()
    // Only the requester may see a response, and no page of another origin may embed it.
    c.res.headers.set('cache-control', 'no-store')
    c.res.headers.set('x-content-type-options', 'nosniff')
    c.res.headers.set('cross-origin-resource-policy', 'same-origin')
  })
  app.onError((error, c) => {
    const status = statusOf(error)
    const message = messageOf(error)
    if (message === undefined) throw error
    return problemDetails(status, message, requestIdOf(c))
  })
  mountControl(app, services, options, implementedControls(parts))
  const callable = interfaceOperations.filter(({ operation }) => callsById.has(operation.route.id))
  mount(app, services, callable, throughControl)
  return app
}

/** Operations of the interface that control operations call, by id. */
const callsById: ReadonlyMap<string, Operation> = new Map(
  Object.values(calls)
    .filter((one) => typeof one === 'object')
    .map((operation) => [operation.route.id, operation as Operation]),
)

/** Calls operations of the interface for the project in the path, as its administrator. */
const throughControl: MountOptions = {
  pathOf: ({ route }) => `${calls.interfacePath}${route.path}`.slice(controlPath.length),
  admit: async (c, services, entry, query) => {
    const { operation } = entry
    refuseOtherSites(c, operation)
    const { access } = callsById.get(operation.route.id)!
    const key = c.req.param('project') ?? ''
    const { project, caller } = await admitToProject(c, services, access, key)
    const named = takesProjectKey(operation) ? query['ProjectKey'] : entry.options.keyOf?.(query)
    if (named && named !== project.key) throw unknownKey()
    return { project, hasHeader: true, caller }
  },
}

/**
 * PostgreSQL error codes for values that it cannot store: invalid characters, numbers out
 * of range, values too large.
 */
const valueErrors: ReadonlySet<unknown> = new Set(['22021', '22P05', '22003', '54000'])

const statusOf = (error: Error): number => {
  if (error instanceof HTTPException) return error.status
  if (error instanceof Forbidden) return 403
  return error instanceof DomainError ? statusOfDomainError(error) : 400
}

/** Returns the message of an error that the request caused, undefined for other errors. */
function messageOf(error: Error): string | undefined {
  if (error instanceof HTTPException || error instanceof DomainError) return error.message
  if (error instanceof Forbidden) return error.message
  if (error instanceof PlatformError && error.code === 'PROJECT_INVALID') return error.message
  const { code, message } = (error.cause ?? error) as { code?: unknown; message?: unknown }
  return valueErrors.has(code)
    ? `The database cannot store a value: ${String(message)}.`
    : undefined
}
