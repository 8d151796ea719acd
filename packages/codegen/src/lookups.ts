import type { ResolvedOutputOptions } from '@servicekit/contract/output-options'
import { unknownName } from '@servicekit/core'
import { isSystemField } from './emit/system-fields.ts'
import { CodegenError } from './errors.ts'
import type { Model, SchemaModel } from './model.ts'
import type { FieldModel } from './model-field.ts'

/**
 * Generates pick lists and labels. An object names the fields of labels:
 * `{ Customer: ['FirstName', 'LastName'] }`.
 */
export type LookupOptions = ResolvedOutputOptions['lookups']

/** Names of fields that people know records by, the best first. */
const usualLabels = [
  ['name'],
  ['title'],
  ['displayname'],
  ['fullname'],
  ['firstname', 'lastname'],
  ['label'],
  ['subject'],
  ['number'],
  ['code'],
  ['email'],
  ['username'],
]

/**
 * Returns the fields that make up the label of a record: the configured ones, those with a usual
 * name, the first text that inserts require, the first text, or the ItemId.
 */
export function labelFields(
  { name, fields }: SchemaModel,
  lookups: LookupOptions,
): readonly FieldModel[] {
  const byName = (wanted: string): FieldModel | undefined =>
    fields.find((field) => field.name === wanted)
  const configured = typeof lookups === 'object' ? lookups[name] : undefined
  if (configured !== undefined) return configured.map((one) => byName(one)!)
  const own = fields.filter((field) => isLabel(field) && !isSystemField(field))
  for (const names of usualLabels) {
    const found = names.map((one) => own.find((field) => field.name.toLowerCase() === one))
    if (found.every((field) => field !== undefined)) return found
  }
  const texts = own.filter(isText)
  const best = texts.find(({ requiredOn }) => /Insert|Both/.test(requiredOn)) ?? texts[0]
  return [best ?? byName('ItemId')!]
}

const isLabel = ({ scalar, isArray }: FieldModel): boolean =>
  scalar !== undefined && !isArray && scalar.name !== 'GeoJson'

/** Returns whether conditions can search a field. */
export const isText = ({ scalar, isArray }: FieldModel): boolean =>
  scalar?.name === 'String' && !isArray

/** @throws CodegenError CONFIG_INVALID if a configured schema or field does not exist. */
export function checkLookups({ schemas }: Pick<Model, 'schemas'>, lookups: LookupOptions): void {
  if (typeof lookups !== 'object') return
  for (const [name, fields] of Object.entries(lookups)) {
    const schema = schemas.find((one) => one.name === name)
    if (schema === undefined) {
      const known = schemas.map((one) => one.name)
      throw invalid(unknownName('schema', name, known))
    }
    const known = schema.fields.filter(isLabel).map((field) => field.name)
    if (fields.length === 0) throw invalid(`${name} has no fields`)
    for (const field of fields) {
      if (!known.includes(field)) throw invalid(unknownName('field', field, known))
    }
  }
}

const invalid = (reason: string): CodegenError =>
  new CodegenError('Cannot resolve the option lookups', {
    code: 'CONFIG_INVALID',
    details: { reason },
    help: "Name existing schemas and scalar fields, such as { Customer: ['FirstName', 'LastName'] }.",
  })
