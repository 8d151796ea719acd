import type { Operation } from '@servicekit/contract'
import { calls, controlPath } from '@servicekit/contract/control'
import type { Context } from 'hono'
import { type Scopes, scopesOf } from '../database/database.ts'
import { scopedAndLocked } from '../database/versions.ts'
import { PermissionDenied } from '../domain-errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { type Call, type ImplementedOperation, interfaceDoor } from '../http/mount.ts'
import type { Door } from '../http/pipeline.ts'
import { takesProjectKey, unknownKey } from '../http/project-key.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Services } from '../services.ts'
import { admitToPlatform, admitToProject, refuseOtherSites } from './admit.ts'
import type { ControlCall, ImplementedControl } from './control-operation.ts'
import { recordCall } from './record-call.ts'

interface DoorDependencies {
  readonly services: () => Promise<Services>
  readonly options: ResolvedOptions
}

/** Returns the path of a control operation below `/_platform`. */
const pathOf = ({ route }: Operation): string => route.path.slice(controlPath.length)

const projectKeyOf = (c: Context<AppEnv>): string => c.req.param('project') ?? ''

const developmentOnly =
  'The server refuses this route, because it is for tests and development only. Start it with --development to allow it.'

/** Door to the control operations. Who may call one follows from its access rule. */
export const controlDoor = ({
  services,
  options,
}: DoorDependencies): Door<ControlCall, ImplementedControl> => ({
  options,
  pathOf,
  admit: async (c, { operation, options: { isForDevelopment } }, query) => {
    refuseOtherSites(c, operation)
    if (!('project' in (operation.path?.shape ?? {}))) {
      admitToPlatform(c, options, operation.access)
      if (isForDevelopment && !options.development) throw new PermissionDenied(developmentOnly)
      return { call: { c, services }, query }
    }
    const all = await services()
    const { project, caller } = await admitToProject(c, all, operation.access, projectKeyOf(c))
    const scopes = {
      ...scopesOf(all.database, project.id),
      locked: ((work) =>
        scopedAndLocked(all.database, project, work)) satisfies Scopes['transaction'],
    }
    return { call: { c, services: all, project, caller, ...scopes }, query }
  },
  finish: async (c, { operation }, _, response) => {
    await recordCall(c, services, pathOf(operation), response)
    return response
  },
})

/** Operations of the interface that control operations call, by id. */
export const callsById: ReadonlyMap<string, Operation> = new Map(
  Object.values(calls)
    .filter((one) => typeof one === 'object')
    .map((operation) => [operation.route.id, operation as Operation]),
)

/** Door to operations of the interface for the project in the path, as its administrator. */
export function administeredInterface({
  services,
  options,
}: DoorDependencies): Door<Call, ImplementedOperation> {
  const controlOf = ({ route }: Operation): Operation => callsById.get(route.id)!
  const door = interfaceDoor(services, {
    options,
    pathOf: (operation) => pathOf(controlOf(operation)),
    find: async (c, all, { operation, options: { keyOf } }, query) => {
      refuseOtherSites(c, operation)
      const { access } = controlOf(operation)
      const { project, caller } = await admitToProject(c, all, access, projectKeyOf(c))
      const named = takesProjectKey(operation) ? query['ProjectKey'] : keyOf?.(query)
      if (named && named !== project.key) throw unknownKey()
      return { project, hasHeader: true, caller }
    },
  })
  return {
    ...door,
    finish: async (c, entry, call, response) => {
      const finished = await door.finish(c, entry, call, response)
      await recordCall(c, services, door.pathOf(entry.operation), finished)
      return finished
    },
  }
}
