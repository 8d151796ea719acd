import { type Operation, projectHeader } from '@servicekit/contract'
import type { Context } from 'hono'
import { setActor } from '../database/actor.ts'
import type { FoundProject } from '../database/project-directory.ts'
import type { AppEnv } from '../http/app-env.ts'
import {
  type Call,
  type HandlerOptions,
  type ImplementedOperation,
  interfaceDoor,
} from '../http/mount.ts'
import type { Door } from '../http/pipeline.ts'
import { headerKey, takesProjectKey, unknownKey } from '../http/project-key.ts'
import { Forbidden, RejectedRequest } from '../http/rejected-request.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Services } from '../services.ts'
import { tokenHash } from './authenticate.ts'
import { authorize } from './authorize.ts'

/** Door to the interface itself: the project is in the header. */
export const throughInterface = (
  services: () => Promise<Services>,
  options: ResolvedOptions,
): Door<Call, ImplementedOperation> =>
  interfaceDoor(services, {
    options,
    pathOf: ({ route }) => route.path,
    find: async (c, all, { operation, options: reading }, query) => {
      const { found, hasHeader } = await findProject(c, all, operation, reading, query)
      const caller = await authorize({ services: all, found, c }, operation.access)
      const kind = caller?.userId === undefined ? 'client' : 'user'
      if (caller) setActor({ actor: `${kind}:${caller.id}` })
      if (operation.route.path.startsWith('/iam/v4/iam/') && !caller?.hasAccess) {
        throw new Forbidden('This requires a role of the project.')
      }
      return { project: found.project, hasHeader, caller }
    },
  })

/** Finds the project of a request. @throws RejectedRequest */
async function findProject(
  c: Context<AppEnv>,
  { projects, options }: Services,
  operation: Operation,
  { isHeaderOptional = false, keyOf }: HandlerOptions,
  query: Readonly<Record<string, string>>,
): Promise<Pick<Call, 'hasHeader'> & { readonly found: FoundProject }> {
  const header = headerKey(c, options)
  const takesKey = takesProjectKey(operation)
  const inQuery = query['ProjectKey'] ?? ''
  const elsewhere = keyOf?.(query) ?? ''
  if (header === '' && elsewhere === '' && !isHeaderOptional) {
    throw missingKey(
      `The header ${projectHeader} is missing${options.keyHeader === undefined ? '' : `, or differs from ${options.keyHeader}`}.`,
    )
  }
  if (takesKey && inQuery === '' && header === '') {
    throw missingKey('The parameter ProjectKey is missing.')
  }
  const key = header || elsewhere || inQuery
  const needsCaller = operation.access.proofs.length > 0 || c.req.header('authorization')
  const hash = needsCaller ? tokenHash(options, key, c.req.raw) : null
  const found = await projects.findWithToken(key, hash)
  // The header selects the tenant; a parameter with another project key is invalid.
  const named = takesKey ? inQuery : elsewhere
  if (!found || (named !== '' && named !== found.project.key)) throw unknownKey()
  return { found, hasHeader: header !== '' }
}

const missingKey = (message: string) => new RejectedRequest({ reason: 'keyMissing', message })
