import type { FeatureOptions } from './features.ts'
import type { Collectors } from './source.ts'

/** Files of the runtime that define the documents of operations as strings. */
const files = {
  list: 'gateway',
  insert: 'gateway',
  insertMany: 'gateway-mutations',
  change: 'gateway-mutations',
} as const

interface DocumentKind {
  /** Returns the type of a document with this data and these variables. */
  readonly typeOf: (data: string, variables: string) => string
  /** Function of the runtime that creates the document. */
  readonly make: string
}

/**
 * Returns the type and factory of documents: strings, or syntax trees for clients that
 * require them. The type of strings is written out, which takes no type instantiation.
 */
export function documentKind(
  documents: FeatureOptions['documents'],
  operation: keyof typeof files,
  { types, uses }: Collectors,
): DocumentKind {
  if (documents === 'string') {
    uses.add(files[operation], `${operation}Document`)
    return {
      typeOf: (data, variables) =>
        `string & {\n  readonly __apiType?: (variables: ${variables}) => ${data}\n}`,
      make: `${operation}Document`,
    }
  }
  types.add('gateway-node', 'GatewayDocumentNode')
  uses.add('gateway-node', `${operation}Node`)
  return {
    typeOf: (data, variables) => `GatewayDocumentNode<\n  ${data},\n  ${variables}\n>`,
    make: `${operation}Node`,
  }
}
