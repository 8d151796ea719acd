/** Scalars that a data schema may name, in any case. */
export const scalarNames = [
  'String',
  'ID',
  'Int',
  'Float',
  'Long',
  'Boolean',
  'DateTime',
  'GeoJson',
] as const

/** Suffixes of the types that the gateway derives from a data schema. */
export const typeSuffixes = [
  'Result',
  'FilterInput',
  'InsertInput',
  'UpdateInput',
  'DeleteInput',
] as const

/** Type names of the gateway's own schema, which data schemas may not use. */
export const reservedTypeNames: readonly string[] = [
  ...scalarNames,
  'JSON',
  'Query',
  'Mutation',
  'Subscription',
  'ActionResponse',
  'PaginationInput',
  'DynamicQueryInput',
  'DynamicSortInput',
  'SortDirection',
  'StringOperationFilterInput',
  'IntOperationFilterInput',
  'LongOperationFilterInput',
  'NumberOperationFilterInput',
  'BooleanOperationFilterInput',
  'DateTimeOperationFilterInput',
]
