import { isObject } from '@servicekit/core'
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type TypeNode,
} from 'graphql'
import { costs, type Spend } from './cost.ts'
import { validationError } from './gateway-error.ts'
import { narrow } from './scalars.ts'

const maxDepth = 64

/**
 * Number of characters that offset the cost of one value, so that the limit grows with
 * the size of the request.
 */
const charactersPerValue = 20

/**
 * Copies a request's variables into objects without a prototype, because GraphQL reads members by
 * field name, and a field may be called `constructor`.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for values that are nested too deeply, or cost too much.
 */
export function readVariables(
  variables: Readonly<Record<string, unknown>>,
  spend: Spend,
): Readonly<Record<string, unknown>> {
  let cost = 0
  const add = (more: number): void => {
    cost += more
    spend(more)
  }
  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') add(costs.value - value.length / charactersPerValue)
    else add(typeof value === 'object' && !Array.isArray(value) ? costs.object : costs.value)
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
  // Long texts pay for values, not for what the request does with them.
  if (cost < 0) spend(-cost)
  return values
}

/**
 * Returns variables in which only values of type Long and untyped JSON are bigints, because the
 * other scalars of GraphQL accept numbers alone.
 */
export function narrowVariables(
  variables: Readonly<Record<string, unknown>>,
  { variableDefinitions = [] }: OperationDefinitionNode,
  schema: GraphQLSchema,
): Readonly<Record<string, unknown>> {
  const types = new Map(
    variableDefinitions.map(({ variable, type }) => [variable.name.value, type] as const),
  )
  return membersOf(variables, (name) => inputType(schema, types.get(name)))
}

// The overloads of the function have no case for any kind of type.
const inputType = (schema: GraphQLSchema, node: TypeNode | undefined) =>
  node && (typeFromAST(schema, node as never) as GraphQLInputType | undefined)

/** Returns a value of a type, in which only those of type Long and untyped JSON are bigints. */
export function narrowValue(value: unknown, type: GraphQLInputType | undefined): unknown {
  if (type === undefined) return value
  if (isNonNullType(type)) return narrowValue(value, type.ofType)
  if (isListType(type)) {
    return Array.isArray(value)
      ? value.map((one) => narrowValue(one, type.ofType))
      : narrowValue(value, type.ofType)
  }
  if (!isInputObjectType(type)) return narrow(value, type.name)
  if (!isObject(value)) return value
  const fields = type.getFields()
  return membersOf(value, (name) => (Object.hasOwn(fields, name) ? fields[name]!.type : undefined))
}

function membersOf(
  value: Readonly<Record<string, unknown>>,
  typeOf: (name: string) => GraphQLInputType | undefined,
): Readonly<Record<string, unknown>> {
  const members = Object.create(null) as Record<string, unknown>
  for (const name of Object.keys(value)) members[name] = narrowValue(value[name], typeOf(name))
  return members
}
