import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql'
import QuickLRU from 'quick-lru'
import type { ResolvedOptions } from '../options.ts'
import type { GatewaySchema } from './build-schema.ts'
import { type Needs, selectionNeeds } from './document-access.ts'
import { checkLimits } from './document-limits.ts'
import { validationError } from './gateway-error.ts'
import { operationsOf } from './selection.ts'

/** Document ready to be executed, or its errors. */
export type ReadDocument =
  | {
      readonly document: DocumentNode
      readonly schema: GraphQLSchema
      /** Access levels that the document requires, apart from those of its arguments. */
      readonly needs: Needs
    }
  | { readonly errors: readonly GraphQLError[] }

/** Number of cached documents of a project, and the maximum length of each in characters. */
const maxCached = 200
const maxCachedLength = 10_000

/**
 * Maximum number of lines for which errors have locations. GraphQL computes each location
 * by counting lines from the start.
 */
const maxLinesWithLocations = 500

type Limits = ResolvedOptions['gateway']

/**
 * Returns a function that parses, limits and validates documents. Results are cached,
 * because an application sends the same few documents repeatedly.
 */
export function documentReader(
  schema: GatewaySchema,
  limits: Limits,
): (query: string) => ReadDocument {
  const cache = new QuickLRU<string, ReadDocument>({ maxSize: maxCached })
  return (query) => {
    const cached = cache.get(query)
    if (cached) return cached
    const read = readDocument(schema, query, limits)
    if (query.length <= maxCachedLength) cache.set(query, read)
    return read
  }
}

function readDocument(schema: GatewaySchema, query: string, limits: Limits): ReadDocument {
  try {
    const noLocation =
      query.split(/[\n\r]/, maxLinesWithLocations + 1).length > maxLinesWithLocations
    const document = parse(query, { maxTokens: limits.maxTokens, noLocation })
    checkLimits(document, limits)
    const part = partFor(schema, document)
    if (part && check(part, document).length === 0) return valid(schema, part, document)
    // Only the whole schema can suggest names outside of the part.
    const errors = check(schema.whole(), document)
    return errors.length > 0 ? { errors } : valid(schema, schema.whole(), document)
  } catch (error) {
    // The parser is recursive, so a deeply nested document may overflow the stack.
    if (error instanceof RangeError) {
      return { errors: [validationError('The query nests too deeply.')] }
    }
    if (error instanceof GraphQLError) return { errors: [error] }
    throw error
  }
}

const check = (schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] =>
  validate(schema, document, specifiedRules, { maxErrors: 20 })

const valid = (
  { roots }: GatewaySchema,
  schema: GraphQLSchema,
  document: DocumentNode,
): ReadDocument => ({ document, schema, needs: selectionNeeds(document, roots) })

/** Returns the part of the schema that a document needs, if that is not the whole. */
function partFor(schema: GatewaySchema, document: DocumentNode): GraphQLSchema | undefined {
  // The names of all fields, at any depth, include those of the root fields.
  const names = new Set<string>()
  visit(document, { Field: ({ name }) => void names.add(name.value) })
  if (names.has('__schema') || names.has('__type')) return undefined
  const part = schema.partOf(names)
  const hasRoots = operationsOf(document).every(({ operation }) => part.getRootType(operation))
  return hasRoots ? part : undefined
}
