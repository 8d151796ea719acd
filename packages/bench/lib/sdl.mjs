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
type BulkActionResponse { acknowledged: Boolean! totalImpactedData: Long! message: String itemIds: [String!]! }
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

/**
 * Arguments and selected fields of a mutation.
 *
 * @param {string} kind as `insertMany`
 * @param {string} name
 */
function mutationOf(kind, name) {
  const isMany = kind.endsWith('Many')
  const verb = kind.replace('Many', '')
  const input = `${name}${verb[0]?.toUpperCase()}${verb.slice(1)}Input`
  return {
    args:
      verb === 'insert'
        ? { input: isMany ? `[${input}!]` : input }
        : { where: `${name}FilterInput`, input },
    result: isMany ? 'BulkActionResponse' : 'ActionResponse',
    fields: isMany
      ? 'acknowledged totalImpactedData message itemIds'
      : 'acknowledged itemId totalImpactedData message',
  }
}

/**
 * @param {readonly Schema[]} schemas
 * @param {readonly string[]} [kinds] of mutations
 */
export function printSdl(schemas, kinds = ['insert']) {
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
      `input ${name}UpdateInput {\n${fields
        .filter((one) => one.name !== 'ItemId')
        .map((one) => `  ${one.name}: ${typeOf(one, 'InsertInput')}\n`)
        .join('')}}`,
      `input ${name}DeleteInput { isHardDelete: Boolean! }`,
      `input ${name}FilterInput {\n${filtered.map((one) => `  ${one.name}: ${filters[one.type]}\n`).join('')}  or: [${name}FilterInput]\n  and: [${name}FilterInput]\n}`,
    ].join('\n')
  })
  const queries = entitiesOf(schemas).map(
    ({ schemaName, querySchema }) =>
      `  ${querySchema}(where: ${schemaName}FilterInput, order: [DynamicSortInput!], paging: PaginationInput): ${schemaName}Result\n`,
  )
  const mutations = entitiesOf(schemas).flatMap(({ schemaName }) =>
    kinds.map((kind) => {
      const { args, result } = mutationOf(kind, schemaName)
      const list = Object.entries(args).map(([arg, type]) => `${arg}: ${type}`)
      return `  ${kind}${schemaName}(${list.join(', ')}): ${result}\n`
    }),
  )
  return `${head}${types.join('\n')}\ntype Query {\n${queries.join('')}}\ntype Mutation {\n${mutations.join('')}}\n`
}

/**
 * Prints one list of all scalars, and mutations, for each entity.
 *
 * @param {readonly Schema[]} schemas
 * @param {readonly string[]} [kinds] of mutations
 */
export function printOperations(schemas, kinds = ['insert']) {
  return entitiesOf(schemas)
    .map(({ schemaName: name, querySchema, fields }) => {
      const scalars = fields.filter(({ type }) => type in filters).map((one) => one.name)
      return `query List${querySchema}($where: ${name}FilterInput, $order: [DynamicSortInput!], $paging: PaginationInput) {
  ${querySchema}(where: $where, order: $order, paging: $paging) {
    items { ${scalars.join(' ')} }
    totalCount pageNo pageSize totalPages hasNextPage hasPreviousPage
  }
}
${kinds.map((kind) => printMutation(kind, name)).join('')}`
    })
    .join('')
}

/** @param {string} kind @param {string} name */
function printMutation(kind, name) {
  const { args, fields } = mutationOf(kind, name)
  const variables = Object.entries(args).map(([arg, type]) => `$${arg}: ${type}!`)
  const passed = Object.keys(args).map((arg) => `${arg}: $${arg}`)
  return `mutation ${kind[0]?.toUpperCase()}${kind.slice(1)}${name}(${variables.join(', ')}) {
  ${kind}${name}(${passed.join(', ')}) { ${fields} }
}
`
}
