import { entitiesOf } from './schemas.mjs'

/**
 * Executable schema of an instance and the operations on it, as users of a GraphQL
 * generator have them.
 *
 * @typedef {import('./schemas.mjs').Schema} Schema
 * @typedef {import('./schemas.mjs').Field} Field
 */

const head = `scalar DateTime
scalar Long
enum SortDirection { ASC DESC }
input DynamicSortInput { field: String! direction: SortDirection }
input PaginationInput { pageNo: Int pageSize: Int }
input StringOperationFilterInput { eq: String neq: String contains: String startsWith: String endsWith: String in: [String] }
input IntOperationFilterInput { eq: Int neq: Int gt: Int gte: Int lt: Int lte: Int in: [Int] }
input NumberOperationFilterInput { eq: Float neq: Float gt: Float gte: Float lt: Float lte: Float in: [Float] }
input DateTimeOperationFilterInput { eq: DateTime neq: DateTime gt: DateTime gte: DateTime lt: DateTime lte: DateTime in: [DateTime] }
input BooleanOperationFilterInput { eq: Boolean neq: Boolean }
type ActionResponse { acknowledged: Boolean! itemId: String totalImpactedData: Long! message: String }
`
/** @type {Readonly<Record<string, string>>} */
const filters = {
  String: 'StringOperationFilterInput',
  Int: 'IntOperationFilterInput',
  Float: 'NumberOperationFilterInput',
  DateTime: 'DateTimeOperationFilterInput',
  Boolean: 'BooleanOperationFilterInput',
}

/** @param {Field} field @param {string} [suffix] of nested types, as `InsertInput` */
function typeOf({ type, isArray }, suffix = '') {
  const name = type in filters ? type : type + suffix
  return isArray ? `[${name}]` : name
}

/** @param {readonly Schema[]} schemas */
export function printSdl(schemas) {
  const types = schemas.map(({ schemaName: name, schemaType, fields }) => {
    const lines = [
      `type ${name} {\n${fields.map((one) => `  ${one.name}: ${typeOf(one)}\n`).join('')}}`,
      `input ${name}InsertInput {\n${fields.map((one) => `  ${one.name}: ${typeOf(one, 'InsertInput')}\n`).join('')}}`,
    ]
    if (schemaType === 2) return lines.join('\n')
    const filtered = fields.filter(({ type, isArray }) => type in filters && !isArray)
    return [
      ...lines,
      `type ${name}Result { items: [${name}!]! totalCount: Int! pageNo: Int! pageSize: Int! totalPages: Int! hasNextPage: Boolean! hasPreviousPage: Boolean! }`,
      `input ${name}FilterInput {\n${filtered.map((one) => `  ${one.name}: ${filters[one.type]}\n`).join('')}  or: [${name}FilterInput]\n  and: [${name}FilterInput]\n}`,
    ].join('\n')
  })
  const queries = entitiesOf(schemas).map(
    ({ schemaName, querySchema }) =>
      `  ${querySchema}(where: ${schemaName}FilterInput, order: [DynamicSortInput!], paging: PaginationInput): ${schemaName}Result\n`,
  )
  const mutations = entitiesOf(schemas).map(
    ({ schemaName }) => `  insert${schemaName}(input: ${schemaName}InsertInput): ActionResponse\n`,
  )
  return `${head}${types.join('\n')}\ntype Query {\n${queries.join('')}}\ntype Mutation {\n${mutations.join('')}}\n`
}

/**
 * Prints one list of all scalars and one insert for each entity.
 *
 * @param {readonly Schema[]} schemas
 */
export function printOperations(schemas) {
  return entitiesOf(schemas)
    .map(({ schemaName: name, querySchema, fields }) => {
      const scalars = fields.filter(({ type }) => type in filters).map((one) => one.name)
      return `query List${querySchema}($where: ${name}FilterInput, $order: [DynamicSortInput!], $paging: PaginationInput) {
  ${querySchema}(where: $where, order: $order, paging: $paging) {
    items { ${scalars.join(' ')} }
    totalCount pageNo pageSize totalPages hasNextPage hasPreviousPage
  }
}
mutation Insert${name}($input: ${name}InsertInput!) {
  insert${name}(input: $input) { acknowledged itemId totalImpactedData message }
}
`
    })
    .join('')
}
