import { console as operations } from '@servicekit/contract/control'
import { sharedProjectKey } from '@servicekit/core'
import { isFromOperator, ownAddress } from '../http/address.ts'
import { findSessionCaller } from '../identity/authorize.ts'
import { administers } from '../http/caller.ts'
import { listClients } from '../identity/clients.ts'
import { projectCookies } from '../identity/cookies.ts'
import { defaultOrganizationId } from '../identity/organizations.ts'
import { noToken, requireOwnPage } from './admit.ts'
import { httpError } from './control-errors.ts'
import { implementControl } from './control-operation.ts'

/** Path on the platform to which the console returns after a sign-in. */
const callbackPath = '/console/signed-in'

/** Operations with which the console finds out who uses it, and how to sign in. */
export const consoleOperations = [
  implementControl(operations.readAdministration, async ({ c, services: open }) => {
    const services = await open()
    const { options } = services
    const all = (await services.projects.list()).filter(({ key }) => key !== sharedProjectKey)
    const listed = all.map(({ key, name }) => ({ key, name }))
    if (isFromOperator(c, options)) return { isOperator: true, projects: listed, denied: [] }
    const none = { isOperator: false, projects: [], denied: [] }
    // Without a control token, only this machine administers the platform.
    if (options.controlToken === undefined) return none
    const request = c.req.raw
    const signedIn = all.filter(
      (project) => projectCookies(options, project, request).read('access') !== undefined,
    )
    if (signedIn.length === 0) return none
    requireOwnPage(c, options)
    const administered = new Set<string>()
    const denied: string[] = []
    for (const { key } of signedIn) {
      const found = await findSessionCaller(services, request, key)
      if (!found) continue
      const isAdministrator = administers(found.caller, defaultOrganizationId(found.project))
      if (isAdministrator) administered.add(key)
      else denied.push(key)
    }
    const projects = listed.filter(({ key }) => administered.has(key))
    return { isOperator: false, projects, denied }
  }),
  implementControl(operations.findClient, async ({ c, services, snapshot }) => {
    const { options } = services
    if (options.controlToken === undefined) throw httpError(403, noToken)
    const redirectUri = `${ownAddress(options, c.req.raw).origin}${callbackPath}`
    const clients = await snapshot(listClients)
    const client = clients.find(({ redirectUris }) => redirectUris.includes(redirectUri))
    if (client) return { clientId: client.clientId, redirectUri }
    throw httpError(
      409,
      `The project has no client for the console. Add {"clientId": "console", "redirectUris": ["${redirectUri}"]} to the clients in identity.json.`,
    )
  }),
]
