import { sql } from 'drizzle-orm'
import { jsonFault } from '../projects/text.ts'
import { validationError } from './gateway-error.ts'
import type { DataModel, FieldModel, TypeModel } from './model.ts'
import type { GatewayContext } from './resolvers.ts'
import { systemField } from './system-fields.ts'

/** Result of a mutation (section 4.5 rule 4). */
export interface ActionResponse {
  readonly acknowledged: boolean
  readonly itemId: string | null
  readonly totalImpactedData: number
  readonly message: string | null
}

type Values = Readonly<Record<string, unknown>>

/** Who is recorded as the author of a record while requests carry no session. */
const nobody = 'anonymous'

/**
 * Inserts one record and fills its system fields.
 *
 * @throws GraphQLError `VALIDATION_ERROR` when a required field has no value, or
 * a text cannot be stored.
 */
export async function insertRecord(
  type: TypeModel,
  types: DataModel['types'],
  input: Values,
  { project, now, newId, write }: GatewayContext,
): Promise<ActionResponse> {
  const missing = missingIn(type, types, input)
  if (missing.length > 0) throw validationError(`${missing.join(', ')}: a value is required.`)
  const fault = jsonFault(input)
  if (fault) throw validationError(fault)

  const properties = Object.fromEntries(
    Object.entries(input).filter(([name]) => !systemField(name)),
  )
  const itemId = textOf(input['ItemId']) ?? newId()
  const date = now().toISOString()
  const isInserted = await write(async (tables) => {
    const { rowCount } = await tables.execute(sql`
      insert into servicekit.records (project_id, schema_name, item_id, created_date,
        last_updated_date, created_by, last_updated_by, language, organization_id, tags, data)
      values (${project.id}::int, ${type.name}, ${itemId}, ${date}::timestamptz,
        ${date}::timestamptz, ${nobody}, ${nobody},
        ${textOf(input['Language']) ?? project.fallback},
        ${textOf(input['OrganizationId']) ?? project.organizationId},
        ${sql.param(input['Tags'] ?? [])}::text[], ${JSON.stringify(properties)}::jsonb)
      on conflict (project_id, schema_name, item_id) do nothing`)
    return rowCount === 1
  })
  if (isInserted) return { acknowledged: true, itemId, totalImpactedData: 1, message: null }
  const message = `There is a ${type.name} with the ItemId ${itemId} already.`
  return { acknowledged: false, itemId: null, totalImpactedData: 0, message }
}

/** An empty id is none: forms send what was left blank as an empty string. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Paths of the fields that need a value and have none, in nested objects too. */
function missingIn(
  type: TypeModel,
  types: DataModel['types'],
  values: Values,
  path = '',
): readonly string[] {
  return type.fields.flatMap((field) => {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined
    const at = path + field.name
    if (value === undefined || value === null) return field.isRequiredOnInsert ? [at] : []
    const nested = field.object === undefined ? undefined : types.get(field.object)
    return nested ? missingInNested(field, nested, types, value, at) : []
  })
}

function missingInNested(
  field: FieldModel,
  nested: TypeModel,
  types: DataModel['types'],
  value: unknown,
  at: string,
): readonly string[] {
  const parts = field.isArray ? (value as readonly unknown[]) : [value]
  return parts.flatMap((part, index) => {
    if (typeof part !== 'object' || part === null) return []
    return missingIn(nested, types, part as Values, field.isArray ? `${at}[${index}].` : `${at}.`)
  })
}
