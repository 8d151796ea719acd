import { validationError } from './gateway-error.ts'

/** How deep the values of variables may nest. */
const maxDepth = 64

/**
 * A copy of a request's variables in which objects have no prototype: GraphQL
 * reads the members that a type names, and a field may be called `constructor`.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for values that nest too deep.
 */
export function readVariables(
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return bare(variables, maxDepth) as Readonly<Record<string, unknown>>
}

function bare(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) throw validationError(`Variables nest deeper than ${maxDepth}.`)
  if (Array.isArray(value)) return value.map((one) => bare(one, depth - 1))
  const copy = Object.create(null) as Record<string, unknown>
  for (const [name, part] of Object.entries(value)) copy[name] = bare(part, depth - 1)
  return copy
}
