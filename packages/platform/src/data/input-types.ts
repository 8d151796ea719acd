import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql'
import { DateTime, Long } from './scalars.ts'

/** Pages count from 1. Either both members are given, or neither. */
export const PaginationInput = new GraphQLInputObjectType({
  name: 'PaginationInput',
  fields: { pageNo: { type: GraphQLInt }, pageSize: { type: GraphQLInt } },
})

/**
 * Legacy arguments of a list, which front ends still send; filter and sort are JSON
 * strings.
 */
export const DynamicQueryInput = new GraphQLInputObjectType({
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

export const DynamicSortInput = new GraphQLInputObjectType({
  name: 'DynamicSortInput',
  fields: {
    field: { type: new GraphQLNonNull(GraphQLString) },
    direction: { type: SortDirection },
  },
})

const conditions = (
  name: string,
  type: GraphQLScalarType,
  single: readonly string[],
  hasIn = true,
): GraphQLInputObjectType =>
  new GraphQLInputObjectType({
    name,
    fields: {
      ...Object.fromEntries(
        single.map((operator): [string, { type: GraphQLInputType }] => [operator, { type }]),
      ),
      ...(hasIn ? { in: { type: new GraphQLList(type) } } : {}),
    },
  })

const equality = ['eq', 'neq']
const order = ['gt', 'gte', 'lt', 'lte']

const textFilter = conditions('StringOperationFilterInput', GraphQLString, [
  ...equality,
  'contains',
  'startsWith',
  'endsWith',
])

/** Filter input types by scalar. Some scalars cannot be filtered. */
export const filterTypes: ReadonlyMap<string, GraphQLInputObjectType> = new Map([
  ['String', textFilter],
  ['ID', textFilter],
  ['Int', conditions('IntOperationFilterInput', GraphQLInt, [...equality, ...order])],
  ['Long', conditions('LongOperationFilterInput', Long, [...equality, ...order])],
  ['Float', conditions('NumberOperationFilterInput', GraphQLFloat, [...equality, ...order])],
  ['DateTime', conditions('DateTimeOperationFilterInput', DateTime, [...equality, ...order])],
  ['Boolean', conditions('BooleanOperationFilterInput', GraphQLBoolean, equality, false)],
])
