import { type Change, diffModels } from './diff.ts'
import { isRequired, isRequiredOnUpdate, isUpdated } from './emit/types.ts'
import { buildModel, type SchemaModel } from './model.ts'
import type { FieldModel } from './model-field.ts'
import { normaliseListing } from './normalise.ts'

/** Change with the generated names that it affects. */
export interface ListingChange extends Change {
  /**
   * Types and functions that applications import now, and that no longer exist or accept other
   * fields; empty unless the change is breaking.
   */
  readonly names: readonly string[]
}

/**
 * Returns the changes from one listing to another, as `servicekit codegen --check` reports them.
 * Imports nothing of Node, because the web console runs it in browsers.
 */
export function compareListings(before: unknown, after: unknown): readonly ListingChange[] {
  const old = buildModel(normaliseListing(before))
  const next = buildModel(normaliseListing(after))
  const find = (schemas: readonly SchemaModel[], name: string) =>
    schemas.find((schema) => schema.name === name)
  return diffModels(old, next).changes.map((change) => {
    const schema = find(old.schemas, change.schema)
    const isListed = change.kind === 'breaking' && schema !== undefined
    const names = isListed ? namesIn(schema, find(next.schemas, change.schema), change) : []
    return { ...change, names: [...new Set(names)] }
  })
}

function namesIn(
  schema: SchemaModel,
  next: SchemaModel | undefined,
  { field, operation }: Change,
): readonly string[] {
  const { type, list, mutations } = schema
  const lists = list ? [list.identifier, list.get, list.count, list.walk] : []
  if (operation === 'list') return lists
  if (operation !== undefined) return [mutations[operation]!.identifier]
  const functions = (...kinds: readonly (keyof typeof mutations)[]): readonly string[] =>
    kinds.flatMap((kind) => mutations[kind]?.identifier ?? [])
  const inserts = [`${type}InsertInput`, ...functions('insert', 'insertMany')]
  const updates = [
    ...(isUpdated(schema) ? [`${type}UpdateInput`] : []),
    ...functions('update', 'updateMany'),
  ]
  const all = [type, ...lists, ...inserts, ...updates, ...functions('delete', 'deleteMany')]
  const is = next?.fields.find(({ name }) => name === field)
  if (field === undefined || is === undefined) return all
  const was = schema.fields.find(({ name }) => name === field)
  if (was && typeOf(was) !== typeOf(is)) return all
  return [
    ...(isRequired(is) && !(was && isRequired(was)) ? inserts : []),
    ...(isRequiredOnUpdate(is) && !(was && isRequiredOnUpdate(was)) ? updates : []),
  ]
}

const typeOf = ({ scalar, object, type, isArray }: FieldModel): string =>
  `${object?.type ?? scalar?.name ?? type} ${isArray}`
