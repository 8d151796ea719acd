import { type FieldNode, GraphQLError, type GraphQLResolveInfo } from 'graphql'
import { fieldsOf, type Fragments, responseName } from './selection.ts'
import { memberOf } from './system-fields.ts'

/**
 * Costs of a request to the data gateway. One unit is a field of a row: what it takes to resolve,
 * serialize and send it.
 */
export const costs = {
  list: 100,
  row: 3,
  field: 1,
  /** Selection that is visited to find the fields of rows. */
  selection: 0.1,
  mutation: 300,
  /** Record to check and write, without its values. */
  record: 5,
  /** Condition of `where`, member of `or` and `and`, and value of a list that is compared with. */
  condition: 10,
  group: 2,
  operand: 0.5,
  /** Value of a `filter`, before its condition, and operand of a list in it. */
  filterValue: 3,
  filterOperand: 1,
  /** Variable: coercion looks up every field of an object's type. */
  value: 1,
  object: 5,
} as const

/** Numbers of characters that cost one unit. */
export const charactersPerUnit = {
  /** Text in a row, which is compressed and sent. */
  row: 100,
  /** JSON of a filter, which is parsed. */
  filter: 50,
} as const

/** Adds to the cost of a request. @throws CostError if the request costs too much. */
export type Spend = (cost: number) => void

/** Thrown for a request that costs too much, also where other errors of its arguments are skipped. */
export class CostError extends GraphQLError {
  constructor(maxCost: number) {
    super(
      `The request costs more than ${maxCost}. Select fewer rows or fields, or raise gateway.maxCost.`,
      { extensions: { code: 'VALIDATION_ERROR' } },
    )
  }
}

/** Returns the function that adds up the whole cost of one request. */
export function budget(maxCost: number): Spend {
  let cost = 0
  return (more) => {
    cost += more
    if (cost > maxCost) throw new CostError(maxCost)
  }
}

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
