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
import { DynamicSortInput, filterTypes, PaginationInput } from './input-types.ts'
import type { DataModel, FieldModel, MutationKind, TypeModel } from './model.ts'
import type { GatewayContext, ListArguments } from './resolvers.ts'
import { resolveList, resolveMutation } from './resolvers.ts'
import { Json, Long, scalars } from './scalars.ts'

type Fields = GraphQLFieldConfigMap<unknown, GatewayContext>

/**
 * Builds a project's executable schema. Every field and every input field is
 * nullable: what an insert requires is said by `requiredOn` alone.
 */
export function buildSchema({ types }: DataModel): GraphQLSchema {
  const outputs = new Map<string, GraphQLObjectType>()
  const inputs = new Map<string, GraphQLInputObjectType>()
  const usable = new Map([...types].filter(([, type]) => type.fields.length > 0))

  const outputOf = (field: FieldModel): GraphQLOutputType => {
    const type = field.object === undefined ? scalarOf(field) : (outputs.get(field.object) ?? Json)
    return field.isArray ? new GraphQLList(type) : type
  }
  const inputOf = (field: FieldModel): GraphQLInputType => {
    const type = field.object === undefined ? scalarOf(field) : (inputs.get(field.object) ?? Json)
    return field.isArray ? new GraphQLList(type) : type
  }
  for (const type of usable.values()) {
    outputs.set(
      type.name,
      new GraphQLObjectType({
        name: type.name,
        fields: () =>
          Object.fromEntries(
            type.fields.map((field) => [field.name, described(field, outputOf(field))]),
          ),
      }),
    )
    inputs.set(
      type.name,
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
  }

  const queries: Fields = {}
  const mutations: Fields = {}
  for (const type of usable.values()) {
    const item = outputs.get(type.name)!
    const where = { type: filterOf(type) }
    if (type.query !== undefined) {
      queries[type.query] = {
        type: resultOf(type, item),
        args: {
          where,
          order: { type: new GraphQLList(new GraphQLNonNull(DynamicSortInput)) },
          paging: { type: PaginationInput },
        },
        resolve: (_, args, context, info) =>
          resolveList(type, args as ListArguments, context, info),
      }
    }
    const input = inputs.get(type.name)!
    const several = new GraphQLList(new GraphQLNonNull(input))
    const update = { type: updateOf(type, inputOf) }
    const argumentsOf: Record<MutationKind, GraphQLFieldConfigArgumentMap> = {
      insert: { input: { type: input } },
      insertMany: { input: { type: several } },
      update: { where, input: update },
      updateMany: { where, input: update },
      delete: { where },
      deleteMany: { where },
    }
    for (const [kind, name] of Object.entries(type.mutations) as [MutationKind, string][]) {
      mutations[name] = {
        type: ActionResponse,
        args: argumentsOf[kind],
        resolve: (_, args, context) => resolveMutation(kind, type, types, args, context),
      }
    }
  }
  return new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      // A type has at least one field, and a project may have no schema yet.
      fields: Object.keys(queries).length > 0 ? queries : { _gateway: { type: GraphQLBoolean } },
    }),
    ...(Object.keys(mutations).length > 0
      ? { mutation: new GraphQLObjectType({ name: 'Mutation', fields: mutations }) }
      : {}),
  })
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

/** What an update may name: everything but the id and what the platform fills. */
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

/** Conditions on the scalar fields; `or` and `and` join, so a field of that name has none. */
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
