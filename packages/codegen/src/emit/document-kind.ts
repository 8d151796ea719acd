import type { FeatureOptions } from './features.ts'
import type { Collectors } from './source.ts'

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
  operation: 'list' | 'insert' | 'insertMany' | 'change',
  { types, uses }: Collectors,
): DocumentKind {
  if (documents === 'string') {
    uses.add('gateway-documents', `${operation}Document`)
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
