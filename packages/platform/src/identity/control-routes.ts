import { type Control, httpError, onProject } from '../control/control-call.ts'
import { listClients, removeClient } from './clients.ts'
import { listMails } from './mails.ts'
import { IdentityFile } from './parse-identity.ts'
import { saveIdentity } from './save-identity.ts'
import { mails } from './tables.ts'

/** Control routes for a project's identities, clients and inbox. */
export function identityRoutes(control: Control): void {
  onProject(control, 'PUT /identity', async ({ services, project, read }) => {
    await saveIdentity(services, project, await read(IdentityFile))
  })
  onProject(control, 'GET /clients', ({ snapshot }) => snapshot(listClients))
  onProject(control, 'DELETE /clients/:id', async ({ param, transaction }) => {
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
