import { bulkResultFields, pageFields, resultFields } from './gateway-documents.js'
import type { GatewayAny } from './gateway-types.js'

/** Node of a syntax tree, as graphql-js has it. */
interface SyntaxNode {
  readonly kind: string
  readonly [member: string]: unknown
}

/**
 * GraphQL document as a syntax tree, typed with its result and variables: the
 * TypedDocumentNode of other tools.
 */
export interface GatewayDocumentNode<D, V> {
  // The types of graphql-js, which this code does not import: `Kind.DOCUMENT` and its definitions.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly kind: any
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly definitions: readonly any[]
  readonly __apiType?: (variables: V) => D
}

const nameNode = (value: string): SyntaxNode => ({ kind: 'Name', value })
const namedType = (type: string): SyntaxNode => ({ kind: 'NamedType', name: nameNode(type) })
const required = (type: SyntaxNode): SyntaxNode => ({ kind: 'NonNullType', type })
const listType = (type: SyntaxNode): SyntaxNode => ({ kind: 'ListType', type })
const variable = (name: string): SyntaxNode => ({ kind: 'Variable', name: nameNode(name) })

function fieldNode(
  name: string,
  args: readonly string[],
  members?: readonly SyntaxNode[],
): SyntaxNode {
  return {
    kind: 'Field',
    name: nameNode(name),
    arguments: args.map((arg) => ({
      kind: 'Argument',
      name: nameNode(arg),
      value: variable(arg),
    })),
    directives: [],
    ...(members && { selectionSet: { kind: 'SelectionSet', selections: members } }),
  }
}

const fieldNodes = (names: string): readonly SyntaxNode[] =>
  names
    .trim()
    .split(' ')
    .map((name) => fieldNode(name, []))

/** Document whose root field has the variables as arguments. */
function documentNode(
  operation: 'query' | 'mutation',
  field: string,
  variables: Readonly<Record<string, SyntaxNode>>,
  members: readonly SyntaxNode[],
): GatewayDocumentNode<unknown, unknown> {
  const root = fieldNode(field, Object.keys(variables), members)
  return {
    kind: 'Document',
    definitions: [
      {
        kind: 'OperationDefinition',
        operation,
        // Shown by Apollo Client and urql's devtools.
        name: nameNode(field),
        variableDefinitions: Object.entries(variables).map(([name, type]) => ({
          kind: 'VariableDefinition',
          variable: variable(name),
          type,
          directives: [],
        })),
        directives: [],
        selectionSet: { kind: 'SelectionSet', selections: [root] },
      },
    ],
  }
}

/** @internal */
export function listNode(
  field: string,
  schema: string,
  fields: string,
): GatewayDocumentNode<GatewayAny, GatewayAny> {
  const variables = {
    where: namedType(`${schema}FilterInput`),
    order: listType(required(namedType('DynamicSortInput'))),
    paging: namedType('PaginationInput'),
  }
  const items = fieldNode('items', [], fieldNodes(`ItemId ${fields}`))
  return documentNode('query', field, variables, [items, ...fieldNodes(pageFields)])
}

/** @internal */
export function insertNode(
  field: string,
  schema: string,
): GatewayDocumentNode<GatewayAny, GatewayAny> {
  const input = required(namedType(`${schema}InsertInput`))
  return documentNode('mutation', field, { input }, fieldNodes(resultFields))
}

/** @internal */
export function insertManyNode(
  field: string,
  schema: string,
): GatewayDocumentNode<GatewayAny, GatewayAny> {
  const input = required(listType(required(namedType(`${schema}InsertInput`))))
  return documentNode('mutation', field, { input }, fieldNodes(bulkResultFields))
}

/** @internal */
export function changeNode(
  field: string,
  schema: string,
  kind: 'Update' | 'Delete',
  isMany?: boolean,
): GatewayDocumentNode<GatewayAny, GatewayAny> {
  const variables = {
    where: required(namedType(`${schema}FilterInput`)),
    input: required(namedType(`${schema}${kind}Input`)),
  }
  const fields = isMany ? bulkResultFields : resultFields
  return documentNode('mutation', field, variables, fieldNodes(fields))
}
