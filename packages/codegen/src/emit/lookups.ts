import { isText, labelFields } from '../lookups.ts'
import type { ListModel, SchemaModel } from '../model.ts'
import type { ModuleContext } from './module.ts'
import type { Collectors, ValueSource } from './source.ts'

/** Emits the batched load, labels and pick list of an entity, and its references to others. */
export function emitLookups(
  schema: SchemaModel,
  context: ModuleContext,
  collectors: Collectors,
): readonly ValueSource[] {
  const { list } = schema
  return [
    ...(list === undefined ? [] : emitLookup(schema, list, context, collectors)),
    ...(list === undefined || context.queryOptions === false
      ? []
      : emitLookupOptions(schema, list, collectors)),
    ...emitReferences(schema, context, collectors),
  ]
}

function emitLookup(
  schema: SchemaModel,
  { identifier, get, pick }: ListModel,
  { lookups }: ModuleContext,
  { types, uses }: Collectors,
): readonly ValueSource[] {
  const { type } = schema
  const label = labelFields(schema, lookups)
  const names = label.map(({ name }) => name)
  const searched = label.filter(isText).map(({ name }) => name)
  const fields = `'${names.join(' ')}'`
  const row = [...new Set(['ItemId', ...names])].map((name) => `'${name}'`).join(' | ')
  types.add('gateway-lookup', 'GatewayLabel', 'GatewayPickList')
  uses.add('gateway-lookup', 'label', 'load', 'pick', 'toLabel')
  return [
    {
      comment: `/** {@link ${get}} for many calls: those at the same time share a request. */\n`,
      name: `load${type}`,
      type: `GatewayGet<${type}, ${type}Field>`,
      value: `/* @__PURE__ */ load(${identifier})`,
    },
    {
      comment: `/** Returns the text that people know a ${type} by: ${names.join(', ')}. */\n`,
      name: `to${type}Label`,
      type: `(row: Pick<${type}, ${row}>) => string`,
      value: `/* @__PURE__ */ toLabel(${fields})`,
    },
    {
      comment: `/** Reads the label of a ${type} by its ItemId, or null. Calls at the same time share a request. */\n`,
      name: `label${type}`,
      type: 'GatewayLabel',
      value: `/* @__PURE__ */ label(load${type}, to${type}Label, ${fields})`,
    },
    {
      comment: `/** Loads a page of a pick list: \`${pick}(gateway, { search, value })\`. */\n`,
      name: pick,
      type: `GatewayPickList<${type}Where, ${type}Field>`,
      value: `/* @__PURE__ */ pick(${identifier}, load${type}, to${type}Label, ${fields}, '${searched.join(' ') || 'ItemId'}')`,
    },
  ]
}

/** Emits the options of lookups for TanStack Query and SWR. */
function emitLookupOptions(
  { name, type }: SchemaModel,
  { pick }: ListModel,
  { types }: Collectors,
): readonly ValueSource[] {
  types.add('gateway-lookup', 'GatewayChoices', 'GatewayPickListOptions')
  types.add('gateway-query', 'GatewayQueryOptions')
  const optionsOf = (kind: string, call: string, length: number): string =>
    `/* @__PURE__ */ queryOptions('${name}', '${kind}', ${call}, ${length})`
  return [
    {
      comment: `/** {@link load${type}} for \`useQuery\`. */\n`,
      name: `load${type}Options`,
      type: `GatewayGetOptions<${type}, ${type}Field>`,
      value: optionsOf('get', `load${type}`, 2),
    },
    {
      comment: `/** {@link label${type}} for \`useQuery\`. */\n`,
      name: `label${type}Options`,
      type: labelOptions,
      value: optionsOf('label', `label${type}`, 1),
    },
    {
      comment: `/** {@link ${pick}} for \`useQuery\`. */\n`,
      name: `${pick}Options`,
      type: pickOptions(type),
      value: optionsOf('pick', pick, 1),
    },
  ]
}

const labelOptions =
  '(gateway: Gateway, itemId: string | null | undefined) => GatewayQueryOptions<string | null>'

const pickOptions = (type: string): string =>
  `(\n  gateway: Gateway,\n  options?: GatewayPickListOptions<${type}Where, ${type}Field>,\n) => GatewayQueryOptions<GatewayChoices>`

function emitReferences(
  schema: SchemaModel,
  { relations, queryOptions }: ModuleContext,
  { types, uses }: Collectors,
): readonly ValueSource[] {
  const { type } = schema
  const found = relations.flatMap(({ from, field, to }) =>
    from === schema && field.scalar !== undefined && to.list !== undefined
      ? [{ name: field.name, to, pick: to.list.pick }]
      : [],
  )
  if (found.length === 0) return []
  types.add('gateway-lookup', 'GatewayReference')
  const hasOptions = queryOptions !== false
  if (hasOptions) {
    types.add('gateway', 'Gateway')
    types.add('gateway-lookup', 'GatewayChoices', 'GatewayPickListOptions')
    types.add('gateway-query', 'GatewayQueryOptions')
  }
  for (const { to, pick } of found) {
    if (to === schema) continue
    types.add(to.file, `${to.type}Field`, `${to.type}Where`)
    uses.add(to.file, `label${to.type}`, pick)
    if (hasOptions) uses.add(to.file, `label${to.type}Options`, `${pick}Options`)
  }
  const members = found.map(({ name, to: { type } }) => {
    const options = hasOptions
      ? ` & {\n    readonly pickOptions: ${pickOptions(type)}\n    readonly labelOptions: ${labelOptions}\n  }`
      : ''
    return `  readonly ${name}: GatewayReference<${type}Where, ${type}Field>${options}\n`
  })
  // Getters, because modules may import each other.
  const getters = found.map(({ name, to: { type }, pick }) => {
    const options = hasOptions
      ? `, pickOptions: ${pick}Options, labelOptions: label${type}Options`
      : ''
    return `  get ${name}() {\n    return { pick: ${pick}, label: label${type}${options} }\n  },\n`
  })
  return [
    {
      comment: `/** Pick lists and labels of the fields of ${type} that refer to other schemas. */\n`,
      name: `${type}References`,
      type: `{\n${members.join('')}}`,
      value: `{\n${getters.join('')}}`,
    },
  ]
}
