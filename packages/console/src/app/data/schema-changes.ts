import type { DataSchema } from '@servicekit/client/data'
import type { SchemaField } from './relations.ts'
import type { SchemaDraft, SchemaListing } from './schema-catalog.ts'

/** Field, or other member of a schema, that differs between two versions. */
export interface Difference {
  readonly name: string
  /** Versions of the field; undefined for another member, and where the field is missing. */
  readonly isField: boolean
  readonly before: unknown
  readonly after: unknown
}

/** Names of the access levels of a schema and of a field. */
export const levelNames = [
  'readAccessLevel',
  'writeAccessLevel',
  'editAccessLevel',
  'deleteAccessLevel',
] as const

/** Returns a field with every member, because an absent one is the same as its default. */
const complete = (field: SchemaField): SchemaField => ({
  ...field,
  type: field.type ?? '',
  isArray: field.isArray ?? false,
  requiredOn: field.requiredOn ?? 'None',
  description: field.description ?? '',
  fields: field.fields?.map(complete) ?? [],
  ...Object.fromEntries(levelNames.map((name) => [name, field[name] ?? 0])),
})

/** Sorts members, so that equal values have equal texts. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  ) ?? ''

interface Part {
  readonly name: string
  readonly isField: boolean
  readonly value: unknown
  readonly text: string
}

/** Returns the parts that people edit independently: each field, and each other member. */
function partsOf(schema: DataSchema | null): ReadonlyMap<string, Part> {
  if (!schema) return new Map()
  const { fields, schemaName: _, ...others } = schema
  const levels = Object.fromEntries(levelNames.map((name) => [name, schema[name] ?? 0]))
  const members = Object.entries({ ...others, ...levels }).map(([name, value]): Part => ({
    name,
    isField: false,
    value,
    text: textOf(value),
  }))
  const own = (fields ?? []).map((field): Part => ({
    name: field.name,
    isField: true,
    value: field,
    text: textOf(complete(field)),
  }))
  return new Map([...members, ...own].map((part) => [`${part.isField} ${part.name}`, part]))
}

/** Returns what differs between two versions of a schema; null is none. */
export function differencesOf(
  before: DataSchema | null,
  after: DataSchema | null,
): readonly Difference[] {
  const [old, next] = [partsOf(before), partsOf(after)]
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key), next.get(key)]
    if (was?.text === is?.text) return []
    const { name, isField } = (is ?? was)!
    return [{ name, isField, before: was?.value, after: is?.value }]
  })
}

/** Versions of a schema that two people made of one. */
export interface Versions {
  readonly base: DataSchema | null
  readonly mine: DataSchema | null
  readonly theirs: DataSchema | null
}

/** Returns the parts that both changed, and not to the same; `before` is theirs, `after` mine. */
export function conflictsOf({ base, mine, theirs }: Versions): readonly Difference[] {
  const changed = (to: DataSchema | null) =>
    new Set(differencesOf(base, to).map(({ isField, name }) => `${isField} ${name}`))
  const [byMe, byThem] = [changed(mine), changed(theirs)]
  const isWhole = !mine || !theirs || !base
  return differencesOf(theirs, mine).filter(({ isField, name }) => {
    const key = `${isField} ${name}`
    return isWhole || (byMe.has(key) && byThem.has(key))
  })
}

/** Returns their version with my changes, apart from conflicts that they win. */
export function mergeSchemas(versions: Versions, winner: 'mine' | 'theirs'): DataSchema | null {
  const { base, mine, theirs } = versions
  const conflicts = conflictsOf(versions)
  if (!mine || !theirs || !base) return winner === 'mine' ? mine : theirs
  const lost = new Set(
    winner === 'mine' ? [] : conflicts.map((one) => `${one.isField} ${one.name}`),
  )
  const changes = differencesOf(base, mine).filter((one) => !lost.has(`${one.isField} ${one.name}`))
  const members: Record<string, unknown> = { ...theirs }
  const fields = new Map((theirs.fields ?? []).map((field) => [field.name, field]))
  for (const { name, isField, after } of changes) {
    if (!isField) members[name] = after
    else if (after === undefined) fields.delete(name)
    else fields.set(name, after as SchemaField)
  }
  return { ...members, schemaName: theirs.schemaName, fields: [...fields.values()] }
}

/** Returns the definition that a draft has; null for a removal. */
export const definitionOf = (draft: SchemaDraft): DataSchema | null =>
  'definition' in draft ? draft.definition : null

/** Returns the draft of a schema, otherwise the schema; null if there is none. */
export function currentOf(
  { schemas, drafts }: Pick<SchemaListing, 'schemas' | 'drafts'>,
  name: string,
): DataSchema | null {
  const draft = drafts.find(({ schemaName }) => schemaName === name)
  if (draft) return definitionOf(draft)
  return schemas.find(({ schemaName }) => schemaName === name) ?? null
}

/** Returns the schemas as they are after their drafts are published. */
export function withDrafts({
  schemas,
  drafts,
}: Pick<SchemaListing, 'schemas' | 'drafts'>): readonly DataSchema[] {
  const known = new Set(schemas.map(({ schemaName }) => schemaName))
  const added = drafts.filter(({ schemaName }) => !known.has(schemaName))
  return [...schemas, ...added].flatMap(
    ({ schemaName }) => currentOf({ schemas, drafts }, schemaName) ?? [],
  )
}
