import { buildSchema, type GraphQLSchema } from 'graphql'

interface ListedField {
  readonly name: string
  readonly type?: string
  readonly isArray?: boolean
}

interface ListedSchema {
  readonly schemaName: string
  readonly schemaType?: number
  readonly querySchema?: string | null
  readonly mutationSchemas?: readonly (string | { readonly name: string })[] | null
  readonly fields?: readonly ListedField[] | null
}

const scalars = new Set(['String', 'Int', 'Float', 'Boolean', 'DateTime', 'ID', 'Long', 'GeoJson'])
/** Listings may name scalars in any case. */
const scalarOf = (type: string | undefined): string | undefined =>
  [...scalars].find((scalar) => scalar.toLowerCase() === type?.toLowerCase()) ?? type
const systemFields: readonly ListedField[] = [
  ...['ItemId', 'CreatedBy', 'LastUpdatedBy', 'Language', 'OrganizationId'].map((name) => ({
    name,
    type: 'String',
  })),
  ...['CreatedDate', 'LastUpdatedDate'].map((name) => ({ name, type: 'DateTime' })),
  { name: 'Tags', type: 'String', isArray: true },
]
const filters = new Map(
  Object.entries({
    String: 'StringOperationFilterInput',
    ID: 'StringOperationFilterInput',
    Int: 'IntOperationFilterInput',
    Long: 'LongOperationFilterInput',
    Float: 'NumberOperationFilterInput',
    DateTime: 'DateTimeOperationFilterInput',
    Boolean: 'BooleanOperationFilterInput',
  }),
)
const comparable = (name: string, type: string): string =>
  `input ${name}OperationFilterInput { eq: ${type} neq: ${type} gt: ${type} gte: ${type} lt: ${type} lte: ${type} in: [${type}] }`

const common = `
scalar DateTime
scalar Long
scalar GeoJson
enum SortDirection { ASC DESC }
input PaginationInput { pageNo: Int pageSize: Int }
input DynamicSortInput { field: String! direction: SortDirection }
input StringOperationFilterInput { eq: String neq: String contains: String startsWith: String endsWith: String in: [String] }
input BooleanOperationFilterInput { eq: Boolean neq: Boolean }
${comparable('Int', 'Int')}
${comparable('Long', 'Long')}
${comparable('Number', 'Float')}
${comparable('DateTime', 'DateTime')}
type ActionResponse { acknowledged: Boolean! itemId: String totalImpactedData: Long! message: String }
type BulkActionResponse { acknowledged: Boolean! totalImpactedData: Long! message: String itemIds: [String!]! }
`

const isName = (name: string | null | undefined): name is string =>
  /^(?!__)[A-Za-z_]\w*$/.test(name ?? '')

/** Differences between instances. */
interface ExecutableOptions {
  readonly queryPrefix?: string
  /** Type of conditions on fields of type Long. */
  readonly longFilter?: string
  /** Response to `updateMany` and `deleteMany`. */
  readonly bulkResponse?: string
  /** Has bulk mutations that the listing does not name. */
  readonly hasAllBulk?: boolean
  /** Has conditions on the fields of nested objects. */
  readonly hasNestedFilters?: boolean
}

/**
 * Builds the executable schema of a service for a listing, following the interface and
 * not the code under test. Omits what GraphQL cannot express, as a service must.
 */
export function executableSchema(
  listing: readonly ListedSchema[],
  {
    queryPrefix = '',
    longFilter = 'LongOperationFilterInput',
    bulkResponse = 'BulkActionResponse',
    hasAllBulk = false,
    hasNestedFilters = false,
  }: ExecutableOptions = {},
): GraphQLSchema {
  const schemas = firstOf(
    listing.filter(({ schemaName }) => isName(schemaName)),
    ({ schemaName }) => schemaName,
  )
  const objects = new Set(schemas.map(({ schemaName }) => schemaName))
  const queries: string[] = ['_gateway: Boolean']
  const mutations: string[] = ['_gateway: Boolean']
  let sdl = common
  for (const { schemaName: name, schemaType, querySchema, mutationSchemas, fields } of schemas) {
    const isEntity = schemaType !== 2
    const given = (fields ?? [])
      .map((field) => ({
        ...field,
        type: objects.has(field.type ?? '') ? field.type : scalarOf(field.type),
      }))
      .filter(
        (field) =>
          isName(field.name) && (scalars.has(field.type ?? '') || objects.has(field.type ?? '')),
      )
    const all = firstOf(
      isEntity ? [systemFields[0]!, ...given, ...systemFields] : given,
      (field) => field.name,
    )
    const output = all.map(
      ({ name: field, type, isArray }) => `${field}: ${isArray ? `[${type}]` : type}`,
    )
    const input = all.map(({ name: field, type = '', isArray }) => {
      const item = objects.has(type) ? `${type}InsertInput` : type
      return `${field}: ${isArray ? `[${item}]` : item}`
    })
    const where = all.flatMap(({ name: field, type = '', isArray }) => {
      if (isArray || field === 'or' || field === 'and') return []
      if (hasNestedFilters && objects.has(type)) return `${field}: ${type}FilterInput`
      const filter = type === 'Long' ? longFilter : filters.get(type)
      return filter === undefined ? [] : `${field}: ${filter}`
    })
    sdl += `
type ${name} { _type: String ${output.join(' ')} }
input ${name}InsertInput { _type: String ${input.join(' ')} }
input ${name}FilterInput { ${where.join(' ')} or: [${name}FilterInput] and: [${name}FilterInput] }
type ${name}Result { items: [${name}!]! totalCount: Int! pageNo: Int! pageSize: Int! totalPages: Int! hasNextPage: Boolean! hasPreviousPage: Boolean! }
`
    if (!isEntity) continue
    if (isName(querySchema)) {
      queries.push(
        `${queryPrefix}${querySchema}(where: ${name}FilterInput, order: [DynamicSortInput!], paging: PaginationInput): ${name}Result`,
      )
    }
    const listed = (mutationSchemas ?? []).map((entry) =>
      typeof entry === 'string' ? entry : entry.name,
    )
    const bulk = ['insertMany', 'updateMany', 'deleteMany'].map((kind) => kind + name)
    const names = hasAllBulk ? [...new Set([...listed, ...bulk])] : listed
    const insert = names.find((entry) => entry.startsWith('insert')) ?? `insert${name}`
    if (isName(insert)) mutations.push(`${insert}(input: ${name}InsertInput): ActionResponse`)
    sdl += `
input ${name}UpdateInput { _type: String ${input.filter((field) => !field.startsWith('ItemId:')).join(' ')} }
input ${name}DeleteInput { isHardDelete: Boolean! }
`
    const others = names.filter((entry) => isName(entry) && entry !== insert)
    const many = others.filter((entry) => /^(?:insert|update|delete)Many/.test(entry))
    for (const [verb, type] of [
      ['update', 'Update'],
      ['delete', 'Delete'],
    ] as const) {
      const args = `(filter: String where: ${name}FilterInput input: ${name}${type}Input)`
      const one =
        others.find((entry) => entry === verb + name) ??
        others.find((entry) => entry.startsWith(verb) && !many.includes(entry))
      const ofMany = many.filter((entry) => entry.startsWith(verb) && entry !== one)
      const all = ofMany.find((entry) => entry === `${verb}Many${name}`) ?? ofMany[0]
      if (one !== undefined) mutations.push(`${one}${args}: ActionResponse`)
      if (all !== undefined) mutations.push(`${all}${args}: ${bulkResponse}`)
    }
    const inserts = many.filter((entry) => entry.startsWith('insert'))
    const insertMany = inserts.find((entry) => entry === `insertMany${name}`) ?? inserts[0]
    if (insertMany !== undefined)
      mutations.push(`${insertMany}(input: [${name}InsertInput]): BulkActionResponse`)
  }
  sdl += `type Query { ${firstOf(queries, fieldName).join('\n')} }\n`
  sdl += `type Mutation { ${firstOf(mutations, fieldName).join('\n')} }\n`
  return buildSchema(sdl)
}

const fieldName = (definition: string): string => /^\w+/.exec(definition)?.[0] ?? ''

function firstOf<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const seen = new Map<string, T>()
  for (const item of items) if (!seen.has(keyOf(item))) seen.set(keyOf(item), item)
  return [...seen.values()]
}
