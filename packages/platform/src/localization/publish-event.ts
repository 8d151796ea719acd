import { eq } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { modules } from '../database/tables.ts'
import type { Services } from '../services.ts'
import { type Outbox, outboxOf } from '../webhooks/outbox.ts'
import type { Project } from '../database/project-directory.ts'
import { scopedAndLocked } from '../database/versions.ts'

/**
 * Runs a change of translations in a transaction that holds the project's lock, and notifies
 * event streams and the webhook after it is committed.
 *
 * @param change returns the changed modules; undefined if nothing changed.
 */
export async function withPublishEvent(
  services: Services,
  project: Project,
  change: (tables: Tables) => Promise<readonly string[] | undefined>,
): Promise<{ readonly changedModules: readonly string[] }> {
  const done = await scopedAndLocked(services.database, project, async (tables) => {
    const outbox = outboxOf(services)
    const changed = await change(tables)
    if (changed) await addPublishEvent(services, outbox, project, tables, changed)
    return { changedModules: changed ?? [], outbox }
  })
  done.outbox.emit()
  return { changedModules: done.changedModules }
}

/** Records a publication in the transaction of the change. */
export async function addPublishEvent(
  services: Services,
  outbox: Outbox,
  project: Pick<Project, 'id' | 'key'>,
  tables: Tables,
  changedModules: readonly string[],
): Promise<void> {
  const [name = ''] = changedModules
  const [row] = await tables.select().from(modules).where(eq(modules.name, name))
  await outbox.add(tables, project, {
    GenerateUilmFilesEvent: {
      Guid: services.options.newId(),
      ModuleId: changedModules.length === 1 ? (row?.itemId ?? null) : null,
      ProjectKey: project.key,
    },
  })
}
