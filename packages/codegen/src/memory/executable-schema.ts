import { toInstant } from '@servicekit/core'
import {
  type DocumentNode,
  extendSchema,
  type GraphQLFieldResolver,
  GraphQLScalarType,
  GraphQLSchema,
  Kind,
  parse,
  print,
} from 'graphql'
import { emitSdl } from '../emit/sdl.ts'
import type { Model } from '../model.ts'
import { toLong } from './longs.ts'
import { validationError } from './validation-error.ts'

/** Resolvers of root fields by name. */
export type Resolvers = Readonly<Record<string, (args: never) => unknown>>

/** Creates the executable schema of a model, in which each root field has its resolver. */
export function executableSchema(model: Model, resolvers: Resolvers): GraphQLSchema {
  // Scalars are complete before the schema exists: from graphql 17 on, a schema ignores a
  // `parseValue` that is assigned later.
  const scalars = new GraphQLSchema({ types: [dateTime, long], assumeValid: true })
  const sdl = emitSdl(model)
  const mutation = sdl.includes('\ntype Mutation {') ? 'mutation: Mutation' : ''
  const document = parse(`${sdl}\nextend schema { query: Query ${mutation} }`)
  const schema = extendSchema(scalars, withoutScalars(document), { assumeValidSDL: true })
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      const resolve = resolvers[field.name]
      if (resolve) field.resolve = (_, args) => resolve(args as never)
    }
  }
  return schema
}

/** Removes the definitions of the scalars that are given. */
const withoutScalars = (document: DocumentNode): DocumentNode => ({
  ...document,
  definitions: document.definitions.filter(
    (one) =>
      !(one.kind === Kind.SCALAR_TYPE_DEFINITION && /^(?:DateTime|Long)$/.test(one.name.value)),
  ),
})

/** Reads own members only, because a field may be called `constructor`. */
export const readMember: GraphQLFieldResolver<unknown, unknown> = (
  source,
  _args,
  _,
  { fieldName },
) =>
  Object.hasOwn(source as object, fieldName)
    ? (source as Readonly<Record<string, unknown>>)[fieldName]
    : undefined

const show = (value: unknown): string =>
  (typeof value === 'bigint' ? undefined : JSON.stringify(value)) ?? String(value)

function readDateTime(value: unknown): string {
  const instant = typeof value === 'string' ? toInstant(value) : undefined
  if (instant === undefined) throw validationError(`DateTime cannot be ${show(value)}.`)
  return instant
}

function readLong(value: unknown): number | bigint {
  const long = toLong(value)
  if (long === undefined) throw notLong(show(value))
  return long
}

const notLong = (text: string): Error =>
  validationError(`Long cannot be ${text}: it must be an integer of 64 bits.`)

const dateTime = new GraphQLScalarType({ name: 'DateTime', parseValue: readDateTime })
const long = new GraphQLScalarType({
  name: 'Long',
  parseValue: readLong,
  parseLiteral: (node) => {
    if (node.kind === Kind.INT) return readLong(BigInt(node.value))
    throw notLong(print(node))
  },
})
