import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql'
import type { AccessModel } from './document-access.ts'
import { DynamicQueryInput, DynamicSortInput, filterTypes, PaginationInput } from './input-types.ts'
import type { DataModel, FieldModel, MutationKind, TypeModel } from './model.ts'
import type { GatewayContext, ListArguments } from './resolvers.ts'
import { resolveList, resolveMutation } from './resolvers.ts'
import { Json, Long, scalars } from './scalars.ts'

type Fields = GraphQLFieldConfigMap<unknown, GatewayContext>

/** Executable schema of a project. Parts of it are built on demand. */
export interface ExecutableSchema {
  readonly model: AccessModel
  /** Returns the whole schema, for introspection. */
  readonly whole: () => GraphQLSchema
  /**
   * Returns the part of the schema that these root fields reach; undefined if one of them
   * does not exist.
   */
  readonly of: (
    queries: readonly string[],
    mutations: readonly string[],
  ) => GraphQLSchema | undefined
}

/**
 * Creates the executable schema of a model. All output and input fields are nullable:
 * only `requiredOn` makes a field required on insert or update.
 */
export function executableSchema({ types }: DataModel): ExecutableSchema {
  const roots = rootsOf(types)

  /** Returns a type by name. A type without fields is not valid in GraphQL. */
  const usable = (name: string): TypeModel | undefined => {
    const type = types.get(name)
    return type && type.fields.length > 0 ? type : undefined
  }
  const outputOf = (field: FieldModel): GraphQLOutputType => {
    const nested = field.object === undefined ? undefined : usable(field.object)
    const type = nested ? output(nested) : field.object === undefined ? scalarOf(field) : Json
    return field.isArray ? new GraphQLList(type) : type
  }
  const inputOf = (field: FieldModel): GraphQLInputType => {
    const nested = field.object === undefined ? undefined : usable(field.object)
    const type = nested ? input(nested) : field.object === undefined ? scalarOf(field) : Json
    return field.isArray ? new GraphQLList(type) : type
  }
  const output: (type: TypeModel) => GraphQLObjectType = memoized(
    (type) =>
      new GraphQLObjectType({
        name: type.name,
        fields: () =>
          Object.fromEntries(
            type.fields.map((field) => [field.name, described(field, outputOf(field))]),
          ),
      }),
  )
  const input: (type: TypeModel) => GraphQLInputObjectType = memoized(
    (type) =>
      new GraphQLInputObjectType({
        name: `${type.name}InsertInput`,
        fields: () =>
          Object.fromEntries(
            type.fields
              .filter(({ system }) => system?.isInsertable ?? true)
              .map((field) => [field.name, described(field, inputOf(field))]),
          ),
      }),
  )
  const filter = memoized(filterOf)
  const result = memoized((type) => resultOf(type, output(type)))
  const update = memoized((type) => updateOf(type, inputOf))
  const remove = memoized(deleteOf)

  const queryField = (type: TypeModel): Fields[string] => ({
    type: result(type),
    args: {
      where: { type: filter(type) },
      order: { type: new GraphQLList(new GraphQLNonNull(DynamicSortInput)) },
      paging: { type: PaginationInput },
      input: { type: DynamicQueryInput },
    },
    resolve: (_, args, context, info) => resolveList(type, args as ListArguments, context, info),
  })
  const argumentsOf = (type: TypeModel, kind: MutationKind): GraphQLFieldConfigArgumentMap => {
    const conditions = { filter: { type: GraphQLString }, where: { type: filter(type) } }
    switch (kind) {
      case 'insert':
        return { input: { type: input(type) } }
      case 'insertMany':
        return { input: { type: new GraphQLList(new GraphQLNonNull(input(type))) } }
      case 'update':
      case 'updateMany':
        return { ...conditions, input: { type: update(type) } }
      default:
        return { ...conditions, input: { type: remove(type) } }
    }
  }
  const mutationField = ([kind, type]: readonly [MutationKind, TypeModel]): Fields[string] => ({
    type: ActionResponse,
    args: argumentsOf(type, kind),
    resolve: (_, args, context) => resolveMutation(kind, type, types, args, context),
  })
  const fieldsOf = <T>(
    known: ReadonlyMap<string, T>,
    names: Iterable<string>,
    field: (one: T) => Fields[string],
  ): Fields =>
    Object.fromEntries(
      [...names].flatMap((name) => {
        const one = known.get(name)
        return one === undefined ? [] : [[name, field(one)]]
      }),
    )

  const build = (queryNames: Iterable<string>, mutationNames: Iterable<string>): GraphQLSchema => {
    const queries = fieldsOf(roots.queries, queryNames, queryField)
    const mutations = fieldsOf(roots.mutations, mutationNames, mutationField)
    return new GraphQLSchema({
      query: new GraphQLObjectType({
        name: 'Query',
        // A GraphQL type needs at least one field, and a project may have no schemas yet.
        fields: Object.keys(queries).length > 0 ? queries : { _gateway: { type: GraphQLBoolean } },
      }),
      ...(Object.keys(mutations).length > 0
        ? { mutation: new GraphQLObjectType({ name: 'Mutation', fields: mutations }) }
        : {}),
      // The model contains only valid, unique names; a test validates a whole schema.
      assumeValid: true,
    })
  }
  let whole: GraphQLSchema | undefined
  const buildWhole = () => (whole ??= build(roots.queries.keys(), roots.mutations.keys()))
  return {
    model: { types, ...roots },
    whole: buildWhole,
    of: (queries, mutations) => {
      // The placeholder query field does not belong to any type.
      if (roots.queries.size === 0) return buildWhole()
      const isThere = (known: ReadonlyMap<string, unknown>) => (name: string) =>
        name === '__typename' || known.has(name)
      return queries.every(isThere(roots.queries)) && mutations.every(isThere(roots.mutations))
        ? build(queries, mutations)
        : undefined
    },
  }
}

/** Returns the query and mutation fields, in the order of their types. */
function rootsOf(types: DataModel['types']) {
  const queries = new Map<string, TypeModel>()
  const mutations = new Map<string, readonly [MutationKind, TypeModel]>()
  for (const type of types.values()) {
    if (type.query !== undefined) queries.set(type.query, type)
    for (const kind in type.mutations) {
      const known = kind as MutationKind
      mutations.set(type.mutations[known]!, [known, type])
    }
  }
  return { queries, mutations }
}

/** Creates the value for a type on first use and caches it. */
function memoized<T>(make: (type: TypeModel) => T): (type: TypeModel) => T {
  const made = new Map<string, T>()
  return (type) => {
    const known = made.get(type.name) ?? make(type)
    made.set(type.name, known)
    return known
  }
}

const scalarOf = ({ scalar }: FieldModel) => scalars.get(scalar ?? '')?.type ?? Json

const described = <T>(field: FieldModel, type: T): { type: T; description?: string } =>
  field.description === '' ? { type } : { type, description: field.description }

const ActionResponse = new GraphQLObjectType({
  name: 'ActionResponse',
  fields: {
    acknowledged: { type: new GraphQLNonNull(GraphQLBoolean) },
    itemId: { type: GraphQLString },
    totalImpactedData: { type: new GraphQLNonNull(Long) },
    message: { type: GraphQLString },
  },
})

function resultOf(type: TypeModel, item: GraphQLObjectType): GraphQLObjectType {
  const int = { type: new GraphQLNonNull(GraphQLInt) }
  const flag = { type: new GraphQLNonNull(GraphQLBoolean) }
  return new GraphQLObjectType({
    name: `${type.name}Result`,
    fields: {
      items: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(item))),
      },
      totalCount: int,
      pageNo: int,
      pageSize: int,
      totalPages: int,
      hasNextPage: flag,
      hasPreviousPage: flag,
    },
  })
}

/** Creates the update input: all fields except the id and those that the platform fills. */
const updateOf = (
  type: TypeModel,
  inputOf: (field: FieldModel) => GraphQLInputType,
): GraphQLInputObjectType =>
  new GraphQLInputObjectType({
    name: `${type.name}UpdateInput`,
    fields: () =>
      Object.fromEntries(
        type.fields
          .filter(({ name, system }) => name !== 'ItemId' && (system?.isInsertable ?? true))
          .map((field) => [field.name, described(field, inputOf(field))]),
      ),
  })

/**
 * Creates the delete input. All deletes are hard: a soft-deleted record would not be
 * found either.
 */
const deleteOf = (type: TypeModel): GraphQLInputObjectType =>
  new GraphQLInputObjectType({
    name: `${type.name}DeleteInput`,
    fields: { isHardDelete: { type: new GraphQLNonNull(GraphQLBoolean) } },
  })

/**
 * Creates the filter input for the scalar fields. `or` and `and` combine conditions, so
 * fields with these names cannot be filtered.
 */
function filterOf(type: TypeModel): GraphQLInputObjectType {
  const filter: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${type.name}FilterInput`,
    fields: () => ({
      ...Object.fromEntries(
        type.fields
          .filter(({ scalar, isArray }) => !isArray && filterTypes.has(scalar ?? ''))
          .map((field) => [field.name, { type: filterTypes.get(field.scalar!)! }]),
      ),
      or: { type: new GraphQLList(filter) },
      and: { type: new GraphQLList(filter) },
    }),
  })
  return filter
}
