import type { records as contract } from '@servicekit/contract/control'
import { sql } from 'drizzle-orm'
import { coerceInputValue, type GraphQLInputObjectType, GraphQLNonNull } from 'graphql'
import { setImmediate } from 'node:timers/promises'
import type { Database, Tables } from '../database/database.ts'
import { Conflict, NotFound } from '../domain-errors.ts'
import type { GatewaySchema } from './build-schema.ts'
import { hasSqlState } from './gateway-error.ts'
import type { TypeModel } from './model.ts'
import type { GatewayContext } from './resolvers.ts'
import { narrowValue } from './variables.ts'
import { inputProblem, insertRows, rowOf, type Values } from './write-records.ts'

/** Number of records per statement, and of those that are read before other requests have a turn. */
const chunkSize = 1000

/** Maximum number of problems that are listed. */
const maxProblems = 100

/** Records to insert. */
export interface RecordImport {
  readonly schemaName: string
  /** Objects with the values by field. */
  readonly records: readonly unknown[]
  /** Only checks the records. */
  readonly isDryRun: boolean
}

export interface ImportContext extends Pick<
  GatewayContext,
  'project' | 'now' | 'newId' | 'author'
> {
  readonly database: Database
  readonly gateway: GatewaySchema
}

/**
 * Inserts records of one schema, all or none, by the rules of the gateway's own insert. Its limits
 * of records and cost do not apply.
 *
 * @returns the problems by record; nothing is inserted if there are any.
 * @throws NotFound for a schema whose records nobody can insert, Conflict if a record with the same
 * id is inserted meanwhile.
 */
export async function importRecords(
  context: ImportContext,
  { schemaName, records, isDryRun }: RecordImport,
): Promise<contract.ImportedRecords> {
  const { database, gateway, project } = context
  const mutation = [...gateway.mutations.values()].find(
    ({ kind, type }) => kind.startsWith('insert') && type.name === schemaName,
  )
  if (!mutation) throw new NotFound(`Records of ${schemaName} cannot be inserted.`)
  const { type } = mutation
  const { rows, problems } = await readRows(context, type, records)
  const found = problems.length > 0 ? problems : repeatedIds(rows)
  if (found.length > 0) return { inserted: 0, problems: found.slice(0, maxProblems) }
  try {
    return await database.scoped(project.id, async (tables) => {
      const taken = await takenIds(tables, type, rows)
      if (taken.length > 0) return { inserted: 0, problems: taken.slice(0, maxProblems) }
      if (isDryRun) return { inserted: 0, problems: [] }
      for (let start = 0; start < rows.length; start += chunkSize) {
        await tables.execute(insertRows(type, rows.slice(start, start + chunkSize), context))
      }
      return { inserted: rows.length, problems: [] }
    })
  } catch (error) {
    if (!hasSqlState(error, '23505')) throw error
    throw new Conflict(`Somebody else inserted a ${schemaName} with the same ItemId.`)
  }
}

type Problem = contract.RecordProblem

async function readRows(
  context: ImportContext,
  type: TypeModel,
  records: readonly unknown[],
): Promise<{
  readonly rows: readonly (Identified & ReturnType<typeof rowOf>)[]
  readonly problems: readonly Problem[]
}> {
  const { schema, types } = context.gateway
  const inputType = schema.getType(`${type.name}InsertInput`) as GraphQLInputObjectType
  const rows: (Identified & ReturnType<typeof rowOf>)[] = []
  const problems: Problem[] = []
  for (const [row, record] of records.entries()) {
    if (row % chunkSize === 0) await setImmediate()
    const found: string[] = []
    const values = coerceInputValue(
      narrowValue(record, inputType),
      new GraphQLNonNull(inputType),
      (path, _value, error) => void found.push([...path, error.message].join(': ')),
    ) as Values
    if (found.length === 0) {
      const problem = inputProblem(type, types, values, 'insert')
      if (problem) found.push(problem)
    }
    problems.push(...found.map((message) => ({ row, message })))
    if (found.length === 0) rows.push({ row, ...rowOf(values, context) })
  }
  return { rows, problems }
}

interface Identified {
  readonly row: number
  readonly itemId: string
}

function repeatedIds(rows: readonly Identified[]): readonly Problem[] {
  const seen = new Set<string>()
  return rows.flatMap(({ row, itemId }) => {
    const isRepeated = seen.has(itemId)
    seen.add(itemId)
    return isRepeated ? [{ row, message: `ItemId: ${itemId} occurs twice.` }] : []
  })
}

async function takenIds(
  tables: Tables,
  { name }: TypeModel,
  rows: readonly Identified[],
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (let start = 0; start < rows.length; start += chunkSize) {
    const chunk = rows.slice(start, start + chunkSize)
    const ids = chunk.map(({ itemId }) => itemId)
    const found = await tables.execute<{ item_id: string }>(sql`
      select item_id from servicekit.records
      where project_id = ${tables.projectId} and schema_name = ${name}
        and item_id = any(${sql.param(ids)}::text[])`)
    const taken = new Set(found.rows.map((row) => row.item_id))
    for (const { row, itemId } of chunk) {
      if (!taken.has(itemId)) continue
      problems.push({ row, message: `ItemId: there is a ${name} ${itemId} already.` })
    }
  }
  return problems
}
