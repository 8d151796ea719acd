import { isObject } from '@servicekit/core'
import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  typeFromAST,
  type TypeNode,
} from 'graphql'
import type { Model, SchemaModel } from '../model.ts'
import type { FieldModel } from '../model-field.ts'
import type { MemoryRecord } from './conditions.ts'

/** Returns a number, or a bigint beyond 2^53 - 1; undefined if the value has not 64 bits. */
export function toLong(value: unknown): number | bigint | undefined {
  const isLong =
    typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value)
  if (!isLong) return undefined
  return Number.isSafeInteger(Number(value)) ? Number(value) : (value as bigint)
}

/** Returns a record whose Longs are numbers or bigints; generated code may have strings. */
export function withLongs(
  { fields }: SchemaModel,
  record: MemoryRecord,
  schemas: Model['schemas'],
): MemoryRecord {
  const read = (value: unknown, { scalar, object }: FieldModel): unknown => {
    if (scalar?.name === 'Long') {
      const isDigits = typeof value === 'string' && /^-?\d+$/.test(value)
      return toLong(isDigits ? BigInt(value) : value) ?? value
    }
    const nested = schemas.find(({ type }) => type === object?.type)
    return nested && isObject(value) ? withLongs(nested, value, schemas) : value
  }
  const copy: Record<string, unknown> = { ...record }
  for (const field of fields) {
    if (!Object.hasOwn(copy, field.name)) continue
    const value = copy[field.name]
    copy[field.name] = Array.isArray(value)
      ? value.map((item) => read(item, field))
      : read(value, field)
  }
  return copy
}

/** Scalars whose values may be bigints. The others of GraphQL accept numbers alone. */
const exact: ReadonlySet<string> = new Set(['Long', 'GeoJson'])

/** Returns variables in which only values of type Long and GeoJson are bigints. */
export function narrowVariables(
  variables: unknown,
  { definitions }: DocumentNode,
  schema: GraphQLSchema,
): Record<string, unknown> {
  const types = new Map(
    definitions.flatMap((one) =>
      one.kind === Kind.OPERATION_DEFINITION
        ? (one.variableDefinitions ?? []).map(
            ({ variable, type }) => [variable.name.value, type] as const,
          )
        : [],
    ),
  )
  // The overloads of the function have no case for any kind of type.
  const typeOf = (node: TypeNode | undefined) =>
    node && (typeFromAST(schema, node as never) as GraphQLInputType | undefined)
  return membersOf(variables, (name) => typeOf(types.get(name)))
}

function narrow(value: unknown, type: GraphQLInputType | undefined): unknown {
  if (type !== undefined && isNonNullType(type)) return narrow(value, type.ofType)
  if (Array.isArray(value)) {
    const item = type !== undefined && isListType(type) ? type.ofType : type
    return value.map((one) => narrow(one, item))
  }
  if (type !== undefined && isListType(type)) return narrow(value, type.ofType)
  if (isObject(value)) {
    const fields = type !== undefined && isInputObjectType(type) ? type.getFields() : {}
    return membersOf(value, (name) =>
      Object.hasOwn(fields, name) ? fields[name]!.type : undefined,
    )
  }
  const isNarrow = typeof value === 'bigint' && type !== undefined && !exact.has(type.toString())
  return isNarrow ? Number(value) : value
}

/** Without a prototype: GraphQL reads members by field name, and a field may be `constructor`. */
function membersOf(
  value: unknown,
  typeOf: (name: string) => GraphQLInputType | undefined,
): Record<string, unknown> {
  const members = Object.create(null) as Record<string, unknown>
  for (const [name, member] of Object.entries(value ?? {}))
    members[name] = narrow(member, typeOf(name))
  return members
}
