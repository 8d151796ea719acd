import { toInstant } from '@servicekit/core'
import {
  buildSchema,
  type GraphQLFieldResolver,
  type GraphQLScalarType,
  type GraphQLSchema,
  valueFromASTUntyped,
} from 'graphql'
import { emitSdl } from '../emit/sdl.ts'
import type { Model } from '../model.ts'
import { validationError } from './validation-error.ts'

/** Resolvers of root fields by name. */
export type Resolvers = Readonly<Record<string, (args: never) => unknown>>

/** Creates the executable schema of a model, in which each root field has its resolver. */
export function executableSchema(model: Model, resolvers: Resolvers): GraphQLSchema {
  const schema = buildSchema(emitSdl(model))
  setParser(schema, 'DateTime', readDateTime)
  setParser(schema, 'Long', readLong)
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      const resolve = resolvers[field.name]
      if (resolve) field.resolve = (_, args) => resolve(args as never)
    }
  }
  return schema
}

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

function setParser(
  schema: GraphQLSchema,
  name: string,
  parse: (value: unknown) => string | number,
): void {
  const type = schema.getType(name) as GraphQLScalarType
  type.parseValue = parse
  type.parseLiteral = (node, variables) => parse(valueFromASTUntyped(node, variables))
}

const show = (value: unknown): string => JSON.stringify(value) ?? String(value)

function readDateTime(value: unknown): string {
  const instant = typeof value === 'string' ? toInstant(value) : undefined
  if (instant === undefined) throw validationError(`DateTime cannot be ${show(value)}.`)
  return instant
}

function readLong(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number
  throw validationError(`Long cannot be ${show(value)}: it must be whole and below 2^53.`)
}
