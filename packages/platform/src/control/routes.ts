import { Hono } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import type { ImplementedOperation } from '../http/mount.ts'
import { mountOperations } from '../http/pipeline.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Services } from '../services.ts'
import { consoleOperations } from './console-operations.ts'
import type { ImplementedControl } from './control-operation.ts'
import { administeredInterface, callsById, controlDoor } from './doors.ts'
import type { Faults } from './fault-rules.ts'
import { fileOperations } from './file-operations.ts'
import { identityOperations } from './identity-operations.ts'
import { processOperations } from './process-operations.ts'
import { projectOperations } from './project-operations.ts'
import { recordOperations } from './record-operations.ts'
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
  ...recordOperations,
  ...identityOperations,
  ...webhookOperations,
  ...toolOperations,
  ...fileOperations,
  ...consoleOperations,
]

/** Creates the application of the control operations, which are not part of the interface. */
export function controlRoutes(parts: ControlDependencies): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(async (c, next) => {
    await next()
    // Only the requester may see a response, and no page of another origin may embed it.
    c.res.headers.set('cache-control', 'no-store')
    c.res.headers.set('x-content-type-options', 'nosniff')
    c.res.headers.set('cross-origin-resource-policy', 'same-origin')
  })
  mountOperations(app, implementedControls(parts), controlDoor(parts))
  const callable = parts.interfaceOperations.filter(({ operation }) =>
    callsById.has(operation.route.id),
  )
  mountOperations(app, callable, administeredInterface(parts))
  return app
}
