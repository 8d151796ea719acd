import { console as operations } from '@servicekit/contract/control'
import { Conflict, PermissionDenied } from '../domain-errors.ts'
import type { Project } from '../database/project-directory.ts'
import { sharedProjectKey } from '@servicekit/core'
import { isFromOperator, ownAddress } from '../http/address.ts'
import { findSessionCaller } from '../identity/authorize.ts'
import { administers, type Caller } from '../http/caller.ts'
import { readAdministratorNames } from '../identity/authority.ts'
import { listClients } from '../identity/clients.ts'
import { projectCookies } from '../identity/cookies.ts'
import { defaultOrganizationId } from '../identity/organizations.ts'
import { noToken, requireOwnPage } from './admit.ts'
import { implementControl } from './control-operation.ts'

/** Path on the platform to which the console returns after a sign-in. */
const callbackPath = '/console/signed-in'

type OpenedProject = operations.Administration['projects'][number]

const entryOf = (
  project: Project,
  roles: OpenedProject['roles'],
  administrators: readonly string[] = [],
): OpenedProject => {
  const { key, name } = project
  return { key, name, organizationId: defaultOrganizationId(project), roles, administrators }
}

const rolesOf = ({ consoleRoles }: Caller): NonNullable<OpenedProject['roles']> =>
  [...consoleRoles].map(([role, languages]) => ({
    role,
    languages: languages === 'all' ? null : [...languages].sort(),
  }))

/** Operations with which the console finds out who uses it, and how to sign in. */
export const consoleOperations = [
  implementControl(operations.readAdministration, async ({ c, services: open }) => {
    const services = await open()
    const { options } = services
    const all = (await services.projects.list()).filter(({ key }) => key !== sharedProjectKey)
    if (isFromOperator(c, options)) {
      const projects = all.map((project) => entryOf(project, null))
      return { isOperator: true, projects, denied: [] }
    }
    const none = { isOperator: false, projects: [], denied: [] }
    // Without a control token, only this machine administers the platform.
    if (options.controlToken === undefined) return none
    const request = c.req.raw
    const signedIn = all.filter(
      (project) => projectCookies(options, project, request).read('access') !== undefined,
    )
    if (signedIn.length === 0) return none
    requireOwnPage(c, options)
    const projects: OpenedProject[] = []
    const denied: string[] = []
    for (const { key } of signedIn) {
      const found = await findSessionCaller(services, request, key)
      if (!found) continue
      const { project, caller } = found
      const organizationId = defaultOrganizationId(project)
      if (administers(caller, organizationId)) projects.push(entryOf(project, null))
      else if (caller.consoleRoles.size === 0) denied.push(key)
      else {
        const names = await services.database.scoped(project.id, (tables) =>
          readAdministratorNames(tables, organizationId),
        )
        projects.push(entryOf(project, rolesOf(caller), names))
      }
    }
    return { isOperator: false, projects, denied }
  }),
  implementControl(operations.findClient, async ({ c, services, snapshot }) => {
    const { options } = services
    if (options.controlToken === undefined) throw new PermissionDenied(noToken)
    const redirectUri = `${ownAddress(options, c.req.raw).origin}${callbackPath}`
    const clients = await snapshot(listClients)
    const client = clients.find(({ redirectUris }) => redirectUris.includes(redirectUri))
    if (client) return { clientId: client.clientId, redirectUri }
    throw new Conflict(
      `The project has no client for the console. Add {"clientId": "console", "redirectUris": ["${redirectUri}"]} to the clients in identity.json.`,
    )
  }),
]
