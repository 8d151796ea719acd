import { type DocumentNode, Kind, OperationTypeNode, type SelectionSetNode } from 'graphql'

/** Root fields that the operations of a document name. */
export interface RootFields {
  readonly queries: readonly string[]
  readonly mutations: readonly string[]
}

/**
 * The root fields of a document, or undefined where it asks for the schema itself, or
 * has operations of a kind that there is not.
 */
export function rootFieldsOf({ definitions }: DocumentNode): RootFields | undefined {
  const found = { query: new Set<string>(), mutation: new Set<string>() }
  const fragments = new Map(
    definitions
      .filter((one) => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((one) => [one.name.value, one.selectionSet]),
  )
  const collect = (
    set: SelectionSetNode | undefined,
    names: Set<string>,
    open: readonly string[],
  ): void => {
    for (const one of set?.selections ?? []) {
      if (one.kind === Kind.FIELD) names.add(one.name.value)
      else if (one.kind === Kind.INLINE_FRAGMENT) collect(one.selectionSet, names, open)
      else if (!open.includes(one.name.value)) {
        collect(fragments.get(one.name.value), names, [...open, one.name.value])
      }
    }
  }
  for (const one of definitions) {
    if (one.kind !== Kind.OPERATION_DEFINITION) continue
    if (one.operation === OperationTypeNode.SUBSCRIPTION) return undefined
    collect(one.selectionSet, found[one.operation], [])
  }
  const asksForSchema = [...found.query, ...found.mutation].some(
    (name) => name === '__schema' || name === '__type',
  )
  // A part of the schema without mutations has no type of that name.
  const asksForType = found.mutation.size === 1 && found.mutation.has('__typename')
  return asksForSchema || asksForType
    ? undefined
    : { queries: [...found.query], mutations: [...found.mutation] }
}
