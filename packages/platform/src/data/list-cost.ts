import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'
import { memberOf } from './record-member.ts'

/** Adds to the cost of the request. @throws GraphQLError if the request costs too much. */
export type Spend = (cost: number) => void

/** Selected field of a result, with its nested selection if it has one. */
interface Selected {
  readonly name: string
  readonly fields: readonly Selected[] | undefined
}

/** Number of characters that cost as much as one field, to serialize, compress and send. */
const charactersPerUnit = 100

type Selection = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>

/**
 * Charges the rows of a list: one unit for each field to resolve, and more for long
 * strings.
 */
export function spendRows(rows: readonly unknown[], selection: Selection, spend: Spend): void {
  for (const { name, fields } of selectedFields(selection.fieldNodes, selection, spend)) {
    if (name !== 'items' || !fields) continue
    for (const row of rows) spendFields(row, fields, spend)
  }
}

function spendFields(value: unknown, fields: readonly Selected[], spend: Spend): void {
  for (const { name, fields: inner } of fields) {
    const member = memberOf(value, name)
    spend(1 + (inner ? 0 : textLength(member) / charactersPerUnit))
    if (!inner) continue
    for (const one of Array.isArray(member) ? member : [member]) {
      if (one !== null && one !== undefined) spendFields(one, inner, spend)
    }
  }
}

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, one) => sum + 10 + textLength(one), 0)
}

/** Merges selections as execution does: one entry for each response name. */
function selectedFields(
  nodes: readonly FieldNode[],
  { fragments }: Selection,
  spend: Spend,
): readonly Selected[] {
  const grouped = new Map<string, FieldNode[]>()
  const seen = new Set<string>()
  const collect = (set: SelectionSetNode | undefined): void => {
    for (const one of set?.selections ?? []) {
      spend(0.1)
      if (one.kind === Kind.INLINE_FRAGMENT) collect(one.selectionSet)
      else if (one.kind === Kind.FIELD) {
        const key = one.alias?.value ?? one.name.value
        const group = grouped.get(key)
        if (group) group.push(one)
        else grouped.set(key, [one])
      } else if (!seen.has(one.name.value)) {
        seen.add(one.name.value)
        collect(fragments[one.name.value]?.selectionSet)
      }
    }
  }
  for (const { selectionSet } of nodes) collect(selectionSet)
  return [...grouped.values()].map((group) => ({
    name: group[0]!.name.value,
    fields:
      group[0]!.selectionSet && selectedFields(group, { fieldNodes: group, fragments }, spend),
  }))
}
