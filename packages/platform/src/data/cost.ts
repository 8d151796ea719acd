import { GraphQLError } from 'graphql'

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
