import { type data, SchemaType } from '@servicekit/contract'
import { asc, eq, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { schemaDrafts } from '../database/tables.ts'
import type { Problem } from '../projects/project-source.ts'
import { jsonFault } from '../projects/text.ts'
import { bumpSchemas, lockProject } from '../projects/versions.ts'
import { buildModel } from './model.ts'
import { removeOtherRecords } from './save-records.ts'
import { readSchemas, saveSchemas } from './schemas.ts'

/** Unpublished change or removal of a schema. */
type SchemaDraft =
  | { readonly schemaName: string; readonly definition: data.DataSchema }
  | { readonly schemaName: string; readonly isRemoved: true }

/** Schemas of a project: published schemas, drafts, and problems. */
export interface SchemaDrafts {
  readonly schemas: readonly data.DataSchema[]
  readonly drafts: readonly SchemaDraft[]
  /** Problems that the schemas would have if the drafts were published. */
  readonly problems: readonly Problem[]
}

/** Dependencies of draft operations: a transaction in the scope of a project. */
export interface DraftParts {
  readonly tables: Tables
  readonly projectId: number
}

/** Reads the published schemas and the drafts of the scope's project. */
export async function readSchemaDrafts(parts: DraftParts): Promise<SchemaDrafts> {
  const { stored, drafts } = await readBoth(parts)
  const schemas = stored.map(({ definition }) => definition)
  return { schemas, drafts, problems: buildModel(applied(schemas, drafts)).problems }
}

async function readBoth({ tables }: DraftParts) {
  const stored = await readSchemas(tables)
  const drafted = await tables.select().from(schemaDrafts).orderBy(asc(schemaDrafts.name))
  const drafts = drafted.map(({ name, definition }): SchemaDraft =>
    definition === null
      ? { schemaName: name, isRemoved: true }
      : { schemaName: name, definition: definition as data.DataSchema },
  )
  return { stored, drafts }
}

/**
 * Saves a draft of a schema. Adds defaults for missing members: an id, the kind, and the
 * names of its operations.
 *
 * @returns the complete definition, or the reason why it cannot be stored.
 */
export async function draftSchema(
  parts: DraftParts,
  definition: data.DataSchema,
  id: string,
): Promise<{ readonly fault: string } | { readonly definition: data.DataSchema }> {
  const fault = jsonFault(definition)
  if (fault) return { fault }
  const name = definition.schemaName
  const stored = await readSchemas(parts.tables)
  const known = stored.find((one) => one.definition.schemaName === name)
  const whole = {
    id: known?.definition.id ?? id,
    collectionName: `${name}s`,
    schemaType: SchemaType.Entity,
    querySchema: `${name}s`,
    mutationSchemas: ['insert', 'update', 'delete'].map((kind) => `${kind}${name}`),
    fields: [],
    ...definition,
  }
  await write(parts, name, JSON.stringify(whole))
  return { definition: whole }
}

/**
 * Drafts the removal of a schema and its records. @returns false if there is no such
 * schema or draft.
 */
export async function draftRemoval(parts: DraftParts, name: string): Promise<boolean> {
  const { stored, drafts } = await readBoth(parts)
  const isThere = stored.some(({ definition }) => definition.schemaName === name)
  if (isThere) await write(parts, name, null)
  else await parts.tables.delete(schemaDrafts).where(eq(schemaDrafts.name, name))
  return isThere || drafts.some(({ schemaName }) => schemaName === name)
}

/** Discards all drafts. */
export async function discardSchemaDrafts(tables: Tables): Promise<void> {
  await tables.execute(sql`delete from servicekit.schema_drafts`)
}

/** Publishes all drafts. Schemas keep their order; new ones are added last. */
export async function publishSchemas(parts: DraftParts) {
  const { tables, projectId } = parts
  await lockProject(tables, projectId)
  const { stored, drafts } = await readBoth(parts)
  const schemas = stored.map(({ definition }) => definition)
  const next = applied(schemas, drafts)
  if (await saveSchemas(tables, projectId, next, stored)) {
    await bumpSchemas(tables, projectId)
    const names = new Set(next.map(({ schemaName }) => schemaName))
    if (schemas.some(({ schemaName }) => !names.has(schemaName))) {
      await removeOtherRecords(tables, [...names])
    }
  }
  await discardSchemaDrafts(tables)
  const changedSchemas = drafts.map(({ schemaName }) => schemaName)
  return { changedSchemas, problems: buildModel(next).problems }
}

function applied(
  schemas: readonly data.DataSchema[],
  drafts: readonly SchemaDraft[],
): readonly data.DataSchema[] {
  const next = new Map(schemas.map((schema) => [schema.schemaName, schema]))
  for (const draft of drafts) {
    if ('isRemoved' in draft) next.delete(draft.schemaName)
    else next.set(draft.schemaName, draft.definition)
  }
  return [...next.values()]
}

async function write({ tables, projectId }: DraftParts, name: string, definition: string | null) {
  await tables.execute(sql`
    insert into servicekit.schema_drafts (project_id, name, definition)
    values (${projectId}::int, ${name}, ${definition}::json)
    on conflict (project_id, name) do update set definition = excluded.definition`)
}
