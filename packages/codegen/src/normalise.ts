import { isObject } from '@servicekit/core'
import { type FieldContext, normaliseFields, type NormalField, textOf } from './normalise-field.ts'
import type { Problem } from './problem.ts'

/** Normalised schema: every member is present and has its type. */
export interface NormalSchema {
  readonly name: string
  /** `object` (schemaType 2) only defines a nested type without operations. */
  readonly kind: 'entity' | 'object'
  /** Name of the list query as given; undefined if the listing has none. */
  readonly query: string | undefined
  /** Names of the mutations, unchanged and in their original order. */
  readonly mutations: readonly string[]
  readonly fields: readonly NormalField[]
}

export interface NormalListing {
  readonly schemas: readonly NormalSchema[]
  readonly problems: readonly Problem[]
}

/**
 * Normalises a schema listing in any form: the response of `GET /data/v4/schemas`
 * (`data.items` or `items`) or an array of schemas. Anything unusual becomes a
 * {@link Problem}. Never throws, whatever `raw` contains.
 *
 * ```ts
 * normaliseListing({ data: { items: [{ schemaName: 'Product', querySchema: 'Products' }] } })
 * ```
 *
 * @see section 2.10
 */
export function normaliseListing(raw: unknown): NormalListing {
  const problems: Problem[] = []
  const items = itemsOf(raw)
  if (items === undefined) {
    const message = 'no list of schemas was found, neither in data.items nor in items'
    problems.push({ severity: 'error', code: 'NOT_A_LISTING', schema: '', message })
    return { schemas: [], problems }
  }
  const schemas = new Map<string, NormalSchema>()
  const context: FieldContext = { problems, known: new Map() }
  for (const [index, item] of items.entries()) {
    const schema = normaliseSchema(item, index, context)
    if (schema === undefined) continue
    if (schemas.has(schema.name)) {
      const message = 'is listed more than once; the first one is used'
      problems.push({ severity: 'info', code: 'DUPLICATE_SCHEMA', schema: schema.name, message })
      continue
    }
    schemas.set(schema.name, schema)
  }
  if (schemas.size === 0) {
    const message = 'the listing holds no schema'
    problems.push({ severity: 'warning', code: 'EMPTY_LISTING', schema: '', message })
  }
  return { schemas: [...schemas.values()], problems }
}

function normaliseSchema(
  raw: unknown,
  index: number,
  context: FieldContext,
): NormalSchema | undefined {
  const { problems } = context
  const name = isObject(raw) ? textOf(raw['schemaName']) : undefined
  if (!isObject(raw) || name === undefined) {
    const message = `entry ${index + 1} of the listing has no schemaName and was left out`
    problems.push({ severity: 'warning', code: 'SCHEMA_INVALID', schema: '', message })
    return undefined
  }
  return {
    name,
    kind: normaliseKind(raw['schemaType'], name, problems),
    query: nameOf(raw['querySchema']),
    mutations: normaliseMutations(raw['mutationSchemas'], name, problems),
    fields: normaliseFields(raw['fields'], name, context),
  }
}

function normaliseKind(raw: unknown, schema: string, problems: Problem[]): NormalSchema['kind'] {
  const code = raw === undefined || raw === null ? 1 : Number(raw)
  if (code === 1 || code === 2) return code === 1 ? 'entity' : 'object'
  const message = `schemaType ${JSON.stringify(raw)} is unknown; it is read as an entity`
  problems.push({ severity: 'warning', code: 'SCHEMA_TYPE_UNKNOWN', schema, message })
  return 'entity'
}

function normaliseMutations(raw: unknown, schema: string, problems: Problem[]): readonly string[] {
  if (raw === undefined || raw === null) return []
  const names = (Array.isArray(raw) ? raw : [raw]).map((entry) => nameOf(entry))
  if (names.includes(undefined)) {
    const message = 'an entry of mutationSchemas has no name and was left out'
    problems.push({ severity: 'warning', code: 'SCHEMA_INVALID', schema, message })
  }
  return names.filter((name) => name !== undefined)
}

/** Both `"insertProduct"` and `{"name": "insertProduct"}` occur. */
function nameOf(raw: unknown): string | undefined {
  return isObject(raw) ? textOf(raw['name']) : textOf(raw)
}

/**
 * Returns the schemas of a listing from `data.items`, `items`, `data` or the value
 * itself.
 */
export function itemsOf(listing: unknown): readonly unknown[] | undefined {
  if (Array.isArray(listing)) return listing
  if (!isObject(listing)) return undefined
  const { data, items } = listing
  if (Array.isArray(items)) return items
  if (Array.isArray(data)) return data
  return isObject(data) && Array.isArray(data['items']) ? data['items'] : undefined
}
