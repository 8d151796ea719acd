import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { lru } from '../common/lru.ts'
import { validationError } from './gateway-error.ts'
import type { ResolvedOptions } from '../options.ts'
import { limitAliases, limitDepth, limitRoots } from './limit-rules.ts'

/** A document that can be executed, or why not. */
export type ReadDocument =
  | { readonly document: DocumentNode }
  | { readonly errors: readonly GraphQLError[] }

/** Characters of documents that one project's cache keeps. */
const capacity = 2_000_000

/**
 * Reads documents for one schema. What was parsed and validated once is kept:
 * an application sends the same few documents again and again.
 */
export function documentReader(
  schema: GraphQLSchema,
  { maxDepth, maxAliases, maxTokens }: ResolvedOptions['gateway'],
): (query: string) => ReadDocument {
  const cache = lru<{ readonly size: number; readonly read: ReadDocument }>(
    capacity,
    ({ size }) => size,
  )
  const rules = [...specifiedRules, limitDepth(maxDepth), limitAliases(maxAliases), limitRoots]
  return (query) => {
    const known = cache.get(query)
    if (known) return known.read
    const read = readDocument(schema, query, rules, maxTokens)
    cache.set(query, { size: query.length + 1, read })
    return read
  }
}

function readDocument(
  schema: GraphQLSchema,
  query: string,
  rules: typeof specifiedRules,
  maxTokens: number,
): ReadDocument {
  try {
    const document = parse(query, { maxTokens })
    const errors = validate(schema, document, rules, { maxErrors: 20 })
    return errors.length > 0 ? { errors } : { document }
  } catch (error) {
    // Parsing recurses, so a document may nest deeper than the stack.
    if (error instanceof RangeError)
      return { errors: [validationError('The query nests too deep.')] }
    if (error instanceof GraphQLError) return { errors: [error] }
    throw error
  }
}
