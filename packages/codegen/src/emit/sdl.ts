import type { Model, SchemaModel } from '../model.ts'
import { type FieldModel, logicalOperators } from '../model-field.ts'
import { isGraphqlName, type MutationKind, mutationKinds } from '@servicekit/core'
import type { EmitOptions } from './emit-all.ts'
import { withLongType } from './longs.ts'
import { resultTypeOf } from './mutations.ts'
import { filteredObjects, hasConditions, insertFields, isUpdated, updateFields } from './types.ts'

/** Options that describe the executable schema. */
export type SdlOptions = Partial<Pick<EmitOptions, 'longFilter' | 'bulkResponse' | 'nestedFilters'>>

const comparing = (name: string, type: string): string =>
  `input ${name}OperationFilterInput { eq: ${type} neq: ${type} gt: ${type} gte: ${type} lt: ${type} lte: ${type} in: [${type}] }\n`

const common = `scalar DateTime
scalar Long
scalar GeoJson
enum SortDirection { ASC DESC }
input PaginationInput { pageNo: Int pageSize: Int }
input DynamicSortInput { field: String! direction: SortDirection }
input StringOperationFilterInput { eq: String neq: String contains: String startsWith: String endsWith: String in: [String] }
input BooleanOperationFilterInput { eq: Boolean neq: Boolean }
${comparing('Int', 'Int')}${comparing('Long', 'Long')}${comparing('Number', 'Float')}${comparing('DateTime', 'DateTime')}type ActionResponse { acknowledged: Boolean! itemId: String totalImpactedData: Long! message: String }
type BulkActionResponse { acknowledged: Boolean! totalImpactedData: Long! message: String itemIds: [String!]! }
`

/**
 * Emits the executable schema of the gateway as SDL, for tools that validate documents:
 * the types of the listing with their list queries and mutations. Omits names that are
 * invalid in GraphQL.
 *
 * @see section 4.5
 */
export function emitSdl(
  given: Model,
  {
    longFilter = 'number',
    bulkResponse = 'BulkActionResponse',
    nestedFilters = false,
  }: SdlOptions = {},
): string {
  const model = withLongType(given, 'number', longFilter)
  const names = new Map(
    model.schemas.flatMap(({ type, name }) => (isGraphqlName(name) ? [[type, name]] : [])),
  )
  const typeOf = ({ type, isArray, scalar, object }: FieldModel, suffix = ''): string => {
    const name = scalar === undefined ? names.get(object?.type ?? '') : type
    if (name === undefined) return ''
    const whole = scalar === undefined ? name + suffix : name
    return isArray ? `[${whole}]` : whole
  }
  const enums = new Map(
    model.schemas.flatMap(({ fields }) =>
      fields.flatMap(({ scalar }) =>
        scalar?.values ? [[scalar.name, scalar.values] as const] : [],
      ),
    ),
  )
  let text = common
  for (const [name, values] of enums)
    text += `enum ${name} { ${values.join(' ')} }\ninput ${name}OperationFilterInput { eq: ${name} neq: ${name} in: [${name}] }\n`
  let queries = ''
  let changes = ''
  for (const schema of model.schemas) {
    const { name, list, mutations } = schema
    if (!isGraphqlName(name)) continue
    text += block(`type ${name}`, schema.fields, (field) => typeOf(field))
    text += block(`input ${name}InsertInput`, insertFields(schema), (field) =>
      typeOf(field, 'InsertInput'),
    )
    if (hasConditions(schema) || nestedFilters)
      text += emitWhere(schema, nestedFilters ? names : new Map())
    if (isUpdated(schema)) {
      text += block(`input ${name}UpdateInput`, updateFields(schema), (field) =>
        typeOf(field, 'InsertInput'),
      )
    }
    if (mutations.delete ?? mutations.deleteMany) {
      text += `input ${name}DeleteInput { isHardDelete: Boolean! }\n`
    }
    if (list !== undefined) {
      text += emitPage(schema)
      queries += `  ${list.field}(where: ${name}FilterInput, order: [DynamicSortInput!], paging: PaginationInput): ${name}Result\n`
    }
    for (const kind of mutationKinds) {
      const mutation = mutations[kind]
      if (mutation !== undefined)
        changes += `  ${mutation.field}${signatureOf(kind, name, bulkResponse)}\n`
    }
  }
  text += `type Query {\n${queries || '  _gateway: Boolean\n'}}\n`
  return changes === '' ? text : `${text}type Mutation {\n${changes}}\n`
}

function signatureOf(
  kind: MutationKind,
  name: string,
  bulkResponse: EmitOptions['bulkResponse'],
): string {
  if (kind === 'insert') return `(input: ${name}InsertInput): ActionResponse`
  if (kind === 'insertMany') return `(input: [${name}InsertInput]): BulkActionResponse`
  const input = kind.startsWith('update') ? 'UpdateInput' : 'DeleteInput'
  const isBulk = resultTypeOf(kind, bulkResponse) === 'BulkMutationResult'
  const result = isBulk ? 'BulkActionResponse' : 'ActionResponse'
  return `(filter: String, where: ${name}FilterInput, input: ${name}${input}): ${result}`
}

/** @param names GraphQL names of the types on whose fields there are conditions. */
function emitWhere(schema: SchemaModel, names: ReadonlyMap<string, string>): string {
  const { name, fields, kind } = schema
  const nested = new Map(
    filteredObjects(schema).map((field) => [field.name, names.get(field.object.type)]),
  )
  return block(
    `input ${name}FilterInput`,
    fields,
    ({ name, isArray, scalar }) => {
      const type = nested.get(name)
      if (type !== undefined) return `${type}FilterInput`
      return isArray || logicalOperators.has(name) || scalar?.gatewayFilter === undefined
        ? ''
        : `${scalar.gatewayFilter}OperationFilterInput`
    },
    kind === 'entity' ? `  or: [${name}FilterInput]\n  and: [${name}FilterInput]\n` : '',
  )
}

function emitPage({ name }: SchemaModel): string {
  return `type ${name}Result { items: [${name}!]! totalCount: Int! pageNo: Int! pageSize: Int! totalPages: Int! hasNextPage: Boolean! hasPreviousPage: Boolean! }\n`
}

function block(
  head: string,
  fields: readonly FieldModel[],
  typeOf: (field: FieldModel) => string,
  more = '',
): string {
  let members = more
  for (const field of fields) {
    const type = typeOf(field)
    if (type === '') continue
    if (field.description !== '') members += `  ${JSON.stringify(field.description)}\n`
    members += `  ${field.name}: ${type}\n`
  }
  // GraphQL does not allow types without members.
  return `${head} {\n${members || '  _empty: Boolean\n'}}\n`
}
