import { asc } from 'drizzle-orm'
import { type Control, httpError, onProject } from '../control/control-call.ts'
import { listMails } from './mails.ts'
import { clients, mails } from './tables.ts'

/** Control routes for a project's identities, clients and inbox. */
export function identityRoutes(control: Control): void {
  onProject(control, 'PUT /identity', async ({ services, project, read }) => {
    const { IdentityFile } = await import('./parse-identity.ts')
    const { saveIdentity } = await import('./save-identity.ts')
    await saveIdentity(services, project, await read(IdentityFile))
  })
  onProject(control, 'GET /clients', ({ snapshot }) =>
    snapshot(async (tables) => {
      const rows = await tables.select().from(clients).orderBy(asc(clients.clientId))
      return rows.map(({ projectId: _, secretHash, ...client }) => ({
        ...client,
        hasSecret: secretHash !== null,
      }))
    }),
  )
  onProject(control, 'DELETE /clients/:id', async ({ param, transaction }) => {
    const { removeClient } = await import('./save-identity.ts')
    const isRemoved = await transaction((tables) => removeClient(tables, param('id')))
    if (!isRemoved) throw httpError(404, 'There is no such client.')
  })
  onProject(control, 'GET /inbox', ({ query, snapshot }) =>
    snapshot((tables) => listMails(tables, query['recipient'])),
  )
  onProject(control, 'DELETE /inbox', async ({ transaction }) => {
    await transaction((tables) => tables.delete(mails))
  })
}
