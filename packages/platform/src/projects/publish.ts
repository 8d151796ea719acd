import { eq } from 'drizzle-orm'
import { modules } from '../database/tables.ts'
import { publishDrafts } from '../localization/drafts.ts'
import {
  type OnChanged,
  removeKey,
  setTranslations,
  type TranslationEdit,
} from '../localization/edit-translations.ts'
import type { Services } from '../services.ts'
import { type Outbox, outboxOf } from '../webhooks/outbox.ts'
import type { Project } from './project-directory.ts'

/** Sets translations, and notifies listeners and the webhook. */
export const editTranslations = (
  services: Services,
  project: Project,
  edits: readonly TranslationEdit[],
) =>
  withEvent(services, project, (onChanged) =>
    setTranslations(services.database, project, edits, onChanged),
  )

/** Removes a key, and notifies listeners and the webhook. */
export const dropKey = (services: Services, project: Project, module: string, key: string) =>
  withEvent(services, project, (onChanged) =>
    removeKey(services.database, project, module, key, onChanged),
  )

/** Publishes all drafts, and notifies listeners and the webhook. */
export const publishProject = (services: Services, project: Project) =>
  withEvent(services, project, (onChanged) => publishDrafts(services.database, project, onChanged))

/** Runs a change, and emits its event after it is committed. */
async function withEvent<T>(
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
