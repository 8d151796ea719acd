import { type data, SchemaType } from '@servicekit/contract'
import type { schemas as contract } from '@servicekit/contract/control'
import { eq, inArray, sql } from 'drizzle-orm'
import { isDeepStrictEqual } from 'node:util'
import { Invalid, NotFound, requireUnchanged } from '../domain-errors.ts'
import type { Tables } from '../database/database.ts'
import { dataSchemas, schemaDrafts } from '../database/tables.ts'
import { bumpVersion, lockProject } from '../database/versions.ts'
import { buildModel } from './model.ts'
import { removeOtherRecords } from './save-records.ts'
import { jsonProblem } from '../http/json-problem.ts'

/** Reads the schemas of the scope's project, in order. */
export async function readSchemas(tables: Tables): Promise<readonly data.DataSchema[]> {
  return (await readRows(tables)).map(({ definition }) => definition)
}

/** Definitions by the id of their row. A changed schema gets a new row. */
export type Definitions = ReadonlyMap<number, data.DataSchema>

/** Reads the schemas of the scope's project, in order, apart from those that are known. */
export async function readDefinitions(tables: Tables, known: Definitions): Promise<Definitions> {
  const { id, definition, position } = dataSchemas
  const ids = await tables.select({ id }).from(dataSchemas).orderBy(position)
  const missing = ids.flatMap((row) => (known.has(row.id) ? [] : [row.id]))
  const isMissing = sql`${id} = any(${sql.param(missing)}::int[])`
  const rows =
    missing.length === 0
      ? []
      : await tables.select({ id, definition }).from(dataSchemas).where(isMissing)
  const read = new Map(rows.map((row) => [row.id, row.definition]))
  return new Map(ids.map((row) => [row.id, known.get(row.id) ?? read.get(row.id)!]))
}

const readRows = (tables: Tables) => tables.select().from(dataSchemas).orderBy(dataSchemas.position)

/**
 * Replaces the schemas of the scope's project, in this order. Writes only what changed.
 *
 * @returns true if any of them changed.
 */
export async function saveSchemas(
  tables: Tables,
  projectId: number,
  schemas: readonly data.DataSchema[],
  old?: Awaited<ReturnType<typeof readRows>>,
): Promise<boolean> {
  const stored = new Map((old ?? (await readRows(tables))).map((row) => [row.name, row]))
  const added = schemas.flatMap((definition, position) => {
    const name = definition.schemaName
    const row = stored.get(name)
    const isSame =
      row?.position === position &&
      // Most are the same object when drafts are published.
      (row.definition === definition || isDeepStrictEqual(row.definition, definition))
    if (isSame) stored.delete(name)
    return isSame ? [] : [{ projectId, position, name, definition }]
  })
  const removed = Array.from(stored.values(), ({ id }) => id)
  if (added.length === 0 && removed.length === 0) return false
  if (removed.length > 0) await tables.delete(dataSchemas).where(inArray(dataSchemas.id, removed))
  if (added.length > 0) await tables.insert(dataSchemas).values(added)
  await bumpVersion(tables, projectId, 'schemasVersion')
  return true
}

type SchemaDraft = contract.SchemaDraft

/** Reads the published schemas, their drafts, and the problems of both together. */
export async function readSchemaDrafts(tables: Tables) {
  const schemas = await readSchemas(tables)
  const drafts = await readDrafts(tables)
  return { schemas, drafts, problems: buildModel(applied(schemas, drafts)).problems }
}

async function readDrafts(tables: Tables): Promise<readonly SchemaDraft[]> {
  const drafts = await tables.select().from(schemaDrafts).orderBy(schemaDrafts.name)
  return drafts.map(({ name, definition }) =>
    definition === null ? { schemaName: name, isRemoved: true } : { schemaName: name, definition },
  )
}

/**
 * Saves a draft of a schema. Adds defaults for missing members: an id, the kind, and the
 * names of its operations.
 *
 * @param given null drafts the removal of the schema and its records.
 * @param expected draft or schema that the client knows; null if there is none.
 * @returns the complete definition.
 * @throws Invalid for a definition that cannot be stored, 404, 409
 */
export async function draftSchema(
  tables: Tables,
  projectId: number,
  name: string,
  given: data.DataSchema | null,
  newId: string,
  expected?: data.DataSchema | null,
): Promise<{ readonly definition: data.DataSchema | null }> {
  const problem = given && jsonProblem(given)
  if (problem) throw new Invalid(problem)
  await lockProject(tables, projectId)
  const [stored] = await tables.select().from(dataSchemas).where(eq(dataSchemas.name, name))
  const isDraft = eq(schemaDrafts.name, name)
  const [draft] = await tables.select().from(schemaDrafts).where(isDraft)
  requireUnchanged((draft ?? stored)?.definition ?? null, expected)
  const definition = given && {
    id: stored?.definition.id ?? newId,
    collectionName: `${name}s`,
    schemaType: SchemaType.Entity,
    querySchema: `${name}s`,
    mutationSchemas: ['insert', 'update', 'delete'].map((kind) => `${kind}${name}`),
    fields: [],
    ...given,
  }
  if (!given && !stored && !draft) throw new NotFound(`The project has no schema ${name}.`)
  await tables.delete(schemaDrafts).where(isDraft)
  if (given || stored) await tables.insert(schemaDrafts).values({ projectId, name, definition })
  return { definition }
}

/** Drafts that a client knows, to compare with the current ones. */
type KnownDrafts = readonly { readonly schemaName: string }[]

/** Discards drafts, by default all. @throws Conflict if one of them changed. */
export async function discardSchemaDrafts(
  tables: Tables,
  projectId: number,
  only?: KnownDrafts,
): Promise<void> {
  await lockProject(tables, projectId)
  const names = only?.map(({ schemaName }) => schemaName)
  const current = await readDrafts(tables)
  const known = current.filter(({ schemaName }) => names?.includes(schemaName))
  requireUnchanged(known, only)
  await tables.delete(schemaDrafts).where(names && inArray(schemaDrafts.name, names))
}

/**
 * Publishes all drafts. Schemas keep their order; new ones are added last.
 *
 * @throws Conflict if there are other drafts than `expected`.
 */
export async function publishSchemas(tables: Tables, projectId: number, expected?: KnownDrafts) {
  await lockProject(tables, projectId)
  const stored = await readRows(tables)
  const drafts = await readDrafts(tables)
  requireUnchanged(drafts, expected)
  const definitions = stored.map(({ definition }) => definition)
  const schemas = applied(definitions, drafts)
  if (await saveSchemas(tables, projectId, schemas, stored)) {
    await removeOtherRecords(
      tables,
      schemas.map(({ schemaName }) => schemaName),
    )
  }
  await tables.delete(schemaDrafts)
  const changedSchemas = drafts.map(({ schemaName }) => schemaName)
  return { changedSchemas, problems: buildModel(schemas).problems }
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
