import type { SchemaModel } from '../model.ts'
import { byCodePoint } from '../names.ts'
import { type EmittedFile, fileHead } from './file.ts'
import { emitNested } from './nested.ts'
import { emitInsert, emitList } from './operations.ts'
import {
  emitField,
  emitInsertInput,
  emitListVariables,
  emitRow,
  emitWhere,
  filterable,
  insertFields,
  objectFields,
  scalarFields,
} from './types.ts'

export interface EmitOptions {
  /** Ending of relative imports: `.js` serves Node and every bundler. */
  readonly importExtension: string
}

/** The module of one schema: its types and, for an entity, its operations. */
export function emitModule(
  schema: SchemaModel,
  { importExtension, nestable }: EmitOptions & { readonly nestable: ReadonlySet<string> },
): EmittedFile {
  let body = emitRow(schema)
  if (schema.list !== undefined) {
    body += emitField(schema) + emitWhere(schema) + emitListVariables(schema)
  }
  if (nestable.has(schema.type)) body += emitNested(schema)
  body += emitInsertInput(schema)
  if (schema.list !== undefined) body += emitList(schema, schema.list)
  if (schema.insert !== undefined) body += emitInsert(schema, schema.insert)
  return {
    name: `${schema.file}.ts`,
    text: fileHead + emitImports(schema, nestable, importExtension) + body,
  }
}

function emitImports(
  schema: SchemaModel,
  nestable: ReadonlySet<string>,
  extension: string,
): string {
  const values: string[] = []
  const types = new Set<string>()
  for (const { scalar } of scalarFields(schema))
    if (scalar?.output === 'GeoJson') types.add('GeoJson')
  for (const { scalar } of insertFields(schema)) {
    if (scalar?.input === 'DateTimeInput') types.add('DateTimeInput')
  }
  if (schema.list !== undefined) {
    values.push('list')
    if (objectFields(schema).length > 0) {
      values.push('listNested')
      types.add('GatewayPage')
    }
    for (const { scalar } of filterable(schema)) if (scalar?.filter) types.add(scalar.filter)
    for (const name of ['GatewayPageInfo', 'GatewayPaging', 'GatewaySort']) types.add(name)
  }
  if (schema.insert !== undefined) {
    values.push('insert')
    types.add('MutationResult')
  }
  if (values.length > 0) {
    for (const name of ['Gateway', 'GatewayDocument', 'GatewayFailure', 'GatewaySuccess'])
      types.add(name)
  }

  const from = (file: string): string => ` } from './${file}${extension}'\n`
  let text = ''
  if (values.length > 0) text += `import { ${values.sort(byCodePoint).join(', ')}${from('gateway')}`
  if (types.size > 0) {
    const lines = [...types].sort(byCodePoint).map((name) => `\n  ${name},`)
    text += `import type {${lines.join('')}\n${from('gateway').slice(1)}`
  }
  for (const [file, type] of objectsOf(schema)) {
    const names = [type, `${type}InsertInput`]
    if (nestable.has(schema.type)) names.push(`${type}Row`, `${type}Shape`)
    text += `import type { ${names.join(', ')}${from(file)}`
  }
  return text
}

/** Modules of the nested objects, each once; a schema that holds itself needs no import. */
function objectsOf(schema: SchemaModel): readonly (readonly [file: string, type: string])[] {
  const modules = new Map<string, string>()
  for (const { object } of schema.fields) {
    if (object !== undefined && object.type !== schema.type) modules.set(object.file, object.type)
  }
  return [...modules].sort(([left], [right]) => byCodePoint(left, right))
}
