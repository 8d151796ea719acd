import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql'
import { DynamicQueryInput, DynamicSortInput, filterTypes, PaginationInput } from './input-types.ts'
import type { DataModel, FieldModel, MutationKind, TypeModel } from './model.ts'
import {
  type GatewayContext,
  type ListArguments,
  resolveList,
  resolveMutation,
} from './resolvers.ts'
import { Json, Long, scalars } from './scalars.ts'

/** Mutation of a type. */
interface Mutation {
  readonly kind: MutationKind
  readonly type: TypeModel
}

/** Root fields of a project's schema, with the types that they return. */
export interface RootFields {
  readonly types: DataModel['types']
  readonly queries: ReadonlyMap<string, TypeModel>
  readonly mutations: ReadonlyMap<string, Mutation>
}

/** GraphQL schema of a project. */
export interface GatewaySchema {
  readonly roots: RootFields
  /** Builds the whole schema on first use. */
  readonly whole: () => GraphQLSchema
  /**
   * Builds the part of the schema that these root fields reach. A project may have a
   * thousand schemas, and the whole takes half a second then.
   */
  readonly partOf: (names: ReadonlySet<string>) => GraphQLSchema
}

type Field = GraphQLFieldConfig<unknown, GatewayContext>
type ObjectType = GraphQLObjectType | GraphQLInputObjectType

/**
 * Creates the GraphQL schema of a model. All output and input fields are nullable: only
 * `requiredOn` makes a field required on insert or update.
 */
export function gatewaySchema({ types }: DataModel): GatewaySchema {
  const roots = rootFieldsOf(types)

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
  const itemType: (type: TypeModel) => GraphQLObjectType = memoized(
    ({ name, fields }) => new GraphQLObjectType({ name, fields: () => fieldsOf(fields, itemType) }),
  )
  const insertInput: (type: TypeModel) => GraphQLInputObjectType = memoized(
    ({ name, fields }) =>
      new GraphQLInputObjectType({
        name: `${name}InsertInput`,
        fields: () => fieldsOf(fields.filter(isInsertable), insertInput),
      }),
  )
  const updateInput = memoized(
    ({ name, fields }) =>
      new GraphQLInputObjectType({
        name: `${name}UpdateInput`,
        fields: () =>
          fieldsOf(
            fields.filter((field) => isInsertable(field) && field.name !== 'ItemId'),
            insertInput,
          ),
      }),
  )
  const resultType = memoized((type) => resultOf(type, itemType(type)))
  const filterInput = memoized(filterOf)
  const deleteInput = memoized(deleteInputOf)

  const queryField = (type: TypeModel): Field => ({
    type: resultType(type),
    args: {
      where: { type: filterInput(type) },
      order: { type: new GraphQLList(new GraphQLNonNull(DynamicSortInput)) },
      paging: { type: PaginationInput },
      input: { type: DynamicQueryInput },
    },
    resolve: (_, args, context, info) => resolveList(type, args as ListArguments, context, info),
  })
  const argumentsOf = ({ kind, type }: Mutation) => {
    const conditions = { filter: { type: GraphQLString }, where: { type: filterInput(type) } }
    switch (kind) {
      case 'insert':
        return { input: { type: insertInput(type) } }
      case 'insertMany':
        return { input: { type: new GraphQLList(new GraphQLNonNull(insertInput(type))) } }
      case 'update':
      case 'updateMany':
        return { ...conditions, input: { type: updateInput(type) } }
      default:
        return { ...conditions, input: { type: deleteInput(type) } }
    }
  }
  const mutationField = (mutation: Mutation): Field => ({
    type: ActionResponse,
    args: argumentsOf(mutation),
    resolve: (_, args, context) =>
      resolveMutation(mutation.kind, mutation.type, types, args, context),
  })

  const build = (isIncluded: (name: string) => boolean): GraphQLSchema => {
    const queries = rootConfig(roots.queries, isIncluded, queryField)
    const mutations = rootConfig(roots.mutations, isIncluded, mutationField)
    return new GraphQLSchema({
      query: new GraphQLObjectType({
        name: 'Query',
        // A GraphQL type needs at least one field, and a project may have no schemas yet.
        fields: roots.queries.size > 0 ? queries : { _gateway: { type: GraphQLBoolean } },
      }),
      ...(Object.keys(mutations).length > 0
        ? { mutation: new GraphQLObjectType({ name: 'Mutation', fields: mutations }) }
        : {}),
      // The model contains only valid, unique names; a test validates a whole schema.
      assumeValid: true,
    })
  }
  let whole: GraphQLSchema | undefined
  return {
    roots,
    whole: () => (whole ??= build(() => true)),
    partOf: (names) => build((name) => names.has(name)),
  }
}

/** Returns the query and mutation fields, in the order of their types. */
function rootFieldsOf(types: DataModel['types']): RootFields {
  const queries = new Map<string, TypeModel>()
  const mutations = new Map<string, Mutation>()
  for (const type of types.values()) {
    if (type.query !== undefined) queries.set(type.query, type)
    for (const [kind, name] of Object.entries(type.mutations)) {
      mutations.set(name, { kind: kind as MutationKind, type })
    }
  }
  return { types, queries, mutations }
}

const rootConfig = <T>(
  roots: ReadonlyMap<string, T>,
  isIncluded: (name: string) => boolean,
  fieldOf: (root: T) => Field,
): GraphQLFieldConfigMap<unknown, GatewayContext> =>
  Object.fromEntries(
    [...roots].flatMap(([name, root]) => (isIncluded(name) ? [[name, fieldOf(root)]] : [])),
  )

/** Creates the value for a type on first use and memoizes it. */
function memoized<T>(create: (type: TypeModel) => T): (type: TypeModel) => T {
  const values = new Map<string, T>()
  return (type) => {
    const value = values.get(type.name) ?? create(type)
    values.set(type.name, value)
    return value
  }
}

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
