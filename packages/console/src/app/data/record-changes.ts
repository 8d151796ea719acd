import type { Core } from '@servicekit/client/core'
import { printExactJson } from '@servicekit/core/exact-json'
import { UNKNOWN_RECORD } from '~uilm/data'
import { ApiError } from '../state/api.ts'
import { runDocument } from './gateway.ts'
import { readRecords } from './read-records.ts'
import { type DataRecord, type Filter, whereOf } from './record-query.ts'
import type { RecordSchema } from './schema-catalog.ts'

type Values = Readonly<Record<string, unknown>>

interface ActionResponse {
  readonly acknowledged: boolean
  readonly itemId: string | null
  readonly message: string | null
  readonly totalImpactedData: number
}

async function change(
  core: Core,
  mutation: string,
  declarations: Readonly<Record<string, string>>,
  variables: Values,
): Promise<ActionResponse> {
  const names = Object.keys(declarations)
  const declared = names.map((name) => `$${name}: ${declarations[name]}`).join(', ')
  const passed = names.map((name) => `${name}: $${name}`).join(', ')
  const document = `mutation Change(${declared}) { done: ${mutation}(${passed}) { acknowledged itemId message totalImpactedData } }`
  return (await runDocument<{ done: ActionResponse }>(core, document, variables)).done
}

/** Returns whether a record can be inserted again with the values that it has. */
export const canInsertAgain = ({ fields, mutations }: RecordSchema, record: DataRecord): boolean =>
  mutations.insert !== undefined &&
  fields.every(({ name, isRequiredOnInsert }) => !isRequiredOnInsert || record[name] != null)

/** Inserts records, also ones that were deleted, with their ids. @throws ApiError */
export async function insertRecords(
  core: Core,
  { name, fields, mutations }: RecordSchema,
  records: readonly Values[],
): Promise<void> {
  const inputs = records.map((values) =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const value = values[field.name]
        return field.isInsertable && value != null ? [[field.name, value]] : []
      }),
    ),
  )
  const insert = async (mutation: string, type: string, input: unknown): Promise<void> => {
    const done = await change(core, mutation, { input: type }, { input })
    if (!done.acknowledged) throw new ApiError(-1, done.message ?? '')
  }
  if (inputs.length > 1 && mutations.insertMany !== undefined) {
    await insert(mutations.insertMany, `[${name}InsertInput!]`, inputs)
    return
  }
  for (const input of inputs) await insert(mutations.insert!, `${name}InsertInput`, input)
}

/** Deletes records. @throws ApiError */
export async function deleteRecords(
  core: Core,
  { name, mutations }: RecordSchema,
  ids: readonly string[],
): Promise<void> {
  const declarations = { where: `${name}FilterInput`, input: `${name}DeleteInput` }
  const input = { isHardDelete: true }
  if (mutations.deleteMany !== undefined) {
    await change(core, mutations.deleteMany, declarations, {
      where: { ItemId: { in: ids } },
      input,
    })
    return
  }
  for (const id of ids) {
    await change(core, mutations.delete!, declarations, { where: { ItemId: { eq: id } }, input })
  }
}

/**
 * Deletes all records that match filters.
 *
 * @returns the number of them.
 * @throws ApiError
 */
export async function deleteMatching(
  core: Core,
  { name, mutations }: RecordSchema,
  filters: readonly Filter[],
): Promise<number> {
  const declarations = { where: `${name}FilterInput`, input: `${name}DeleteInput` }
  // The gateway requires a condition.
  const where = whereOf(filters) ?? { ItemId: { neq: null } }
  const input = { isHardDelete: true }
  const done = await change(core, mutations.deleteMany!, declarations, { where, input })
  return done.totalImpactedData
}

/** Current record if someone else changed what the update would overwrite. */
export type UpdateResult = { readonly conflict?: DataRecord }

/**
 * Updates fields of a record if they still have the values that were shown: the update has these,
 * and the time of the last change, as its conditions.
 *
 * @throws ApiError
 */
export async function updateRecord(
  core: Core,
  schema: RecordSchema,
  shown: DataRecord,
  values: Values,
): Promise<UpdateResult> {
  const { name, fields, mutations } = schema
  // An update must contain them, whether they change or not.
  const required = fields.filter((field) => field.isRequiredOnUpdate && shown[field.name] != null)
  const input = {
    ...Object.fromEntries(required.map((field) => [field.name, shown[field.name]])),
    ...values,
  }
  const update = async (record: DataRecord): Promise<boolean> => {
    const filterable = fields.filter((field) => field.filter !== undefined && field.name in values)
    const same = Object.fromEntries(
      filterable.map((field) => [field.name, { eq: record[field.name] ?? null }]),
    )
    const where = {
      ItemId: { eq: record.ItemId },
      LastUpdatedDate: { eq: record['LastUpdatedDate'] },
      ...same,
    }
    const declarations = { where: `${name}FilterInput`, input: `${name}UpdateInput` }
    return (await change(core, mutations.update!, declarations, { where, input })).acknowledged
  }
  if (await update(shown)) return {}
  const [current] = await readRecords(core, schema, [shown.ItemId])
  if (!current) throw new ApiError(404, UNKNOWN_RECORD())
  const isSame = Object.keys(input).every(
    (field) => printExactJson(current[field] ?? null) === printExactJson(shown[field] ?? null),
  )
  // Someone changed other fields only, which the update keeps.
  if (isSame && (await update(current))) return {}
  return { conflict: current }
}
