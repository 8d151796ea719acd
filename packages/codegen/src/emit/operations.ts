import type { OperationModel, SchemaModel } from '../model.ts'
import { objectFields, scalarFields } from './types.ts'

/** Fields that every list query answers beside its items (section 4.5 rule 2). */
const page = 'totalCount pageNo pageSize totalPages hasNextPage hasPreviousPage'

/** Fields that every insert answers (section 4.5 rule 4). */
const acknowledgement = 'acknowledged itemId totalImpactedData message'

/** The list function, its form for nested selections where there are any, and its document. */
export function emitList(schema: SchemaModel, { identifier, field }: OperationModel): string {
  const { type, name } = schema
  const names = scalarFields(schema).map((scalar) => scalar.name)
  // ItemId is always asked for, so the runtime adds it.
  const others = names.filter((scalar) => scalar !== 'ItemId').join(' ')
  const create = (list: string): string =>
    `/* @__PURE__ */ ${list}('${field}', '${name}', '${others}')\n`
  const variables = `$where: ${name}FilterInput, $order: [DynamicSortInput!], $paging: PaginationInput`
  const isNested = objectFields(schema).length > 0
  return `
/** A page of {@link ${type}} rows that hold the fields F, and ItemId. */
export interface ${type}Page<F extends ${type}Field> extends GatewayPageInfo {
  readonly items: readonly { readonly [K in F | 'ItemId']: ${type}[K] }[]
}

/**
 * Lists ${type} rows. Without \`select\` every scalar field is asked for; ItemId always is.${isNested ? `\n * Nested objects are selected with {@link ${identifier}Nested}.` : ''}
 *
 * \`\`\`ts
 * const result = await ${identifier}(gateway, { select: ['${exampleField(names)}'] })
 * if (result.ok) result.data.items
 * \`\`\`
 */
export const ${identifier}: <F extends ${type}Field = ${type}Field>(
  gateway: Gateway,
  options?: ${type}ListVariables & { readonly select?: readonly F[] | undefined },
) => Promise<GatewaySuccess<${type}Page<F>> | GatewayFailure> = ${create('list')}${isNested ? emitNestedList(schema, identifier, `/* @__PURE__ */ listNested('${field}', '${name}')\n`) : ''}
/** The query of {@link ${identifier}} with every scalar field, for any GraphQL client. */
export const ${identifier}Document: GatewayDocument<
  { readonly ${field}: ${type}Page<${type}Field> | null },
  ${type}ListVariables
> =
  'query(${variables}) { ${field}(where: $where, order: $order, paging: $paging) { items { ${names.join(' ')} } ${page} } }'
`
}

function emitNestedList(schema: SchemaModel, identifier: string, value: string): string {
  const { type } = schema
  const [first] = objectFields(schema)
  return `
/**
 * Lists ${type} rows with nested objects. ItemId is always asked for.
 *
 * \`\`\`ts
 * await ${identifier}Nested(gateway, { select: { ${first?.name}: { … } } })
 * \`\`\`
 */
export const ${identifier}Nested: <S extends ${type}Shape>(
  gateway: Gateway,
  options: ${type}ListVariables & { readonly select: S },
) => Promise<
  GatewaySuccess<GatewayPage<${type}Row<S & { readonly ItemId: true }>>> | GatewayFailure
> = ${value}`
}

const systemFields =
  /^(?:ItemId|CreatedDate|LastUpdatedDate|CreatedBy|LastUpdatedBy|Language|OrganizationId|Tags)$/

/** A field that says something about this schema. */
function exampleField(names: readonly string[]): string {
  return names.find((name) => !systemFields.test(name)) ?? 'ItemId'
}

/** The insert function and its document. */
export function emitInsert(schema: SchemaModel, { identifier, field }: OperationModel): string {
  const input = `${schema.type}InsertInput`
  return `
/**
 * Inserts one ${schema.type}. An insert that is not acknowledged is \`{ ok: false }\`.
 */
export const ${identifier}: (
  gateway: Gateway,
  input: ${input},
) => Promise<GatewaySuccess<MutationResult> | GatewayFailure> = /* @__PURE__ */ insert('${field}', '${schema.name}')

/** The mutation of {@link ${identifier}}, for any GraphQL client. */
export const ${identifier}Document: GatewayDocument<
  { readonly ${field}: MutationResult | null },
  { readonly input: ${input} }
> =
  'mutation($input: ${schema.name}InsertInput!) { ${field}(input: $input) { ${acknowledgement} } }'
`
}
