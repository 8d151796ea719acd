import type { ListModel, SchemaModel } from '../model.ts'
import type { BulkResponse } from './features.ts'
import { resultTypeOf } from './mutations.ts'
import { type MutationKind, mutationKinds } from '@servicekit/core'
import type { EmittedFile } from './file.ts'
import { type Collectors, type PrintOptions, printModule, type ValueSource } from './source.ts'
import { objectFields, typesOfFields } from './types.ts'

const file = 'gateway-query'

/** Emits the type of query keys of the package of TanStack Query that the application uses. */
export const emitQueryKeyFile = (
  packageName: string,
  options: PrintOptions,
): readonly EmittedFile[] =>
  printModule(
    {
      file: 'gateway-query-key',
      types: `
/** Key of a query whose data has the type T. */
export type GatewayQueryKey<T> = import('${packageName}').DataTag<readonly unknown[], T>
`,
      values: [],
      typeImports: new Map(),
      valueImports: new Map(),
    },
    options,
  )

/** Emits the options of all operations of a schema for TanStack Query and SWR. */
export function emitQueryOptions(
  schema: SchemaModel,
  bulkResponse: BulkResponse,
  collectors: Collectors,
): readonly ValueSource[] {
  const { types, uses } = collectors
  const mutations = mutationKinds.flatMap((kind) => {
    const identifier = schema.mutations[kind]?.identifier
    if (identifier === undefined) return []
    types.add(file, 'GatewayMutationOptions')
    types.add('gateway', 'Gateway')
    uses.add(file, 'mutationOptions')
    return [
      {
        comment: `/** {@link ${identifier}} for \`useMutation\`; marks all queries of ${schema.type} as stale. */\n`,
        name: `${identifier}Options`,
        type: `(gateway: Gateway) => GatewayMutationOptions<${variablesOf(kind, schema, bulkResponse, types)}>`,
        value: `/* @__PURE__ */ mutationOptions('${schema.name}', '${kind}', ${identifier})`,
      },
    ]
  })
  if (schema.list === undefined) return mutations
  return [...emitReads(schema, schema.list, collectors), ...mutations]
}

/** Returns the types of the result and of the variables. */
function variablesOf(
  kind: MutationKind,
  { type }: SchemaModel,
  bulkResponse: BulkResponse,
  types: Collectors['types'],
): string {
  const result = resultTypeOf(kind, bulkResponse)
  if (kind === 'insert') return `${result}, ${type}InsertInput`
  if (kind === 'insertMany') return `${result}, readonly ${type}InsertInput[]`
  types.add(file, 'GatewayChangeInput')
  const where = kind.endsWith('Many') ? `${type}Condition` : `string | ${type}Condition`
  const input = kind.startsWith('delete') ? 'DeleteInput' : `${type}UpdateInput`
  return `${result}, GatewayChangeInput<${where}, ${input}>`
}

function emitReads(
  schema: SchemaModel,
  { identifier, get, count }: ListModel,
  { types, uses }: Collectors,
): readonly ValueSource[] {
  const { name, type } = schema
  types.add(file, 'GatewayCountOptions', 'GatewayGetOptions')
  types.add(file, 'GatewayListInfiniteOptions', 'GatewayListQueryOptions')
  uses.add(file, 'infiniteOptions', 'queryOptions')
  const as = `<${type}, ${type}Where, ${typesOfFields(schema)}>`
  const query = (of: string, kind: string, length: number): string =>
    `/* @__PURE__ */ queryOptions('${name}', '${kind}', ${of}, ${length})`
  const infinite = (of: string): string => `/* @__PURE__ */ infiniteOptions('${name}', ${of})`
  const flat = [
    {
      comment: `/** {@link ${identifier}} for \`useQuery\`: \`useQuery(${identifier}Options(gateway))\`. */\n`,
      name: `${identifier}Options`,
      type: `GatewayListQueryOptions${as}`,
      value: query(identifier, 'list', 1),
    },
    {
      comment: `/** {@link ${identifier}} page by page for \`useInfiniteQuery\`. */\n`,
      name: `${identifier}InfiniteOptions`,
      type: `GatewayListInfiniteOptions${as}`,
      value: infinite(identifier),
    },
    {
      comment: `/** {@link ${get}} for \`useQuery\`. */\n`,
      name: `${get}Options`,
      type: `GatewayGetOptions<${type}, ${typesOfFields(schema)}>`,
      value: query(get, 'get', 2),
    },
    {
      comment: `/** {@link ${count}} for \`useQuery\`. */\n`,
      name: `${count}Options`,
      type: `GatewayCountOptions<${type}Where>`,
      value: query(count, 'count', 0),
    },
  ]
  if (objectFields(schema).length === 0) return flat
  types.add(file, 'GatewayInfiniteListOptions', 'GatewayInfiniteOptions', 'GatewayQueryOptions')
  const row = `${type}Row<S & { readonly ItemId: true }>`
  const nested = (options: string, result: string): string =>
    `<S extends ${type}Shape>(
  gateway: Gateway,
  ${options},
) => ${result}`
  return [
    ...flat,
    {
      comment: `/** {@link ${identifier}Nested} for \`useQuery\`. */\n`,
      name: `${identifier}NestedOptions`,
      type: nested(`options: ${type}NestedOptions<S>`, `GatewayQueryOptions<GatewayPage<${row}>>`),
      value: query(`${identifier}Nested`, 'list', 1),
    },
    {
      comment: `/** {@link ${identifier}Nested} page by page for \`useInfiniteQuery\`. */\n`,
      name: `${identifier}NestedInfiniteOptions`,
      type: nested(
        `options: GatewayInfiniteListOptions<${type}Where, ${type}Field> & { readonly select: S }`,
        `GatewayInfiniteOptions<GatewayPage<${row}>>`,
      ),
      value: infinite(`${identifier}Nested`),
    },
    {
      comment: `/** {@link ${get}Nested} for \`useQuery\`. */\n`,
      name: `${get}NestedOptions`,
      type: nested(
        `itemId: string,\n  options: { readonly select: S }`,
        `GatewayQueryOptions<${row} | null>`,
      ),
      value: query(`${get}Nested`, 'get', 2),
    },
  ]
}
