import { validationError } from './gateway-error.ts'

/** How deep the values of variables may nest. */
const maxDepth = 64

/** Cost of an object: coercing it looks up every field of its type. */
const objectCost = 5
/** Characters that allow one more value, so that the limit grows with what a request holds. */
const charactersPerValue = 20

/** Variables as GraphQL may read them, and what reading them costs. */
export interface ReadVariables {
  readonly values: Readonly<Record<string, unknown>>
  readonly cost: number
}

/**
 * Copies a request's variables into objects without a prototype: GraphQL reads the members
 * that a type names, and a field may be called `constructor`.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for values that nest too deep, or cost too much.
 */
export function readVariables(
  variables: Readonly<Record<string, unknown>>,
  maxCost: number,
): ReadVariables {
  let cost = 0
  const add = (more: number): void => {
    cost += more
    if (cost > maxCost) throw validationError('The variables hold too many values.')
  }
  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') add(1 - value.length / charactersPerValue)
    else add(typeof value === 'object' && !Array.isArray(value) ? objectCost : 1)
    if (typeof value !== 'object' || value === null) return value
    if (depth === 0) throw validationError(`Variables nest deeper than ${maxDepth}.`)
    if (Array.isArray(value)) return value.map((one) => copy(one, depth - 1))
    const bare = Object.create(null) as Record<string, unknown>
    for (const [name, part] of Object.entries(value)) {
      add(-name.length / charactersPerValue)
      bare[name] = copy(part, depth - 1)
    }
    return bare
  }
  const values = copy(variables, maxDepth) as Readonly<Record<string, unknown>>
  return { values, cost: Math.max(0, cost) }
}
