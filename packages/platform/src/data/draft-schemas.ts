import { type data, SchemaType } from '@servicekit/contract'
import { asc, eq, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { dataSchemas, schemaDrafts } from '../database/tables.ts'
import type { Problem } from '../projects/problem.ts'
import { jsonFault } from '../projects/text.ts'
import { bumpSchemas, lockProject } from '../projects/versions.ts'
import { buildModel } from './model.ts'
import { removeOtherRecords } from './save-records.ts'
import { saveSchemas } from './save-schemas.ts'

/** A schema that is not in force yet, or is to go. */
type SchemaDraft =
  | { readonly schemaName: string; readonly definition: data.DataSchema }
  | { readonly schemaName: string; readonly isRemoved: true }

/** The schemas of a project: those in force, what will change, and what is odd then. */
export interface SchemaDrafts {
  readonly schemas: readonly data.DataSchema[]
  readonly drafts: readonly SchemaDraft[]
  /** What would be odd about the schemas if the drafts were published. */
  readonly problems: readonly Problem[]
}

/** Reads the schemas of the scope's project. */
export async function readSchemaDrafts(tables: Tables): Promise<SchemaDrafts> {
  const rows = await tables.select().from(dataSchemas).orderBy(asc(dataSchemas.position))
  const drafted = await tables.select().from(schemaDrafts).orderBy(asc(schemaDrafts.name))
  const schemas = rows.map(({ definition }) => definition as data.DataSchema)
  const drafts = drafted.map(({ name, definition }): SchemaDraft =>
    definition === null
      ? { schemaName: name, isRemoved: true }
      : { schemaName: name, definition: definition as data.DataSchema },
  )
  return { schemas, drafts, problems: buildModel(applied(schemas, drafts)).problems }
}

/**
 * Drafts a schema. What a listing has and the definition lacks is filled in: an
 * id, the kind, and the names of its operations.
 *
 * @returns what keeps it from being stored.
 */
export async function draftSchema(
  tables: Tables,
  projectId: number,
  definition: data.DataSchema,
  id: string,
): Promise<{ readonly fault: string } | { readonly definition: data.DataSchema }> {
  const fault = jsonFault(definition)
  if (fault) return { fault }
  const name = definition.schemaName
  const { schemas } = await readSchemaDrafts(tables)
  const whole = {
    id: schemas.find(({ schemaName }) => schemaName === name)?.id ?? id,
    collectionName: `${name}s`,
    schemaType: SchemaType.Entity,
    querySchema: `${name}s`,
    mutationSchemas: ['insert', 'update', 'delete'].map((kind) => `${kind}${name}`),
    fields: [],
    ...definition,
  }
  await write(tables, projectId, name, JSON.stringify(whole))
  return { definition: whole }
}

/** Drafts that a schema goes, with its records. */
export async function draftRemoval(
  tables: Tables,
  projectId: number,
  name: string,
): Promise<boolean> {
  const { schemas, drafts } = await readSchemaDrafts(tables)
  const isThere = schemas.some(({ schemaName }) => schemaName === name)
  if (isThere) await write(tables, projectId, name, null)
  else await tables.delete(schemaDrafts).where(eq(schemaDrafts.name, name))
  return isThere || drafts.some(({ schemaName }) => schemaName === name)
}

/** Forgets every draft. */
export async function discardSchemaDrafts(tables: Tables): Promise<void> {
  await tables.execute(sql`delete from servicekit.schema_drafts`)
}

/** Puts drafts in force. Schemas keep their order; new ones come last. */
export async function publishSchemas(tables: Tables, projectId: number) {
  await lockProject(tables, projectId)
  const { schemas, drafts, problems } = await readSchemaDrafts(tables)
  const next = applied(schemas, drafts)
  if (await saveSchemas(tables, projectId, next)) {
    await bumpSchemas(tables, projectId)
    const names = next.map(({ schemaName }) => schemaName)
    await removeOtherRecords(tables, names)
  }
  await discardSchemaDrafts(tables)
  return { changedSchemas: drafts.map(({ schemaName }) => schemaName), problems }
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

async function write(tables: Tables, projectId: number, name: string, definition: string | null) {
  await tables.execute(sql`
    insert into servicekit.schema_drafts (project_id, name, definition)
    values (${projectId}::int, ${name}, ${definition}::json)
    on conflict (project_id, name) do update set definition = excluded.definition`)
}
