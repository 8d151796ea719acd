import { type DocumentNode, GraphQLError, parse, specifiedRules, validate } from 'graphql'
import QuickLRU from 'quick-lru'
import type { ResolvedOptions } from '../options.ts'
import type { GatewaySchema } from './build-schema.ts'
import { type Needs, selectionNeeds } from './document-access.ts'
import { checkLimits } from './document-limits.ts'
import { validationError } from './gateway-error.ts'

/** Document ready to be executed, or its errors. */
export type ReadDocument =
  | {
      readonly document: DocumentNode
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

function readDocument(gateway: GatewaySchema, query: string, limits: Limits): ReadDocument {
  try {
    const noLocation =
      query.split(/[\n\r]/, maxLinesWithLocations + 1).length > maxLinesWithLocations
    const document = parse(query, { maxTokens: limits.maxTokens, noLocation })
    checkLimits(document, limits)
    const errors = validate(gateway.schema, document, specifiedRules, { maxErrors: 20 })
    return errors.length > 0 ? { errors } : { document, needs: selectionNeeds(document, gateway) }
  } catch (error) {
    // The parser is recursive, so a deeply nested document may overflow the stack.
    if (error instanceof RangeError) {
      return { errors: [validationError('The query nests too deeply.')] }
    }
    if (error instanceof GraphQLError) return { errors: [error] }
    throw error
  }
}
