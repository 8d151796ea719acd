import type { MutationKind } from '@servicekit/core'
import { extendSchema, type GraphQLObjectType, GraphQLSchema, parse } from 'graphql'
import type { DataModel, FieldModel, TypeModel } from './model.ts'
import type { ListArguments } from './list-records.ts'
import { type GatewayContext, resolveList, resolveMutation } from './resolvers.ts'
import { DateTime, GeoJson, Json, Long, scalars } from './scalars.ts'

/** GraphQL schema of a project or a part of it, with the types that its root fields return. */
export type GatewaySchema = ReturnType<typeof gatewaySchema>

interface Mutation {
  readonly kind: MutationKind
  readonly type: TypeModel
}

/**
 * Creates the GraphQL schema of a model. All output and input fields are nullable: only
 * `requiredOn` makes a field required on insert or update.
 *
 * @param names Root fields of the schema; all of them by default. A project may have a
 * thousand schemas, and all together take most of a second.
 */
export function gatewaySchema({ types }: DataModel, names?: ReadonlySet<string>) {
  const queries = new Map<string, TypeModel>()
  const mutations = new Map<string, Mutation>()
  const reached = new Set(names ? [] : types.values())
  for (const type of types.values()) {
    for (const [kind, name] of [['query', type.query], ...Object.entries(type.mutations)]) {
      if (name === undefined || (names && !names.has(name))) continue
      reached.add(type)
      if (kind === 'query') queries.set(name, type)
      else mutations.set(name, { kind: kind as MutationKind, type })
    }
  }
  // Also visits the types that this loop adds.
  for (const { fields } of reached) {
    for (const { object } of fields) if (object !== undefined) reached.add(types.get(object)!)
  }
  const sdl = [
    commonTypes,
    ...Array.from(reached, (type) => typesOf(type, types)),
    // A GraphQL type needs at least one field, and a project may have no schemas yet.
    `type Query { ${Array.from(queries, queryField).join('\n') || '_gateway: Boolean'} }`,
    mutations.size > 0
      ? `type Mutation { ${Array.from(mutations, mutationField).join('\n')} }`
      : '',
  ].join('\n')
  // The model contains only valid, unique names; a test validates a schema.
  const assumeValid = { assumeValid: true }
  const base = new GraphQLSchema({ types: [DateTime, GeoJson, Json, Long], ...assumeValid })
  const all = extendSchema(base, parse(sdl, { noLocation: true }), assumeValid)
  // Without the types that no root field reaches.
  const query = all.getType('Query') as GraphQLObjectType
  const mutation = all.getType('Mutation') as GraphQLObjectType | undefined
  const schema = new GraphQLSchema({ query, mutation: mutation ?? null, ...assumeValid })

  for (const [name, type] of queries) {
    query.getFields()[name]!.resolve = (_, args, context: GatewayContext, info) =>
      resolveList(type, args as ListArguments, context, info)
  }
  for (const [name, { kind, type }] of mutations) {
    mutation!.getFields()[name]!.resolve = (_, args, context: GatewayContext) =>
      resolveMutation(kind, type, types, args, context)
  }
  return { schema, types, queries, mutations }
}

/** Types of every schema. Pages count from 1. Filters and sort orders may be JSON strings. */
const commonTypes = `
  type ActionResponse {
    acknowledged: Boolean!
    itemId: String
    totalImpactedData: Long!
    message: String
  }
  type BulkActionResponse {
    acknowledged: Boolean!
    itemId: String
    itemIds: [String!]!
    totalImpactedData: Long!
    message: String
  }
  input PaginationInput { pageNo: Int, pageSize: Int }
  input DynamicQueryInput { filter: String, sort: String, pageNo: Int, pageSize: Int }
  enum SortDirection { ASC, DESC }
  input DynamicSortInput { field: String!, direction: SortDirection }
  input StringOperationFilterInput {
    eq: String, neq: String, contains: String, startsWith: String, endsWith: String, in: [String]
  }
  input BooleanOperationFilterInput { eq: Boolean, neq: Boolean }
  ${['Int', 'Long', 'Float', 'DateTime']
    .map(
      (type) => `input ${type === 'Float' ? 'Number' : type}OperationFilterInput {
        eq: ${type}, neq: ${type}, gt: ${type}, gte: ${type}, lt: ${type}, lte: ${type}, in: [${type}]
      }`,
    )
    .join('\n')}
`

/** Scalars whose filter has the name of another type. */
const filterNames: Readonly<Record<string, string>> = { ID: 'String', Float: 'Number' }

/** Returns the definitions of the types that derive from a model. */
function typesOf({ name, fields, query, mutations }: TypeModel, types: DataModel['types']): string {
  const members = (all: readonly FieldModel[], suffix = ''): string =>
    all
      .map((field) => {
        const nested = types.get(field.object ?? '')
        // GraphQL does not allow a type without fields.
        const type = nested?.fields.length ? nested.name + suffix : (field.scalar ?? 'JSON')
        return `${describe(field)}${field.name}: ${field.isArray ? `[${type}]` : type}`
      })
      .join('\n')
  if (fields.length === 0) return ''
  const insertable = fields.filter(({ system }) => system?.isInsertable ?? true)
  const updatable = insertable.filter((field) => field.name !== 'ItemId')
  // `or` and `and` combine conditions, so fields with these names cannot be filtered.
  const filters = fields
    .filter((field) => !field.isArray && field.name !== 'or' && field.name !== 'and')
    .flatMap(({ name: member, scalar = '' }) =>
      scalars.get(scalar)?.comparison === undefined
        ? []
        : [`${member}: ${filterNames[scalar] ?? scalar}OperationFilterInput`],
    )
  const definitions = `
    type ${name} { ${members(fields)} }
    input ${name}InsertInput { ${members(insertable, 'InsertInput')} }`
  if (query === undefined && Object.keys(mutations).length === 0) return definitions
  // All deletes are hard: a soft-deleted record would not be found either.
  return `${definitions}
    input ${name}UpdateInput { ${members(updatable, 'InsertInput')} }
    input ${name}DeleteInput { isHardDelete: Boolean! }
    input ${name}FilterInput {
      ${filters.join('\n')}
      or: [${name}FilterInput]
      and: [${name}FilterInput]
    }
    type ${name}Result {
      items: [${name}!]!
      totalCount: Int!
      pageNo: Int!
      pageSize: Int!
      totalPages: Int!
      hasNextPage: Boolean!
      hasPreviousPage: Boolean!
    }`
}

/** Returns a description as a GraphQL string, which cannot contain half of a surrogate pair. */
const describe = ({ description }: FieldModel): string =>
  description === ''
    ? ''
    : `${JSON.stringify(description.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))} `

const queryField = ([name, type]: readonly [string, TypeModel]): string => `
  ${name}(
    where: ${type.name}FilterInput
    order: [DynamicSortInput!]
    paging: PaginationInput
    input: DynamicQueryInput
  ): ${type.name}Result`

function mutationField([name, { kind, type }]: readonly [string, Mutation]): string {
  const conditions = `filter: String, where: ${type.name}FilterInput,`
  const response = kind.endsWith('Many') ? 'BulkActionResponse' : 'ActionResponse'
  switch (kind) {
    case 'insert':
      return `${name}(input: ${type.name}InsertInput): ${response}`
    case 'insertMany':
      return `${name}(input: [${type.name}InsertInput!]): ${response}`
    case 'update':
    case 'updateMany':
      return `${name}(${conditions} input: ${type.name}UpdateInput): ${response}`
    default:
      return `${name}(${conditions} input: ${type.name}DeleteInput): ${response}`
  }
}
