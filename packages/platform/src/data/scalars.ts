import { printExactJson } from '@servicekit/core/exact-json'
import {
  GraphQLBoolean,
  GraphQLError,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLScalarType,
  GraphQLString,
  Kind,
  valueFromASTUntyped,
} from 'graphql'
import { validationError } from './gateway-error.ts'
import { toInstant } from '@servicekit/core'

/** Returns a value as JSON; it may contain bigints. */
const show = (value: unknown): string => (value === undefined ? 'undefined' : printExactJson(value))

/** Instant, stored as UTC with milliseconds. */
export const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'An instant such as 2025-03-19T06:00:00.000Z. Kept in UTC with milliseconds.',
  parseValue: (value) => {
    const instant = typeof value === 'string' ? toInstant(value) : undefined
    if (instant === undefined) throw validationError(`DateTime cannot be ${show(value)}.`)
    return instant
  },
  serialize: (value) => {
    if (typeof value === 'string') return value
    throw new GraphQLError(`A stored DateTime is ${show(value)}.`)
  },
})

/** Integer of 64 bits: a number up to 2^53 - 1, and a bigint beyond, which JSON prints in digits. */
export const Long = new GraphQLScalarType<number | bigint, number | bigint>({
  name: 'Long',
  description: 'A whole number of 64 bits: between -2^63 and 2^63 - 1.',
  parseValue: toLong,
  parseLiteral: (node) => {
    if (node.kind === Kind.INT) return toLong(BigInt(node.value))
    throw validationError('Long must be a whole number.', node)
  },
  serialize: toLong,
})

function toLong(value: unknown): number | bigint {
  if (isLong(value)) return Number.isSafeInteger(Number(value)) ? Number(value) : value
  throw validationError(`Long cannot be ${show(value)}: it must be an integer of 64 bits.`)
}

/** True for an integer of 64 bits. A number beyond 2^53 - 1 may have been rounded, so it is none. */
export const isLong = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value)

/** Scalars whose values may be bigints. All others are numbers, which JSON has in one form only. */
const exact: ReadonlySet<string> = new Set(['Long', 'GeoJson', 'JSON'])

/** Returns the value of a scalar, in which only a Long or untyped JSON keeps its bigints. */
export function narrow(value: unknown, scalar: string): unknown {
  if (exact.has(scalar)) return value
  if (Array.isArray(value)) return value.map((one) => narrow(one, scalar))
  return typeof value === 'bigint' ? Number(value) : value
}

const untyped = (name: string, description: string): GraphQLScalarType =>
  new GraphQLScalarType({
    name,
    description,
    parseValue: (value) => value,
    parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
    serialize: (value) => value,
  })

export const GeoJson = untyped('GeoJson', 'A GeoJSON geometry.')
/** Scalar for types that no schema of the project describes. */
export const Json = untyped('JSON', 'Any JSON value.')

/** Scalar, with how its values are compared; undefined if the gateway offers no conditions. */
interface Scalar {
  readonly type: GraphQLScalarType
  readonly comparison: 'text' | 'number' | 'boolean' | 'instant' | undefined
}

export const scalars: ReadonlyMap<string, Scalar> = new Map([
  ['String', { type: GraphQLString, comparison: 'text' }],
  ['ID', { type: GraphQLID, comparison: 'text' }],
  ['Int', { type: GraphQLInt, comparison: 'number' }],
  ['Float', { type: GraphQLFloat, comparison: 'number' }],
  ['Long', { type: Long, comparison: 'number' }],
  ['Boolean', { type: GraphQLBoolean, comparison: 'boolean' }],
  ['DateTime', { type: DateTime, comparison: 'instant' }],
  ['GeoJson', { type: GeoJson, comparison: undefined }],
] as const)
