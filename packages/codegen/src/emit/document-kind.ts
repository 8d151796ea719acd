import type { FeatureOptions } from './features.ts'
import type { Collectors } from './source.ts'

/** Files of the runtime that define the documents of operations as strings. */
const files = {
  list: 'gateway',
  insert: 'gateway',
  insertMany: 'gateway-mutations',
  change: 'gateway-mutations',
} as const

/**
 * Returns the type and factory of documents: strings, or syntax trees for clients that
 * require them.
 */
export function documentKind(
  documents: FeatureOptions['documents'],
  operation: keyof typeof files,
  { types, uses }: Collectors,
): { readonly type: string; readonly make: string } {
  const isNode = documents === 'node'
  const type = isNode ? 'GatewayDocumentNode' : 'GatewayDocument'
  const make = isNode ? `${operation}Node` : `${operation}Document`
  types.add(isNode ? 'gateway-node' : 'gateway', type)
  uses.add(isNode ? 'gateway-node' : files[operation], make)
  return { type, make }
}
