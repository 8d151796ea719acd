import { type Operation, projectHeader } from '@servicekit/contract'
import type { Context } from 'hono'
import { setActor } from '../database/actor.ts'
import type { FoundProject } from '../database/project-directory.ts'
import type { AppEnv } from '../http/app-env.ts'
import type { Call, MountOptions, HandlerOptions } from '../http/mount.ts'
import { headerKey, takesProjectKey, unknownKey } from '../http/project-key.ts'
import { RejectedRequest } from '../http/rejected-request.ts'
import type { Services } from '../services.ts'
import { tokenHash } from './authenticate.ts'
import { authorize } from './authorize.ts'

/** The interface itself: the project is in the header. */
export const throughInterface: MountOptions = {
  pathOf: ({ route }) => route.path,
  admit: async (c, services, { operation, options }, query) => {
    const { found, hasHeader } = await findProject(c, services, operation, options, query)
    const caller = await authorize({ services, found, c }, operation.access)
    const kind = caller?.userId === undefined ? 'client' : 'user'
    if (caller) setActor({ actor: `${kind}:${caller.id}` })
    return { project: found.project, hasHeader, caller }
  },
}

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
