import { byCodePoint, upperFirst } from '@servicekit/core'
import type { Model, SchemaModel } from '../model.ts'
import type { FieldModel } from '../model-field.ts'
import { claim, identifiersOf } from '../names.ts'
import type { EmittedFile } from './file.ts'
import type { ValueSource } from './source.ts'
import { isSystemField } from './system-fields.ts'

/** Name of the file with the keys to translate, in the format of a translation file. */
export const labelsName = 'gateway.labels.json'

/** Keys of the labels of all schemas and fields, with their texts. */
export interface Labels {
  readonly texts: ReadonlyMap<string, string>
  /** Keys of schemas. */
  readonly schemas: ReadonlyMap<SchemaModel, string>
  readonly fields: ReadonlyMap<FieldModel, string>
}

/**
 * Builds a key for each schema and field: `ORDER` and `ORDER__PLACED_AT`. The fields that every
 * record has share their keys, such as `RECORD__CREATED_DATE`.
 */
export function buildLabels({ schemas: all }: Model): Labels {
  const texts = new Map<string, string>()
  const schemas = new Map<SchemaModel, string>()
  const fields = new Map<FieldModel, string>()
  const taken = new Set<string>()
  const add = (wanted: string, name: string): string => {
    const key = claim(identifiersOf(wanted, name), taken)
    texts.set(key, labelText(name))
    return key
  }
  const shared = new Map<string, string>()
  for (const schema of all) {
    const own = add(wordsOf(schema.type).join('_').toUpperCase(), schema.type)
    schemas.set(schema, own)
    for (const field of schema.fields) {
      const { name } = field
      const isShared = schema.kind === 'entity' && isSystemField(field)
      const known = isShared ? shared.get(name) : undefined
      const start = isShared ? 'RECORD' : own
      const key = known ?? add(`${start}__${wordsOf(name).join('_').toUpperCase()}`, name)
      if (isShared) shared.set(name, key)
      fields.set(field, key)
    }
  }
  return { texts, schemas, fields }
}

/** Emits `gateway.labels.json`: the keys to translate with their texts in English, sorted. */
export function emitLabelsFile({ texts }: Labels): EmittedFile {
  const sorted = [...texts].sort(([left], [right]) => byCodePoint(left, right))
  return { name: labelsName, text: `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n` }
}

/** Emits the keys of a schema and of its fields: `ProductSchemaLabel` and `ProductLabels`. */
export function emitLabels(
  schema: SchemaModel,
  { schemas, fields }: Labels,
): readonly ValueSource[] {
  const { type } = schema
  const keys = schema.fields.map((field) => {
    const name = field.name === '__proto__' ? `['__proto__']` : field.name
    return [name, `'${fields.get(field)}'`] as const
  })
  const key = `'${schemas.get(schema)}'`
  return [
    {
      comment: `/** Key of the label of {@link ${type}} in the translations. */\n`,
      name: `${type}SchemaLabel`,
      type: key,
      value: key,
    },
    {
      comment: `/** Keys of the labels of the fields of {@link ${type}}. */\n`,
      name: `${type}Labels`,
      type: `{\n${keys.map(([name, one]) => `  readonly ${name}: ${one}\n`).join('')}}`,
      value: `{${keys.map(([name, one]) => `\n  ${name}: ${one},`).join('')}\n}`,
    },
  ]
}

/** `['Unit', 'Price']` for `UnitPrice` and `unit_price`, `['SKU', 'Code']` for `SKUCode`. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1_$2')
    .split('_')
    .filter((word) => word !== '')

/** `Unit price` for `UnitPrice`, `Category ID` for `CategoryId`. */
const labelText = (name: string): string => {
  const words = wordsOf(name).map((word) => {
    if (/^ids?$/i.test(word)) return word.length === 2 ? 'ID' : 'IDs'
    return /^\p{Lu}{2,}$/u.test(word) ? word : word.toLowerCase()
  })
  return upperFirst(words.join(' ') || name)
}
