import { asc } from 'drizzle-orm'
import { type Control, onProject, Refused } from '../control/control.ts'
import { mails, clients } from './tables.ts'

/** Control routes for a project's identities, clients and inbox. */
export function identityRoutes(control: Control): void {
  onProject(control, 'PUT', '/identity', async ({ services, project, read }) => {
    const { IdentityFile } = await import('./parse-identity.ts')
    const { saveIdentity } = await import('./save-identity.ts')
    await saveIdentity(services, project, await read(IdentityFile))
  })
  onProject(control, 'GET', '/clients', async ({ services, project }) =>
    services.database.scoped(project.id, async (tables) => {
      const rows = await tables.select().from(clients).orderBy(asc(clients.clientId))
      return rows.map(({ projectId: _, secretHash, ...client }) => ({
        ...client,
        hasSecret: secretHash !== null,
      }))
    }),
  )
  onProject(control, 'DELETE', '/clients/:id', async ({ services, project, param }) => {
    const { removeClient } = await import('./save-identity.ts')
    const isGone = await services.database.scoped(project.id, (tables) =>
      removeClient(tables, param('id')),
    )
    if (!isGone) throw new Refused(404, 'There is no such client.')
  })
  onProject(control, 'GET', '/inbox', async ({ services, project, query }) => {
    const { listMails } = await import('./mails.ts')
    return services.database.scoped(project.id, (tables) => listMails(tables, query['recipient']))
  })
  onProject(control, 'DELETE', '/inbox', async ({ services, project }) => {
    await services.database.scoped(project.id, (tables) => tables.delete(mails))
  })
}
