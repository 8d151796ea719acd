import { isGraphqlName, isObject, type MutationKind, mutationKinds } from '@servicekit/core'
import type { Problem } from './problem.ts'

/** Normalised field: every member is present and has its type. */
export interface NormalField {
  readonly name: string
  /** Name of a scalar or of a nested object's schema; empty if the listing has none. */
  readonly type: string
  readonly isArray: boolean
  readonly requiredOn: RequiredOn
  readonly description: string
  /** Fields of a nested object that is defined inline. */
  readonly fields: readonly NormalField[]
  /** Known values of an enum. */
  readonly values?: readonly string[]
}

export type RequiredOn = 'None' | 'Insert' | 'Update' | 'Both'

/** Listed mutation. */
export interface NormalMutation {
  /** Name as given. */
  readonly name: string
  /** Undefined if the listing contains only the name. */
  readonly kind: MutationKind | undefined
}

/** Normalised schema: every member is present and has its type. */
export interface NormalSchema {
  readonly name: string
  /** `object` (schemaType 2) only defines a nested type without operations. */
  readonly kind: 'entity' | 'object'
  /** Name of the list query as given; undefined if the listing has none. */
  readonly query: string | undefined
  /** Mutations in their original order. */
  readonly mutations: readonly NormalMutation[]
  readonly fields: readonly NormalField[]
}

export interface NormalListing {
  readonly schemas: readonly NormalSchema[]
  readonly problems: readonly Problem[]
}

const requirements: ReadonlyMap<string, RequiredOn> = new Map([
  ['none', 'None'],
  ['insert', 'Insert'],
  ['update', 'Update'],
  ['both', 'Both'],
])

/**
 * Maximum depth of nested fields. Deeper ones are omitted, so that a hostile listing
 * cannot overflow the stack.
 */
const deepest = 24

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
    const message = 'found no list of schemas in data.items or items'
    problems.push({ severity: 'error', code: 'NOT_A_LISTING', schema: '', message })
    return { schemas: [], problems }
  }
  const schemas = new Map<string, NormalSchema>()
  for (const [index, item] of items.entries()) {
    const schema = normaliseSchema(item, index, problems)
    if (schema === undefined) continue
    const first = schemas.get(schema.name)
    if (first !== undefined) {
      const difference = differenceOf(first, schema)
      const message = difference
        ? `entry ${index + 1} of the listing contradicts an earlier entry of the same name: ${difference}`
        : 'is listed more than once; the first entry is used'
      const severity = difference ? 'error' : 'info'
      problems.push({ severity, code: 'DUPLICATE_SCHEMA', schema: schema.name, message })
      continue
    }
    schemas.set(schema.name, schema)
  }
  if (schemas.size === 0) {
    const message = 'the listing contains no schemas'
    problems.push({ severity: 'warning', code: 'EMPTY_LISTING', schema: '', message })
  }
  return { schemas: [...schemas.values()], problems }
}

function normaliseSchema(
  raw: unknown,
  index: number,
  problems: Problem[],
): NormalSchema | undefined {
  const name = isObject(raw) ? trimmedText(raw['schemaName']) : undefined
  if (!isObject(raw) || name === undefined) {
    const message = `entry ${index + 1} of the listing has no schemaName and was skipped`
    problems.push({ severity: 'warning', code: 'SCHEMA_INVALID', schema: '', message })
    return undefined
  }
  return {
    name,
    kind: normaliseKind(raw['schemaType'], name, problems),
    query: nameOf(raw['querySchema']),
    mutations: normaliseMutations(raw['mutationSchemas'], name, problems),
    fields: normaliseFields(raw['fields'], name, problems),
  }
}

/** Returns the first difference between two entries; undefined if they are equal. */
function differenceOf(first: NormalSchema, second: NormalSchema): string | undefined {
  for (const name of ['kind', 'query', 'mutations'] as const) {
    const [was, is] = [JSON.stringify(first[name]), JSON.stringify(second[name])]
    if (was !== is) return `${name} ${was} and ${is}`
  }
  const fields = new Map(second.fields.map((field) => [field.name, field]))
  for (const field of first.fields) {
    const other = fields.get(field.name)
    if (other === undefined) return `field ${field.name} is missing`
    const [was, is] = [JSON.stringify(field), JSON.stringify(other)]
    if (was !== is) return `field ${field.name} is ${was} and ${is}`
  }
  const known = new Set(first.fields.map(({ name }) => name))
  const added = second.fields.find(({ name }) => !known.has(name))
  return added && `field ${added.name} is new`
}

function normaliseKind(raw: unknown, schema: string, problems: Problem[]): NormalSchema['kind'] {
  const code = raw === undefined || raw === null ? 1 : Number(raw)
  if (code === 1 || code === 2) return code === 1 ? 'entity' : 'object'
  const message = `schemaType ${JSON.stringify(raw)} is unknown; treated as an entity`
  problems.push({ severity: 'warning', code: 'SCHEMA_TYPE_UNKNOWN', schema, message })
  return 'entity'
}

function normaliseMutations(
  raw: unknown,
  schema: string,
  problems: Problem[],
): readonly NormalMutation[] {
  if (raw === undefined || raw === null) return []
  const entries: readonly unknown[] = Array.isArray(raw) ? raw : [raw]
  const mutations = entries.flatMap((entry) => {
    const name = nameOf(entry)
    const kind = isObject(entry) ? entry['kind'] : undefined
    return name === undefined ? [] : { name, kind: mutationKinds.find((one) => one === kind) }
  })
  if (mutations.length < entries.length) {
    const message = 'an entry of mutationSchemas has no name and was skipped'
    problems.push({ severity: 'warning', code: 'SCHEMA_INVALID', schema, message })
  }
  return mutations
}

/** Both `"insertProduct"` and `{"name": "insertProduct"}` occur. */
function nameOf(raw: unknown): string | undefined {
  return isObject(raw) ? trimmedText(raw['name']) : trimmedText(raw)
}

/**
 * Returns the schemas of a listing from `data.items`, `items`, `data` or the value
 * itself.
 */
function itemsOf(listing: unknown): readonly unknown[] | undefined {
  if (Array.isArray(listing)) return listing
  if (!isObject(listing)) return undefined
  const { data, items } = listing
  if (Array.isArray(items)) return items
  if (Array.isArray(data)) return data
  return isObject(data) && Array.isArray(data['items']) ? data['items'] : undefined
}

/** Reads the `fields` of a schema or field. Invalid entries are omitted. */
function normaliseFields(
  raw: unknown,
  schema: string,
  problems: Problem[],
  depth = 0,
): readonly NormalField[] {
  const report = (message: string): void =>
    void problems.push({ severity: 'warning', code: 'FIELD_INVALID', schema, message })
  if (raw === undefined || raw === null) return []
  if (!Array.isArray(raw)) {
    report('fields is not a list and was skipped')
    return []
  }
  if (depth > deepest && raw.length > 0) {
    report(`fields nested deeper than ${deepest} levels were skipped`)
    return []
  }
  return raw.flatMap((entry: unknown, index) => {
    const field = normaliseField(entry, schema, problems, depth)
    if (field === undefined) report(`field ${index + 1} has no name and was skipped`)
    return field ?? []
  })
}

function normaliseField(
  raw: unknown,
  schema: string,
  problems: Problem[],
  depth: number,
): NormalField | undefined {
  // Hand-written listings contain bare strings, which can only be names.
  const entry = isObject(raw) ? raw : { name: raw }
  const name = trimmedText(entry['name'])
  if (name === undefined) return undefined
  const { type, isList } = splitType(trimmedText(entry['type']) ?? '')
  const required = trimmedText(entry['requiredOn'])?.toLowerCase()
  const requiredOn = required === undefined ? 'None' : requirements.get(required)
  if (requiredOn === undefined) {
    const message = `requiredOn ${JSON.stringify(entry['requiredOn'])} is unknown; treated as None`
    problems.push({ severity: 'info', code: 'REQUIRED_ON_UNKNOWN', schema, field: name, message })
  }
  const given: readonly unknown[] = Array.isArray(entry['values']) ? entry['values'] : []
  const values = given.filter((value) => typeof value === 'string' && isGraphqlName(value))
  return {
    name,
    type,
    isArray: isList || entry['isArray'] === true,
    requiredOn: requiredOn ?? 'None',
    description: trimmedText(entry['description']) ?? '',
    fields: normaliseFields(entry['fields'], schema, problems, depth + 1),
    ...(values.length > 0 && { values: values as readonly string[] }),
  }
}

/** GraphQL notation is supported too: `[String!]!` is a list of String. */
function splitType(text: string): { readonly type: string; readonly isList: boolean } {
  if (!/[[!]/.test(text)) return { type: text, isList: false }
  const bare = text.replaceAll('!', '')
  const list = /^\[(.*)\]$/.exec(bare)
  return list === null
    ? { type: bare, isList: false }
    : { type: (list[1] ?? '').trim(), isList: true }
}

/** Returns a trimmed string; undefined if the value is not a string or is empty. */
export function trimmedText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}
