import { jsonProblem } from '../projects/storable.ts'
import { validationError } from './gateway-error.ts'
import type { DataModel, FieldModel, TypeModel } from './model.ts'

/** Input values by field, as coerced by GraphQL. */
export type Values = Readonly<Record<string, unknown>>

/**
 * Checks what GraphQL types do not cover: values required by `requiredOn`, including
 * those in nested objects, and strings that PostgreSQL cannot store.
 *
 * @throws GraphQLError `VALIDATION_ERROR`
 */
export function checkInput(
  type: TypeModel,
  types: DataModel['types'],
  input: Values,
  on: 'insert' | 'update',
  path = '',
): void {
  const missing = missingIn(type, types, input, on, path)
  if (missing.length > 0) throw validationError(`${missing.join(', ')}: a value is required.`)
  const fault = jsonProblem(input)
  if (fault) throw validationError(fault)
}

function missingIn(
  type: TypeModel,
  types: DataModel['types'],
  values: Values,
  on: 'insert' | 'update',
  path: string,
): readonly string[] {
  return type.fields.flatMap((field) => {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined
    const at = path + field.name
    const isRequired = on === 'insert' ? field.isRequiredOnInsert : field.isRequiredOnUpdate
    if (value === undefined || value === null) return isRequired ? [at] : []
    const nested = field.object === undefined ? undefined : types.get(field.object)
    // An update replaces a nested object as a whole, so insert rules apply to it.
    return nested ? missingInNested(field, nested, types, value, at) : []
  })
}

function missingInNested(
  field: FieldModel,
  nested: TypeModel,
  types: DataModel['types'],
  value: unknown,
  at: string,
): readonly string[] {
  const parts = field.isArray ? (value as readonly unknown[]) : [value]
  return parts.flatMap((part, index) => {
    if (typeof part !== 'object' || part === null) return []
    const inner = field.isArray ? `${at}[${index}].` : `${at}.`
    return missingIn(nested, types, part as Values, 'insert', inner)
  })
}
