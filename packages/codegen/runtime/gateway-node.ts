/**
 * GraphQL document as a syntax tree, typed with its result and variables: the
 * TypedDocumentNode of other tools.
 */
export interface GatewayDocumentNode<D, V> {
  readonly kind: any
  readonly definitions: readonly any[]
  readonly __apiType?: (variables: V) => D
}

const name: any = (value: string) => ({ kind: 'Name', value })
const named: any = (type: string) => ({ kind: 'NamedType', name: name(type) })
const required: any = (type: any) => ({ kind: 'NonNullType', type })
const listOf: any = (type: any) => ({ kind: 'ListType', type })
const variable: any = (of: string) => ({ kind: 'Variable', name: name(of) })

const field: any = (of: string, args: readonly string[], members?: readonly any[]) => ({
  kind: 'Field',
  name: name(of),
  arguments: args.map((one) => ({ kind: 'Argument', name: name(one), value: variable(one) })),
  directives: [],
  ...(members && { selectionSet: { kind: 'SelectionSet', selections: members } }),
})

const document: any = (operation: string, variables: any, root: any) => ({
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation,
      // Shown by Apollo Client and urql's devtools.
      name: name(root.name.value),
      variableDefinitions: (Object as any).entries(variables).map(([of, type]: any) => ({
        kind: 'VariableDefinition',
        variable: variable(of),
        type,
        directives: [],
      })),
      directives: [],
      selectionSet: { kind: 'SelectionSet', selections: [root] },
    },
  ],
})

const fieldsOf: any = (names: string) =>
  names
    .trim()
    .split(' ')
    .map((one) => field(one, []))

/** @internal */
export const listNode: any = (of: string, schema: string, fields: string) =>
  document(
    'query',
    {
      where: named(`${schema}FilterInput`),
      order: listOf(required(named('DynamicSortInput'))),
      paging: named('PaginationInput'),
    },
    field(
      of,
      ['where', 'order', 'paging'],
      [
        field('items', [], fieldsOf(`ItemId ${fields}`)),
        ...fieldsOf('totalCount pageNo pageSize totalPages hasNextPage hasPreviousPage'),
      ],
    ),
  )

const one = 'acknowledged itemId totalImpactedData message'
const many = 'acknowledged totalImpactedData message itemIds'

/** @internal */
export const insertNode: any = (of: string, schema: string) =>
  document(
    'mutation',
    { input: required(named(`${schema}InsertInput`)) },
    field(of, ['input'], fieldsOf(one)),
  )

/** @internal */
export const insertManyNode: any = (of: string, schema: string) =>
  document(
    'mutation',
    { input: required(listOf(required(named(`${schema}InsertInput`)))) },
    field(of, ['input'], fieldsOf(many)),
  )

/** @internal */
export const changeNode: any = (of: string, schema: string, kind: string, isMany?: boolean) =>
  document(
    'mutation',
    {
      where: required(named(`${schema}FilterInput`)),
      input: required(named(`${schema}${kind}Input`)),
    },
    field(of, ['where', 'input'], fieldsOf(isMany ? many : one)),
  )
