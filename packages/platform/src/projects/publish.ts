import { eq } from 'drizzle-orm'
import { modules } from '../database/tables.ts'
import type { OnChanged } from '../localization/edit-translations.ts'
import type { Services } from '../services.ts'
import { type Outbox, outboxOf } from '../webhooks/outbox.ts'
import type { Project } from './project-directory.ts'

/** Runs a change of translations, and notifies listeners and the webhook after it is committed. */
export async function withEvent<T>(
  services: Services,
  project: Project,
  change: (onChanged: OnChanged) => Promise<T>,
): Promise<T> {
  const outbox = outboxOf(services)
  const result = await change(recordPublication(services, outbox, project))
  outbox.emit()
  return result
}

/** Returns a callback that records a publication in the transaction of the change. */
export const recordPublication =
  (services: Services, outbox: Outbox, project: Pick<Project, 'id' | 'key'>): OnChanged =>
  async (tables, changedModules) => {
    const [name, ...others] = changedModules
    const [row] =
      name === undefined || others.length > 0
        ? []
        : await tables.select().from(modules).where(eq(modules.name, name))
    // `ModuleId` is null if several modules changed.
    await outbox.add(tables, project, {
      GenerateUilmFilesEvent: {
        Guid: services.options.newId(),
        ModuleId: row?.itemId ?? null,
        ProjectKey: project.key,
      },
    })
  }
