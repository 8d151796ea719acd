import { ConfigError } from '@servicekit/client'
import { isObject } from '@servicekit/core'
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
} from 'graphql'
import type { McpPackages } from '../optional-packages.ts'

/** Rows of a list without `paging` (section 4.5). */
const defaultPageSize = 10

/**
 * Checks that a document is a single query, and that its pages have no more rows together than
 * the limit.
 *
 * @throws ConfigError with the reason.
 */
export function readOnlyDocument(
  graphql: McpPackages['graphql'],
  {
    query,
    variables,
    maxRows,
  }: {
    readonly query: string
    readonly variables: Readonly<Record<string, unknown>>
    readonly maxRows: number
  },
): void {
  const document = parse(graphql, query)
  const operations = document.definitions.filter(
    (one): one is OperationDefinitionNode => one.kind === 'OperationDefinition',
  )
  const forbidden = operations.find(({ operation }) => operation !== 'query')
  if (forbidden) {
    throw new ConfigError(
      `A ${forbidden.operation} is not allowed: the gateway is read-only here`,
      {
        help: 'Send a query.',
      },
    )
  }
  const other = document.definitions.find(
    ({ kind }) => kind !== 'OperationDefinition' && kind !== 'FragmentDefinition',
  )
  if (other) throw new ConfigError(`The document contains a ${other.kind}, which cannot be run`)
  if (operations.length !== 1) {
    throw new ConfigError(`The document must contain one query (it contains ${operations.length})`)
  }
  const rows = countRows(graphql, document, operations[0]!, variables)
  if (rows <= maxRows) return
  throw new ConfigError(`The query may return ${rows} rows, and the limit is ${maxRows}`, {
    help: 'Read fewer rows with a smaller pageSize and a where, and further pages with pageNo.',
  })
}

function parse(graphql: McpPackages['graphql'], query: string): DocumentNode {
  try {
    return graphql.parse(query, { maxTokens: 5000 })
  } catch (error) {
    if (!(error instanceof Error && error.name === 'GraphQLError')) throw error
    const [location] =
      (error as { locations?: readonly { line: number; column: number }[] }).locations ?? []
    const at = location ? ` (line ${location.line}, column ${location.column})` : ''
    throw new ConfigError(`The query is not valid GraphQL: ${error.message}${at}`, { cause: error })
  }
}

/** Returns the number of rows that the lists of a query may return. */
function countRows(
  { valueFromASTUntyped }: McpPackages['graphql'],
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): number {
  const defaults = (operation.variableDefinitions ?? []).flatMap(
    ({ variable, defaultValue }): [string, unknown][] =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  )
  const variables = { ...Object.fromEntries(defaults), ...given }
  const rowsOf = (field: FieldNode): number => {
    // `paging`, and the older `input`: whichever the gateway reads, no more rows are returned.
    const sizes = (field.arguments ?? []).flatMap((argument) => {
      const value = valueFromASTUntyped(argument.value, variables)
      const pageSize = isObject(value) ? value['pageSize'] : undefined
      return pageSize === undefined || pageSize === null ? [] : [Number(pageSize)]
    })
    if (sizes.length === 0) return defaultPageSize
    // A value that is not a number is an error of the gateway.
    return Math.max(0, ...sizes.filter(Number.isFinite))
  }
  const fragments = document.definitions.filter(
    (one): one is FragmentDefinitionNode =>
      one.kind === 'FragmentDefinition' && one.typeCondition.name.value === 'Query',
  )
  return [operation, ...fragments]
    .flatMap(({ selectionSet }) => fieldsOf(selectionSet))
    .filter(({ name }) => !name.value.startsWith('__'))
    .reduce((sum, field) => sum + rowsOf(field), 0)
}

/** Returns the fields of a selection and of its inline fragments, not those below them. */
const fieldsOf = ({ selections }: OperationDefinitionNode['selectionSet']): readonly FieldNode[] =>
  selections.flatMap((one) =>
    one.kind === 'Field' ? [one] : one.kind === 'InlineFragment' ? fieldsOf(one.selectionSet) : [],
  )
