import type { FieldNode, GraphQLResolveInfo } from 'graphql'
import { charactersPerUnit, costs, type Spend } from './cost.ts'
import { fieldsOf, type Fragments, responseName } from './selection.ts'
import { memberOf } from './system-fields.ts'

/** Selected field of a result, with its nested selection if it has one. */
interface Selected {
  readonly name: string
  readonly fields: readonly Selected[] | undefined
}

/** Charges the rows of a list: one unit for each field to resolve, and more for long strings. */
export function spendRows(
  rows: readonly unknown[],
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  spend: Spend,
): void {
  for (const { name, fields } of selectedFields(fieldNodes, fragments, spend)) {
    if (name !== 'items' || !fields) continue
    for (const row of rows) spendFields(row, fields, spend)
  }
}

function spendFields(value: unknown, fields: readonly Selected[], spend: Spend): void {
  for (const { name, fields: inner } of fields) {
    const member = memberOf(value, name)
    spend(costs.field + (inner ? 0 : textLength(member) / charactersPerUnit.row))
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
  fragments: Fragments,
  spend: Spend,
): readonly Selected[] {
  const merged = new Map<string, FieldNode[]>()
  for (const { selectionSet } of nodes) {
    for (const field of fieldsOf(selectionSet, fragments, () => spend(costs.selection))) {
      const name = responseName(field)
      merged.set(name, [...(merged.get(name) ?? []), field])
    }
  }
  return [...merged.values()].map((group) => ({
    name: group[0]!.name.value,
    fields: group[0]!.selectionSet && selectedFields(group, fragments, spend),
  }))
}
