import type { ListModel, SchemaModel } from '../model.ts'
import { documentKind } from './document-kind.ts'
import { parserOf, withLongArguments } from './longs.ts'
import type { ModuleContext } from './module.ts'
import type { Collectors, ValueSource } from './source.ts'
import { objectFields, scalarFields, selectedFields, typesOfFields } from './types.ts'

/** Emits all reads of an entity: list, get, count, walk, and the document of the query. */
export function emitList(
  schema: SchemaModel,
  list: ListModel,
  context: Pick<ModuleContext, 'documents' | 'long' | 'longFilter' | 'withLongs'>,
  { types, uses }: Collectors,
): readonly ValueSource[] {
  const { type, name } = schema
  const { identifier, field } = list
  const selected = scalarFields(schema).filter(({ isSelected }) => isSelected)
  const names = selected.map((scalar) => scalar.name)
  const others = names.filter((scalar) => scalar !== 'ItemId')
  const byDefault = selectedFields(schema)
  const isWhole = byDefault === `${type}Field`
  const isNested = objectFields(schema).length > 0
  const at = `'${field}', '${name}'`
  const as = `${type}, ${type}Where, ${typesOfFields(schema)}`
  types.add('gateway', 'Gateway', 'GatewayCount', 'GatewayFailure', 'GatewayGet')
  types.add('gateway', 'GatewayPage', 'GatewayPageInfo', 'GatewayPaging')
  types.add('gateway', 'GatewaySuccess', 'GatewayWalk')
  uses.add('gateway-list', 'count', 'get', 'list')
  const parse = parserOf(schema, context, uses)
  const sender = (operation: string): string =>
    withLongArguments(schema, context, uses, 'options', operation)
  uses.add('gateway-walk', 'walk')
  const document = documentKind(context.documents, 'list', { types, uses })
  const scalars = `${type}${isNested ? 'Scalars' : ''}`
  const row = isWhole ? scalars : `Pick<${scalars}, ${byDefault}>`
  const page = `GatewayPage<${row}>`
  return [
    // The runtime always adds ItemId.
    { name: 'fields', type: 'string', value: `'${others.join(' ')}'` },
    {
      comment: `/**
 * Lists ${type} rows. Selects every scalar field without \`select\`; ItemId is always included.${isNested ? `\n * Nested objects are selected with {@link ${identifier}Nested}.` : ''}
 *
 * \`\`\`ts
 * const result = await ${identifier}(gateway, { select: ['${exampleField(names)}'] })
 * if (result.ok) result.data.items
 * \`\`\`
 */
`,
      name: identifier,
      // A default with a length, because members are certain without `select`.
      type: `<const S extends readonly ${type}Field[] = readonly [${byDefault}]>(
  gateway: Gateway,
  options?: {
    /** Fields to select; ItemId is always included. */
    readonly select?: S | undefined
    /** Conditions on the rows. */
    readonly where?: ${type}Where
    /** Sort criteria, the most important first. */
    readonly order?: readonly ${type}Sort[]
    /** Page to read; without it the gateway returns 10 rows. */
    readonly paging?: GatewayPaging
  },
) => Promise<GatewaySuccess<${type}Page<S[number] | 'ItemId', S['length']>> | GatewayFailure>`,
      value: sender(`list(${at}, fields${parse})`),
    },
    {
      comment: `/** Reads one ${type} by its ItemId, or null. */\n`,
      name: list.get,
      type: `GatewayGet<${type}, ${typesOfFields(schema)}>`,
      value: `/* @__PURE__ */ get(${identifier})`,
    },
    {
      comment: `/** Counts all ${type} rows, or those that match a condition. */\n`,
      name: list.count,
      type: `GatewayCount<${type}Where>`,
      value: `/* @__PURE__ */ count(${identifier})`,
    },
    {
      comment: `/** Iterates over all pages of ${type} rows: \`for await (const { items } of ${list.walk}(gateway))\`. */\n`,
      name: list.walk,
      type: `GatewayWalk<${as}>`,
      value: sender(`walk(${at}, fields${parse})`),
    },
    ...(isNested ? emitNestedList(schema, list, { parse, sender }, { types, uses }) : []),
    {
      comment: `/** The query of {@link ${identifier}} with every scalar field, for any GraphQL client. */\n`,
      name: `${identifier}Document`,
      type: document.typeOf(`{ readonly ${field}: ${page} | null }`, `${type}ListVariables`),
      value: `/* @__PURE__ */ ${document.make}(${at}, fields)`,
    },
  ]
}

function emitNestedList(
  schema: SchemaModel,
  { identifier, field, get, walk }: ListModel,
  { parse, sender }: { parse: string; sender: (operation: string) => string },
  { types, uses }: Collectors,
): readonly ValueSource[] {
  const { type, name } = schema
  const [first] = objectFields(schema)
  const row = `${type}Row<S & { readonly ItemId: true }>`
  types.add('gateway', 'GatewayPage', 'GatewayWalkOptions')
  uses.add('gateway-list', 'listNested')
  return [
    {
      comment: `/**
 * Lists ${type} rows with nested objects. ItemId is always included.
 *
 * \`\`\`ts
 * await ${identifier}Nested(gateway, { select: { ${first?.name}: { … } } })
 * \`\`\`
 */
`,
      name: `${identifier}Nested`,
      type: `<S extends ${type}Shape>(
  gateway: Gateway,
  options: ${type}NestedOptions<S>,
) => Promise<GatewaySuccess<GatewayPage<${row}>> | GatewayFailure>`,
      value: sender(`listNested('${field}', '${name}'${parse})`),
    },
    {
      comment: `/** {@link ${get}} with nested objects. */\n`,
      name: `${get}Nested`,
      type: `<S extends ${type}Shape>(
  gateway: Gateway,
  itemId: string,
  options: { readonly select: S },
) => Promise<GatewaySuccess<${row} | null> | GatewayFailure>`,
      value: `/* @__PURE__ */ get(${identifier}Nested)`,
    },
    {
      comment: `/** {@link ${walk}} with nested objects. */\n`,
      name: `${walk}Nested`,
      type: `<S extends ${type}Shape>(
  gateway: Gateway,
  options: GatewayWalkOptions<${type}Where, ${type}Field> & { readonly select: S },
) => AsyncGenerator<GatewayPage<${row}>, void, undefined>`,
      value: sender(`walk('${field}', '${name}', ''${parse})`),
    },
  ]
}

const systemFields =
  /^(?:ItemId|CreatedDate|LastUpdatedDate|CreatedBy|LastUpdatedBy|Language|OrganizationId|Tags)$/

/** Returns a field that is typical of this schema, for examples. */
function exampleField(names: readonly string[]): string {
  return names.find((name) => !systemFields.test(name)) ?? 'ItemId'
}
