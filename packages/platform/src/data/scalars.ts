import { toInstant } from '@servicekit/core'
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

const show = (value: unknown): string => JSON.stringify(value) ?? String(value)

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

/** Integer beyond 32 bits, within the range that JSON numbers represent exactly. */
export const Long = new GraphQLScalarType<number, number>({
  name: 'Long',
  description: 'A whole number between -(2^53 - 1) and 2^53 - 1.',
  parseValue: toLong,
  parseLiteral: (node) => {
    if (node.kind === Kind.INT) return toLong(Number(node.value))
    throw validationError('Long must be a whole number.', node)
  },
  serialize: toLong,
})

function toLong(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number
  throw validationError(`Long cannot be ${show(value)}: it must be whole and below 2^53.`)
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
