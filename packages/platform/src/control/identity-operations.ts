import { identity as operations } from '@servicekit/contract/control'
import { setTimeout as sleep } from 'node:timers/promises'
import { Conflict, NotFound, requireFound } from '../domain-errors.ts'
import { mails } from '../database/tables.ts'
import { sendInvitation } from '../identity/accounts.ts'
import { changeOrganization, removeOrganization } from '../identity/change-organization.ts'
import { createClient, listClients, removeClient, rotateSecret } from '../identity/clients.ts'
import { after } from '../identity/lifetimes.ts'
import { listMails, takeMail } from '../identity/mails.ts'
import { removePermission, savePermission } from '../identity/permissions.ts'
import { removeRole } from '../identity/roles.ts'
import { hashNewPasswords, saveIdentity } from '../identity/save-identity.ts'
import { endSessionsOf, listSessions } from '../identity/sessions.ts'
import { saveRole } from '../identity/save-role.ts'
import { readSettings, rotateSigningKey } from '../identity/settings.ts'
import { findUser, updateUser } from '../identity/users.ts'
import { implementControl } from './control-operation.ts'
import { createTicket, redeemTicket } from './sign-in-as.ts'

const clients = [
  implementControl(operations.save, async ({ services, project, body, transaction }) => {
    const hashes = await hashNewPasswords(services, project, body)
    await transaction((tables) => saveIdentity(tables, services, project, body, hashes))
  }),
  implementControl(operations.listClients, ({ snapshot }) => snapshot(listClients)),
  implementControl(operations.createClient, async ({ project, body, transaction }) => {
    const { name, ...client } = body
    const { clientId } = client
    const values = { projectId: project.id, name: name ?? clientId, ...client }
    const clientSecret = await transaction((tables) => createClient(tables, values))
    if (clientSecret === undefined) throw new Conflict(`There is a client ${clientId} already.`)
    return { clientId, clientSecret }
  }),
  implementControl(operations.rotateClientSecret, async ({ services, path, body, transaction }) => {
    const now = services.options.now()
    const until = after(now, body.overlapSeconds)
    const clientSecret = await transaction((tables) => rotateSecret(tables, path.id, until, now))
    requireFound(clientSecret !== undefined, 'client')
    return { clientId: path.id, clientSecret, previousSecretUntil: until }
  }),
  implementControl(operations.removeClient, async ({ services, path, transaction }) => {
    const now = services.options.now()
    const isKnown = await transaction((tables) => removeClient(tables, path.id, now))
    requireFound(isKnown, 'client')
  }),
  implementControl(operations.rotateSigningKey, async ({ services, project, body }) => {
    const now = services.options.now()
    const previousKeysUntil = after(now, body.overlapSeconds)
    const kid = await rotateSigningKey(services.database, project.id, now, previousKeysUntil)
    return { kid, previousKeysUntil }
  }),
]

const people = [
  implementControl(operations.saveRole, ({ services, project, caller, path, body, locked }) => {
    const itemId = services.options.newId()
    const now = services.options.now()
    const { slug } = path
    return locked((tables) => saveRole(tables, { project, caller, slug, role: body, itemId, now }))
  }),
  implementControl(operations.readConsoleRoles, ({ snapshot }) =>
    snapshot(async (tables) => (await readSettings(tables)).consoleRoles ?? {}),
  ),
  implementControl(operations.removeRole, async ({ project, caller, path, locked }) => {
    const isKnown = await locked((tables) =>
      removeRole(tables, { project, caller, slug: path.slug }),
    )
    requireFound(isKnown, 'role')
  }),
  implementControl(
    operations.savePermission,
    ({ services, project, caller, path, body, locked }) => {
      const itemId = services.options.newId()
      const now = services.options.now()
      const saved = { project, caller, name: path.name, permission: body, itemId, now }
      return locked((tables) => savePermission(tables, saved))
    },
  ),
  implementControl(operations.removePermission, async ({ project, caller, path, locked }) => {
    const removed = { project, caller, name: path.name }
    const isKnown = await locked((tables) => removePermission(tables, removed))
    requireFound(isKnown, 'permission')
  }),
  implementControl(operations.changeOrganization, async (call) => {
    const { services, caller, path, body, locked } = call
    const changed = { caller, id: path.id, organization: body, now: services.options.now() }
    const isKnown = await locked((tables) => changeOrganization(tables, changed))
    requireFound(isKnown, 'organization')
  }),
  implementControl(operations.removeOrganization, async ({ project, caller, path, locked }) => {
    const removed = { project, caller, id: path.id }
    const isKnown = await locked((tables) => removeOrganization(tables, removed))
    requireFound(isKnown, 'organization')
  }),
  implementControl(operations.activateUser, async ({ services, path, transaction }) => {
    const now = services.options.now()
    const changes = { active: true, lastUpdatedDate: now }
    const isKnown = await transaction((tables) => updateUser(tables, path.id, changes, now))
    requireFound(isKnown, 'user')
  }),
  implementControl(operations.inviteUser, async ({ c, services, project, path, transaction }) => {
    await transaction(async (tables) => {
      const user = await findUser(tables, path.id)
      requireFound(user?.active === false && !user.isVerified, 'user who was not activated')
      await sendInvitation(tables, { services, project, request: c.req.raw }, user!, 'Invitation')
    })
  }),
  implementControl(operations.listSessions, ({ services, path, snapshot }) =>
    snapshot((tables) => listSessions(tables, path.id, services.options.now())),
  ),
  implementControl(operations.endSessions, ({ services, path, transaction }) =>
    transaction((tables) => endSessionsOf(tables, path.id, services.options.now())),
  ),
]

const inbox = [
  implementControl(operations.listMails, ({ query, snapshot }) =>
    snapshot(async (tables) => listMails(tables, query.recipient)),
  ),
  implementControl(operations.waitForMail, async ({ query, transaction }) => {
    const { recipient, timeoutMs } = query
    const until = performance.now() + timeoutMs
    for (;;) {
      const mail = await transaction((tables) => takeMail(tables, recipient))
      if (mail) return mail
      if (performance.now() > until) throw new NotFound(`There is no mail to ${recipient}.`)
      await sleep(100)
    }
  }),
  implementControl(operations.clearMails, async ({ transaction }) => {
    await transaction(async (tables) => tables.delete(mails))
  }),
  implementControl(operations.createSignInTicket, createTicket),
  implementControl(operations.redeemSignInTicket, redeemTicket),
]

/** Operations on clients, users and the inbox of a project. */
export const identityOperations = [...clients, ...people, ...inbox]
