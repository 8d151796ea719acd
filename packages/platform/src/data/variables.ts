import { validationError } from './gateway-error.ts'

const maxDepth = 64

/** Cost of an object: coercion looks up every field of its type. */
const objectCost = 5
/**
 * Number of characters that offset the cost of one value, so that the limit grows with
 * the size of the request.
 */
const charactersPerValue = 20

/**
 * Copies a request's variables into objects without a prototype, because GraphQL reads members by
 * field name, and a field may be called `constructor`. Also returns the cost of reading them.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for values that are nested too deeply, or cost too much.
 */
export function readVariables(variables: Readonly<Record<string, unknown>>, maxCost: number) {
  let cost = 0
  const add = (more: number): void => {
    cost += more
    if (cost > maxCost) throw validationError('The variables have too many values.')
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
