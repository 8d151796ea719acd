import { type Control, onProject, onRemove } from '../control/control-call.ts'
import { listClients, removeClient } from './clients.ts'
import { listMails } from './mails.ts'
import { IdentityFile } from './parse-identity.ts'
import { saveIdentity } from './save-identity.ts'
import { mails } from './tables.ts'

export function identityRoutes(control: Control): void {
  onProject(control, 'PUT /identity', async ({ services, project, read }) => {
    await saveIdentity(services, project, await read(IdentityFile))
  })
  onProject(control, 'GET /clients', ({ snapshot }) => snapshot(listClients))
  onRemove(control, '/clients', 'client', removeClient)
  onProject(control, 'GET /inbox', ({ query, snapshot }) =>
    snapshot((tables) => listMails(tables, query['recipient'])),
  )
  onProject(control, 'DELETE /inbox', async ({ transaction }) => {
    await transaction((tables) => tables.delete(mails))
  })
}
