import { sql } from 'drizzle-orm'
import { removeOtherRecords, saveRecords } from '../data/save-records.ts'
import { saveSchemas } from '../data/schemas.ts'
import { setScope, type Tables } from '../database/database.ts'
import { recordset } from '../database/sql-parts.ts'
import { projects, sources } from '../database/tables.ts'
import { readCatalogIds, saveCatalog } from '../localization/catalog.ts'
import { moduleNames } from '../localization/edit-translations.ts'
import { saveTranslations } from '../localization/save-translations.ts'
import type { Services } from '../services.ts'
import type { Outbox } from '../webhooks/outbox.ts'
import { contentHash } from './parse-project.ts'
import type { PreparedProject } from './prepare-project.ts'
import type { ProjectSource } from '../project-source.ts'
import { addPublishEvent } from '../localization/publish-event.ts'
import { bumpVersion } from '../database/versions.ts'

/**
 * Saves the translations, schemas and records of a project, and the event that its translations
 * changed. Unchanged data is not written. The transaction is then scoped to the project.
 *
 * @param onlyChanged skips files that did not change since they were last loaded, so that edits
 * made since then stay. Otherwise the project becomes equal to the source.
 * @returns the modules in which a translation in any language changed.
 */
export async function saveProject(
  tables: Tables,
  services: Services,
  outbox: Outbox,
  project: PreparedProject,
  onlyChanged: boolean,
): Promise<{
  readonly id: number
  readonly isNew: boolean
  readonly changedModules: readonly string[]
}> {
  const { source } = project
  const origins = source.origins ?? (onlyChanged ? undefined : [])
  const publishOnlyReviewed = source.publishOnlyReviewed ?? (onlyChanged ? undefined : false)
  const notifyByMail = source.notifyByMail ?? (onlyChanged ? undefined : false)
  const options = { origins, publishOnlyReviewed, notifyByMail }
  const { id, isNew } = await saveHead(tables, source, options)
  await setScope(tables, id)
  const keepsOthers = onlyChanged && !isNew
  const files = await readSources(tables, keepsOthers)
  const changedModules = await saveLocalization(tables, { id, isNew }, source, files)
  await saveData(tables, id, project, keepsOthers, files)
  await saveHashes(tables, id, files.changed)
  if (changedModules.length > 0) {
    await addPublishEvent(services, outbox, { id, key: source.key }, tables, changedModules)
  }
  return { id, isNew, changedModules }
}

type Sources = Awaited<ReturnType<typeof readSources>>

/** Compares the files of a project with those that were last loaded, by their hashes. */
async function readSources(tables: Tables, keepsOthers: boolean) {
  const old = keepsOthers ? await tables.select().from(sources) : []
  const known = new Map(old.map(({ path, hash }) => [path, hash]))
  const changed = new Map<string, string>()
  const hasChanged = (path: string, hash: string): boolean => {
    if (known.get(path) === hash) return false
    changed.set(path, hash)
    return true
  }
  return { hasChanged, changed }
}

async function saveLocalization(
  tables: Tables,
  { id, isNew }: { readonly id: number; readonly isNew: boolean },
  source: ProjectSource,
  { hasChanged }: Sources,
): Promise<readonly string[]> {
  const { languages, modules } = source
  const hash = contentHash([languages, modules])
  const hasNewCatalog = hasChanged('catalog', hash) && (await saveCatalog(tables, id, source))
  const ids = await readCatalogIds(tables)
  const files = source.files.flatMap((file) => {
    const languageId = ids.languages.get(file.language)
    const moduleId = ids.modules.get(file.module)
    if (languageId === undefined || moduleId === undefined) return []
    const sorted = [...file.texts].sort(([a], [b]) => (a < b ? -1 : 1))
    if (!hasChanged(`uilm/${file.language}/${file.module}`, contentHash(sorted))) return []
    return [{ languageId, moduleId, texts: file.texts }]
  })
  const rows = files.flatMap(({ languageId, moduleId, texts }) =>
    Array.from(texts, ([key, value]) => ({ languageId, moduleId, key, value })),
  )
  const changed = await saveTranslations(tables, id, rows, isNew ? null : files)
  if (hasNewCatalog || changed.size > 0) await bumpVersion(tables, id, 'textsVersion')
  return moduleNames(changed, ids)
}

async function saveData(
  tables: Tables,
  id: number,
  { source, records }: PreparedProject,
  keepsOthers: boolean,
  { hasChanged }: Sources,
): Promise<void> {
  const haveSchemasChanged = hasChanged('schemas', contentHash(source.schemas))
  if (haveSchemasChanged) await saveSchemas(tables, id, source.schemas)
  if (keepsOthers && haveSchemasChanged) {
    const names = source.schemas.map(({ schemaName }) => schemaName)
    await removeOtherRecords(tables, names)
  }
  const changed = records
    .filter(({ schemaName, hash }) => hasChanged(`records/${schemaName}`, hash))
    .flatMap((one) => one.records)
  await saveRecords(tables, id, changed, !keepsOthers)
}

/** Writes the project's row, which locks the project against concurrent changes. */
async function saveHead(
  tables: Tables,
  source: ProjectSource,
  {
    origins,
    publishOnlyReviewed,
    notifyByMail,
  }: Pick<ProjectSource, 'origins' | 'publishOnlyReviewed' | 'notifyByMail'>,
) {
  const head = {
    name: source.name,
    organizationId: source.organizationId,
    fallback: source.fallback,
    dialect: source.dialect,
    ...(origins && { origins: [...origins] }),
    ...(publishOnlyReviewed !== undefined && { publishOnlyReviewed }),
    ...(notifyByMail !== undefined && { notifyByMail }),
  }
  const [row] = await tables
    .insert(projects)
    .values({ key: source.key, ...head })
    .onConflictDoUpdate({ target: projects.key, set: head })
    .returning({ id: projects.id, isNew: sql<boolean>`xmax = 0` })
  return row!
}

async function saveHashes(tables: Tables, projectId: number, hashes: ReadonlyMap<string, string>) {
  if (hashes.size === 0) return
  const rows = Array.from(hashes, ([path, hash]) => ({ path, hash }))
  await tables.execute(sql`
    insert into servicekit.sources (project_id, path, hash)
    select ${projectId}::int, u.* from ${recordset(rows, 'path text, hash text')}
    on conflict (project_id, path) do update set hash = excluded.hash`)
}
