import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

/** Fragments of a document by name, without a prototype. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>

export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = Object.create(null) as Record<string, FragmentDefinitionNode>
  for (const one of definitions) {
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments[one.name.value] = one
  }
  return fragments
}

export const operationsOf = ({ definitions }: DocumentNode): readonly OperationDefinitionNode[] =>
  definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)

/**
 * Returns the fields of a selection, including those of fragments. Visits each fragment once.
 *
 * @param onVisit called for each visited selection.
 */
export function fieldsOf(
  set: SelectionSetNode | undefined,
  fragments: Fragments,
  onVisit?: () => void,
): readonly FieldNode[] {
  const fields: FieldNode[] = []
  const seen = new Set<string>()
  const collect = (part: SelectionSetNode | undefined): void => {
    for (const one of part?.selections ?? []) {
      onVisit?.()
      if (one.kind === Kind.FIELD) fields.push(one)
      else if (one.kind === Kind.INLINE_FRAGMENT) collect(one.selectionSet)
      else if (!seen.has(one.name.value)) {
        seen.add(one.name.value)
        collect(fragments[one.name.value]?.selectionSet)
      }
    }
  }
  collect(set)
  return fields
}

export const responseName = ({ alias, name }: FieldNode): string => (alias ?? name).value
