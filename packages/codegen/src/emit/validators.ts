import type { Model, SchemaModel } from '../model.ts'
import type { FieldModel } from '../model-field.ts'
import { type EmittedFile } from './file.ts'
import {
  type PrintOptions,
  type Collectors,
  ImportCollector,
  printModule,
  type ValueSource,
} from './source.ts'
import { insertFields, isRequired, isRequiredOnUpdate, isUpdated, updateFields } from './types.ts'

/** Emits the Standard Schema validators of the inputs and rows of a schema. */
export function emitValidators(
  schema: SchemaModel,
  { types, uses }: Collectors,
): readonly ValueSource[] {
  const { type } = schema
  types.add('gateway-validate', 'StandardSchema')
  uses.add('gateway-validate', 'validator')
  const members = (
    fields: readonly FieldModel[],
    isRequired: (field: FieldModel) => boolean,
    suffix: string,
  ): string =>
    fields
      .map((field) => {
        const end = isRequired(field) ? '!' : ''
        return member(field, end, (object) => `${object.type}${suffix}`, schema, uses)
      })
      .join(',')
  const validator = (name: string, of: string, args: string): ValueSource => ({
    comment: `/** Standard Schema validator of {@link ${name}}. */\n`,
    name: of,
    type: `StandardSchema<${name === type ? `Partial<${type}>` : name}>`,
    value: `/* @__PURE__ */ validator(${args})`,
  })
  const rows = schema.fields.filter(({ scalar, object }) => scalar ?? object)
  const inserts = members(insertFields(schema), isRequired, 'InsertSchema')
  const all = [
    validator(`${type}InsertInput`, `${type}InsertSchema`, `{${inserts}\n}`),
    validator(type, `${type}Schema`, `{${members(rows, () => false, 'Schema')}\n}, true`),
  ]
  if (!isUpdated(schema)) return all
  // Nested objects are replaced as a whole.
  const updates = members(updateFields(schema), isRequiredOnUpdate, 'InsertSchema')
  return [...all, validator(`${type}UpdateInput`, `${type}UpdateSchema`, `{${updates}\n}`)]
}

/**
 * Emits `gateway-responses`: the validators of the rows of each list, which `reportDrift`
 * compares with responses. Only code for development imports it, since it contains all schemas.
 */
export function emitResponses(model: Model, options: PrintOptions): readonly EmittedFile[] {
  const types = new ImportCollector()
  const uses = new ImportCollector()
  types.add('gateway-validate', 'StandardSchema')
  const members = model.schemas.flatMap(({ file, type, list }) => {
    if (list === undefined) return []
    uses.add(file, `${type}Schema`)
    return [`\n  ${list.field}: ${type}Schema,`]
  })
  const responses = {
    comment: '/** Validators of the rows of each list. */\n',
    name: 'responseSchemas',
    type: 'Readonly<Record<string, StandardSchema<unknown>>>',
    value: `{${members.join('')}\n}`,
  }
  return printModule(
    {
      file: 'gateway-responses',
      types: '',
      values: [responses],
      typeImports: types.imports,
      valueImports: uses.imports,
    },
    options,
  )
}

/**
 * Returns a member of a specification: `Name: 'String!'`, `Tags: '[String]'`, and for
 * nested objects `Lines: { type: '[]!', of: () => OrderLineInsertSchema }`. It is a function
 * because modules may import each other.
 */
export function member(
  { name, type, isArray, scalar, object }: FieldModel,
  end: string,
  valueOf: (object: { readonly type: string }) => string,
  schema: SchemaModel,
  uses: Collectors['uses'],
): string {
  const key = name === '__proto__' ? `['__proto__']` : name
  if (object === undefined) {
    const known = scalar === undefined ? 'unknown' : (scalar.sample ?? type)
    return `\n  ${key}: '${isArray ? `[${known}]` : known}${end}'`
  }
  const value = valueOf(object)
  if (object.type !== schema.type) uses.add(object.file, value)
  return `\n  ${key}: { type: '${isArray ? '[]' : ''}${end}', of: () => ${value} }`
}
