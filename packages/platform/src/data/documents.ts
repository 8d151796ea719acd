import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { lru } from '../common/lru.ts'
import type { ExecutableSchema } from './build-schema.ts'
import { documentAccess } from './document-access.ts'
import { validationError } from './gateway-error.ts'
import type { ResolvedOptions } from '../options.ts'
import { inspectDocument } from './inspect-document.ts'

/**
 * Document ready to be executed, or its errors, which are computed on demand because they
 * need the whole schema.
 */
export type ReadDocument =
  | {
      readonly document: DocumentNode
      readonly schema: GraphQLSchema
      readonly needsOf: ReturnType<typeof documentAccess>
    }
  | { readonly errors: () => readonly GraphQLError[] }

/**
 * Capacity of one project's document cache in characters, and the size counted for the
 * schema of each document.
 */
const capacity = 2_000_000
const schemaSize = 1000

/**
 * Maximum number of lines for which errors have locations. GraphQL computes each location
 * by counting lines from the start.
 */
const maxLinesWithLocations = 500

type Limits = ResolvedOptions['gateway']

/**
 * Returns a function that parses, limits and validates documents. Validation uses only
 * the part of the schema that a document references. Results are cached, because an
 * application sends the same few documents repeatedly.
 */
export function documentReader(
  schema: ExecutableSchema,
  limits: Limits,
): (query: string) => ReadDocument {
  const cache = lru<{ readonly size: number; readonly read: ReadDocument }>(
    capacity,
    ({ size }) => size,
  )
  return (query) => {
    const known = cache.get(query)
    if (known) return known.read
    const read = readDocument(schema, query, limits)
    cache.set(query, { size: query.length + schemaSize, read })
    return read
  }
}

function readDocument(executable: ExecutableSchema, query: string, limits: Limits): ReadDocument {
  try {
    const noLocation =
      query.split(/[\n\r]/, maxLinesWithLocations + 1).length > maxLinesWithLocations
    const document = parse(query, { maxTokens: limits.maxTokens, noLocation })
    const roots = inspectDocument(document, limits)
    const check = (schema: GraphQLSchema) =>
      validate(schema, document, specifiedRules, { maxErrors: 20 })
    const valid = (schema: GraphQLSchema): ReadDocument => ({
      document,
      schema,
      needsOf: documentAccess(document, executable.model),
    })
    if (roots.needsWholeSchema) {
      const schema = executable.whole()
      const errors = check(schema)
      return errors.length === 0 ? valid(schema) : { errors: () => errors }
    }
    const schema = executable.of(roots.queries, roots.mutations)
    const errors = schema && check(schema)
    if (schema && errors?.length === 0) return valid(schema)
    // Only the whole schema can suggest names outside of this part.
    let told: readonly GraphQLError[] | undefined
    return { errors: () => (told ??= withSome(check(executable.whole()), errors)) }
  } catch (error) {
    // The parser is recursive, so a deeply nested document may overflow the stack.
    if (error instanceof RangeError) {
      return { errors: () => [validationError('The query nests too deep.')] }
    }
    if (error instanceof GraphQLError) return { errors: () => [error] }
    throw error
  }
}

const withSome = (
  told: readonly GraphQLError[],
  others: readonly GraphQLError[] = [],
): readonly GraphQLError[] =>
  told.length + others.length === 0
    ? [validationError('The document does not fit the schema.')]
    : told.length > 0
      ? told
      : others
