import { isText, labelFields, type LookupOptions } from '../lookups.ts'
import type { ListModel, SchemaModel } from '../model.ts'
import type { Relation } from '../relations.ts'
import type { Collectors, ValueSource } from './source.ts'

/** Emits the batched load, labels and pick list of an entity, and its references to others. */
export function emitLookups(
  schema: SchemaModel,
  lookups: LookupOptions,
  relations: readonly Relation[],
  collectors: Collectors,
): readonly ValueSource[] {
  return [
    ...(schema.list === undefined ? [] : emitLookup(schema, schema.list, lookups, collectors)),
    ...emitReferences(schema, relations, collectors),
  ]
}

function emitLookup(
  schema: SchemaModel,
  { identifier, get, pick }: ListModel,
  lookups: LookupOptions,
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

function emitReferences(
  schema: SchemaModel,
  relations: readonly Relation[],
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
  for (const { to, pick } of found) {
    if (to === schema) continue
    types.add(to.file, `${to.type}Field`, `${to.type}Where`)
    uses.add(to.file, `label${to.type}`, pick)
  }
  const members = found.map(
    ({ name, to }) => `  readonly ${name}: GatewayReference<${to.type}Where, ${to.type}Field>\n`,
  )
  // Getters, because modules may import each other.
  const getters = found.map(
    ({ name, to, pick }) =>
      `  get ${name}() {\n    return { pick: ${pick}, label: label${to.type} }\n  },\n`,
  )
  return [
    {
      comment: `/** Pick lists and labels of the fields of ${type} that refer to other schemas. */\n`,
      name: `${type}References`,
      type: `{\n${members.join('')}}`,
      value: `{\n${getters.join('')}}`,
    },
  ]
}
