import { byCodePoint } from '@servicekit/core'
import type { LookupOptions } from '../lookups.ts'
import type { SchemaModel } from '../model.ts'
import type { LongFilter, LongType } from '../scalars.ts'
import type { Relation } from '../relations.ts'
import { type BulkResponse, emitFeatures, type FeatureOptions } from './features.ts'
import { emitInputs } from './inputs.ts'
import { emitLabels, type Labels } from './labels.ts'
import { emitLookups } from './lookups.ts'
import { emitNested } from './nested.ts'
import { emitMutations } from './mutations.ts'
import { emitLongs } from './longs.ts'
import { emitList } from './operations.ts'
import {
  type PrintOptions,
  ImportCollector,
  type ModuleSource,
  type ValueSource,
} from './source.ts'
import { ownFields } from './system-fields.ts'
import {
  emitCondition,
  emitField,
  emitInsertInput,
  emitListTypes,
  emitRow,
  emitUpdateInput,
  emitWhere,
  hasConditions,
  isChanged,
  isUpdated,
  objectFields,
  scalarFields,
} from './types.ts'

/** Context of emitting the module of a schema. */
export interface ModuleContext extends FeatureOptions, Pick<PrintOptions, 'importExtension'> {
  /** Types that take part in nested selections. */
  readonly nestable: ReadonlySet<string>
  /** Undefined without the option `labels`. */
  readonly labelKeys: Labels | undefined
  readonly lookups: LookupOptions
  readonly relations: readonly Relation[]
  /** TypeScript type of fields of type Long. */
  readonly long: LongType
  /** Type of the values in conditions on them. */
  readonly longFilter: LongFilter
  readonly bulkResponse: BulkResponse
  /** Generates conditions on the fields of nested objects. */
  readonly nestedFilters: boolean
  /** Types whose rows contain a Long. */
  readonly withLongs: ReadonlySet<string>
}

/** Emits the module of a schema: its types and, for an entity, its operations. */
export function emitModule(schema: SchemaModel, context: ModuleContext): ModuleSource {
  const types = new ImportCollector()
  const uses = new ImportCollector()
  types.add('gateway')
  const values: ValueSource[] = []
  const own = ownFields(schema)
  let text = emitRow(schema, own, types)
  if (schema.list !== undefined) text += emitField(schema)
  const { nestedFilters } = context
  if (hasConditions(schema) || nestedFilters) text += emitWhere(schema, own, nestedFilters, types)
  if (schema.list !== undefined) text += emitListTypes(schema)
  const isNestable = context.nestable.has(schema.type)
  if (isNestable) {
    text += emitNested(schema, context)
    types.add('gateway', 'GatewayPick')
  }
  if (objectFields(schema).length > 0) types.add('gateway', 'GatewayShape')
  text += emitInsertInput(schema, own, types)
  if (isChanged(schema)) text += emitCondition(schema, own, nestedFilters, types)
  if (isUpdated(schema)) text += emitUpdateInput(schema, own, types)
  values.push(...emitLongs(schema, context.withLongs, { types, uses }))
  if (schema.list !== undefined) {
    values.push(...emitList(schema, schema.list, context, { types, uses }))
  }
  values.push(...emitMutations(schema, context, { types, uses }))
  // Lists already have the names of all scalars, except ItemId.
  const names = scalarFields(schema).map(({ name }) => name)
  const isListed = schema.list !== undefined && schema.fields.every(({ isSelected }) => isSelected)
  const fields = isListed ? 'fields' : `'${names.join(' ')}'`
  values.push(...emitInputs(schema, fields, { types, uses }))
  values.push(...emitFeatures(schema, context, { types, uses }))
  if (context.lookups !== false) {
    values.push(...emitLookups(schema, context, { types, uses }))
  }
  if (context.labelKeys !== undefined) values.push(...emitLabels(schema, context.labelKeys))
  for (const [file, type] of objectsOf(schema)) {
    types.add(file, type, `${type}InsertInput`)
    if (isNestable) types.add(file, `${type}Shape`)
  }
  return {
    file: schema.file,
    types: text,
    values,
    typeImports: types.imports,
    valueImports: uses.imports,
  }
}

/**
 * Returns the modules of the nested objects, without duplicates. A schema that contains
 * itself needs no import.
 */
function objectsOf(schema: SchemaModel): readonly (readonly [file: string, type: string])[] {
  const modules = new Map<string, string>()
  for (const { object } of objectFields(schema)) {
    if (object !== undefined && object.type !== schema.type) modules.set(object.file, object.type)
  }
  return [...modules].sort(([left], [right]) => byCodePoint(left, right))
}
