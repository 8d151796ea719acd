import { eq } from 'drizzle-orm'
import { type Control, onProject, Refused } from '../control/control.ts'
import { findFile } from './files.ts'
import { objectOf } from './operations.ts'
import { storedFiles } from './tables.ts'

/** Removes files, for which the interface has no route. */
export function storageRoutes(control: Control): void {
  onProject(control, 'DELETE', '/files/:id', async ({ services, project, param }) => {
    const id = param('id')
    const row = await services.database.scoped(project.id, (tables) => findFile(tables, id))
    if (!row) throw new Refused(404, 'There is no such file.')
    const backend = await (await services.storage()).backend(row.configurationName)
    // The bytes first: a record without bytes can be removed again, bytes without a record cannot.
    await backend?.remove(objectOf(project, row))
    await services.database.scoped(project.id, (tables) =>
      tables.delete(storedFiles).where(eq(storedFiles.itemId, id)),
    )
  })
}
