import {
  acknowledged,
  type ActionResponse,
  isObject,
  jsonProblem,
  type MutationKind,
  unchanged,
} from '@servicekit/core'
import type { Model, SchemaModel } from '../model.ts'
import { compileWhere, type MemoryRecord, type Where } from './conditions.ts'
import { validationError } from './validation-error.ts'

/** Data that a mutation needs besides its arguments. */
export interface MutationContext {
  readonly schemas: Model['schemas']
  /** Records of the schema by ItemId, in insertion order. */
  readonly records: Map<string, MemoryRecord>
  readonly maxPageSize: number
  readonly now: () => Date
  readonly newId: () => string
  /** Values of system fields that an insert does not set. */
  readonly defaults: { readonly Language: string; readonly OrganizationId: string }
  readonly author: string
}

export interface MutationArguments {
  readonly input?: MemoryRecord | readonly MemoryRecord[] | null
  readonly where?: Where | null
  readonly filter?: string | null
}

/**
 * Runs a mutation: a mutation of many records changes all or none.
 *
 * @throws GraphQLError `VALIDATION_ERROR`
 */
export function mutate(
  kind: MutationKind,
  schema: SchemaModel,
  { input, where, filter }: MutationArguments,
  context: MutationContext,
): ActionResponse {
  const isMany = kind.endsWith('Many')
  if (kind.startsWith('insert')) {
    const inputs = [input ?? (isMany ? [] : {})].flat() as readonly MemoryRecord[]
    return insert(schema, inputs, isMany, context)
  }
  const change = (input ?? {}) as MemoryRecord
  const isUpdate = kind.startsWith('update')
  if (isUpdate) checkInput(schema, change, 'Update', '', context.schemas)
  if (filter?.trim()) {
    throw validationError('The gateway in memory does not support filter. Use where.')
  }
  const matches = compileWhere(schema, where)
  if (matches === undefined) throw validationError('where or filter: a condition is required.')
  const matching = [...context.records].filter(([, record]) => matches(record))
  const found = isMany ? matching : matching.slice(0, 1)
  if (found.length === 0) return unchanged(`No ${schema.name} matches.`)
  for (const [id, record] of found) {
    if (isUpdate) context.records.set(id, updated(record, change, context))
    else context.records.delete(id)
  }
  return acknowledged(
    found.map(([id]) => id),
    isMany,
  )
}

function updated(
  record: MemoryRecord,
  input: MemoryRecord,
  { now, author }: MutationContext,
): MemoryRecord {
  const changed: Record<string, unknown> = { ...record, ...input }
  changed['Tags'] ??= []
  changed['LastUpdatedDate'] = now().toISOString()
  changed['LastUpdatedBy'] = author
  return changed
}

function insert(
  schema: SchemaModel,
  inputs: readonly MemoryRecord[],
  isMany: boolean,
  context: MutationContext,
): ActionResponse {
  const { records, maxPageSize, schemas } = context
  if (inputs.length > maxPageSize) {
    throw validationError(`input has more than ${maxPageSize} records.`)
  }
  for (const [index, input] of inputs.entries()) {
    checkInput(schema, input, 'Insert', isMany ? `input[${index}].` : '', schemas)
  }
  const added = inputs.map((input) => toRecord(input, context))
  const ids = added.map((record) => record['ItemId'] as string)
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index)
  if (duplicate !== undefined) return unchanged(`The ItemId ${duplicate} occurs twice.`)
  const taken = ids.filter((id) => records.has(id))
  if (taken.length > 0) {
    return unchanged(`A ${schema.name} with the ItemId ${taken.join(', ')} already exists.`)
  }
  for (const record of added) records.set(record['ItemId'] as string, record)
  return acknowledged(ids, isMany)
}

/** Adds the missing system fields of an input. Empty texts count as absent. */
export function toRecord(
  input: MemoryRecord,
  { now, newId, defaults, author }: MutationContext,
): MemoryRecord {
  const time = now().toISOString()
  return {
    CreatedDate: time,
    LastUpdatedDate: time,
    CreatedBy: author,
    LastUpdatedBy: author,
    ...input,
    ItemId: input['ItemId'] || newId(),
    Language: input['Language'] || defaults.Language,
    OrganizationId: input['OrganizationId'] || defaults.OrganizationId,
    Tags: input['Tags'] ?? [],
  }
}

function checkInput(
  schema: SchemaModel,
  input: MemoryRecord,
  on: 'Insert' | 'Update',
  path: string,
  schemas: Model['schemas'],
): void {
  const missing = missingIn(schema, input, on, path, schemas)
  if (missing.length > 0) throw validationError(`${missing.join(', ')}: a value is required.`)
  const problem = jsonProblem(input)
  if (problem !== undefined) throw validationError(problem)
}

function missingIn(
  { fields }: SchemaModel,
  values: MemoryRecord,
  on: 'Insert' | 'Update',
  path: string,
  schemas: Model['schemas'],
): readonly string[] {
  return fields.flatMap(({ name, requiredOn, object, isArray }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    const at = path + name
    if (value === undefined || value === null) {
      return requiredOn === on || requiredOn === 'Both' ? [at] : []
    }
    const nested = schemas.find(({ type }) => type === object?.type)
    if (nested === undefined) return []
    // An update replaces a nested object as a whole, so insert rules apply to it.
    return [value].flat().flatMap((part, index) => {
      const inner = isArray ? `${at}[${index}].` : `${at}.`
      return isObject(part) ? missingIn(nested, part, 'Insert', inner, schemas) : []
    })
  })
}
