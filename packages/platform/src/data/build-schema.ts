import { memoize } from '@servicekit/core'
import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql'
import type { DataModel, FieldModel, MutationKind, TypeModel } from './model.ts'
import {
  type GatewayContext,
  type ListArguments,
  resolveList,
  resolveMutation,
} from './resolvers.ts'
import { DateTime, Json, Long, scalars } from './scalars.ts'

interface Mutation {
  readonly kind: MutationKind
  readonly type: TypeModel
}

/** GraphQL schema of a project, with the types that its root fields return. */
export interface GatewaySchema {
  readonly schema: GraphQLSchema
  readonly types: DataModel['types']
  readonly queries: ReadonlyMap<string, TypeModel>
  readonly mutations: ReadonlyMap<string, Mutation>
}

type Field = GraphQLFieldConfig<unknown, GatewayContext>
type ObjectType = GraphQLObjectType | GraphQLInputObjectType

/**
 * Creates the GraphQL schema of a model. All output and input fields are nullable: only
 * `requiredOn` makes a field required on insert or update.
 */
export function gatewaySchema({ types }: DataModel): GatewaySchema {
  /** Returns the GraphQL type of a field; `objectOf` creates those of nested objects. */
  const typeOf = <T extends ObjectType>(field: FieldModel, objectOf: (type: TypeModel) => T) => {
    const nested = field.object === undefined ? undefined : types.get(field.object)
    // GraphQL does not allow a type without fields.
    const object = nested && nested.fields.length > 0 ? objectOf(nested) : undefined
    const type: T | GraphQLScalarType = object ?? scalars.get(field.scalar ?? '')?.type ?? Json
    return field.isArray ? new GraphQLList(type) : type
  }
  const fieldsOf = <T extends ObjectType>(
    fields: readonly FieldModel[],
    objectOf: (type: TypeModel) => T,
  ) =>
    Object.fromEntries(
      fields.map((field) => {
        const type = typeOf(field, objectOf)
        const { name, description } = field
        return [name, description === '' ? { type } : { type, description }]
      }),
    )
  const itemType: (type: TypeModel) => GraphQLObjectType = memoize(
    ({ name, fields }) => new GraphQLObjectType({ name, fields: () => fieldsOf(fields, itemType) }),
  )
  const insertInput: (type: TypeModel) => GraphQLInputObjectType = memoize(
    ({ name, fields }) =>
      new GraphQLInputObjectType({
        name: `${name}InsertInput`,
        fields: () => fieldsOf(fields.filter(isInsertable), insertInput),
      }),
  )
  const updateInput = memoize(
    ({ name, fields }: TypeModel) =>
      new GraphQLInputObjectType({
        name: `${name}UpdateInput`,
        fields: () =>
          fieldsOf(
            fields.filter((field) => isInsertable(field) && field.name !== 'ItemId'),
            insertInput,
          ),
      }),
  )
  const filterInput = memoize(filterOf)
  const deleteInput = memoize(deleteInputOf)

  const queryField = (type: TypeModel): Field => ({
    type: resultOf(type, itemType(type)),
    args: {
      where: { type: filterInput(type) },
      order: { type: new GraphQLList(new GraphQLNonNull(DynamicSortInput)) },
      paging: { type: PaginationInput },
      input: { type: DynamicQueryInput },
    },
    resolve: (_, args, context, info) => resolveList(type, args as ListArguments, context, info),
  })
  const insertMany = (type: TypeModel) => new GraphQLList(new GraphQLNonNull(insertInput(type)))
  const inputs = {
    insert: insertInput,
    insertMany,
    update: updateInput,
    updateMany: updateInput,
    delete: deleteInput,
    deleteMany: deleteInput,
  }
  const argumentsOf = ({ kind, type }: Mutation) => {
    const input = { input: { type: inputs[kind](type) } }
    if (kind === 'insert' || kind === 'insertMany') return input
    return { filter: { type: GraphQLString }, where: { type: filterInput(type) }, ...input }
  }
  const mutationField = (mutation: Mutation): Field => ({
    type: ActionResponse,
    args: argumentsOf(mutation),
    resolve: (_, args, context) =>
      resolveMutation(mutation.kind, mutation.type, types, args, context),
  })

  const queries = new Map<string, TypeModel>()
  const mutations = new Map<string, Mutation>()
  for (const type of types.values()) {
    if (type.query !== undefined) queries.set(type.query, type)
    for (const [kind, name] of Object.entries(type.mutations)) {
      mutations.set(name, { kind: kind as MutationKind, type })
    }
  }
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      // A GraphQL type needs at least one field, and a project may have no schemas yet.
      fields:
        queries.size > 0 ? mapFields(queries, queryField) : { _gateway: { type: GraphQLBoolean } },
    }),
    mutation:
      mutations.size > 0
        ? new GraphQLObjectType({ name: 'Mutation', fields: mapFields(mutations, mutationField) })
        : null,
    // The model contains only valid, unique names; a test validates a schema.
    assumeValid: true,
  })
  return { schema, types, queries, mutations }
}

const mapFields = <T>(roots: ReadonlyMap<string, T>, fieldOf: (root: T) => Field) =>
  Object.fromEntries(Array.from(roots, ([name, root]) => [name, fieldOf(root)]))

const isInsertable = ({ system }: FieldModel): boolean => system?.isInsertable ?? true

const ActionResponse = new GraphQLObjectType({
  name: 'ActionResponse',
  fields: {
    acknowledged: { type: new GraphQLNonNull(GraphQLBoolean) },
    itemId: { type: GraphQLString },
    totalImpactedData: { type: new GraphQLNonNull(Long) },
    message: { type: GraphQLString },
  },
})

function resultOf({ name }: TypeModel, item: GraphQLObjectType): GraphQLObjectType {
  const int = { type: new GraphQLNonNull(GraphQLInt) }
  const flag = { type: new GraphQLNonNull(GraphQLBoolean) }
  return new GraphQLObjectType({
    name: `${name}Result`,
    fields: {
      items: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(item))) },
      totalCount: int,
      pageNo: int,
      pageSize: int,
      totalPages: int,
      hasNextPage: flag,
      hasPreviousPage: flag,
    },
  })
}

/**
 * Creates the delete input. All deletes are hard: a soft-deleted record would not be
 * found either.
 */
const deleteInputOf = ({ name }: TypeModel): GraphQLInputObjectType =>
  new GraphQLInputObjectType({
    name: `${name}DeleteInput`,
    fields: { isHardDelete: { type: new GraphQLNonNull(GraphQLBoolean) } },
  })

/**
 * Creates the filter input for the scalar fields. `or` and `and` combine conditions, so
 * fields with these names cannot be filtered.
 */
function filterOf({ name, fields }: TypeModel): GraphQLInputObjectType {
  const filter: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${name}FilterInput`,
    fields: () => ({
      ...Object.fromEntries(
        fields
          .filter(({ scalar, isArray }) => !isArray && filterTypes.has(scalar ?? ''))
          .map((field) => [field.name, { type: filterTypes.get(field.scalar!)! }]),
      ),
      or: { type: new GraphQLList(filter) },
      and: { type: new GraphQLList(filter) },
    }),
  })
  return filter
}

/** Pages count from 1. Either both members are given, or neither. */
const PaginationInput = new GraphQLInputObjectType({
  name: 'PaginationInput',
  fields: { pageNo: { type: GraphQLInt }, pageSize: { type: GraphQLInt } },
})

/**
 * Legacy arguments of a list, which front ends still send; filter and sort are JSON
 * strings.
 */
const DynamicQueryInput = new GraphQLInputObjectType({
  name: 'DynamicQueryInput',
  fields: {
    filter: { type: GraphQLString },
    sort: { type: GraphQLString },
    pageNo: { type: GraphQLInt },
    pageSize: { type: GraphQLInt },
  },
})

const SortDirection = new GraphQLEnumType({
  name: 'SortDirection',
  values: { ASC: {}, DESC: {} },
})

const DynamicSortInput = new GraphQLInputObjectType({
  name: 'DynamicSortInput',
  fields: {
    field: { type: new GraphQLNonNull(GraphQLString) },
    direction: { type: SortDirection },
  },
})

const conditions = (name: string, type: GraphQLScalarType, operators: readonly string[]) =>
  new GraphQLInputObjectType({
    name: `${name}OperationFilterInput`,
    fields: Object.fromEntries(
      operators.map((operator) => [
        operator,
        { type: operator === 'in' ? new GraphQLList(type) : type },
      ]),
    ),
  })

const equality = ['eq', 'neq']
const comparison = [...equality, 'gt', 'gte', 'lt', 'lte', 'in']
const textFilter = conditions('String', GraphQLString, [
  ...equality,
  'contains',
  'startsWith',
  'endsWith',
  'in',
])

/** Filter input types by scalar. Some scalars cannot be filtered. */
const filterTypes: ReadonlyMap<string, GraphQLInputObjectType> = new Map([
  ['String', textFilter],
  ['ID', textFilter],
  ['Int', conditions('Int', GraphQLInt, comparison)],
  ['Long', conditions('Long', Long, comparison)],
  ['Float', conditions('Number', GraphQLFloat, comparison)],
  ['DateTime', conditions('DateTime', DateTime, comparison)],
  ['Boolean', conditions('Boolean', GraphQLBoolean, equality)],
])
