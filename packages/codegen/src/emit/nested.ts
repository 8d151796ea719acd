import type { SchemaModel } from '../model.ts'
import { objectFields, scalarFields } from './types.ts'

/**
 * Types of a nested selection. They are printed per schema rather than computed
 * from a general type: that is what keeps a selection three levels deep within
 * about a hundred type instantiations.
 *
 * `OrderShape` is what may be written, `OrderRow<S>` what a shape S brings.
 */
export function emitNested(schema: SchemaModel): string {
  return emitShape(schema) + emitShapedRow(schema)
}

function emitShape(schema: SchemaModel): string {
  let text = `\n/** A nested selection of {@link ${schema.type}}: \`true\` for a scalar, a shape for an object. */\nexport interface ${schema.type}Shape {\n`
  for (const field of scalarFields(schema)) text += `  readonly ${field.name}?: true\n`
  for (const field of objectFields(schema)) {
    text += `  readonly ${field.name}?: ${field.object?.type}Shape\n`
  }
  return `${text}}\n`
}

function emitShapedRow(schema: SchemaModel): string {
  const { type } = schema
  const head = `\n/** The members of {@link ${type}} that a shape selects. */\nexport type ${type}Row<S> = `
  const objects = objectFields(schema)
  if (objects.length === 0) return `${head}Pick<${type}, keyof S & keyof ${type}>\n`
  let text = `${head}{\n  readonly [K in keyof S & keyof ${type}]: `
  for (const field of objects) {
    const row = `${field.object?.type}Row<S[K]>`
    const value = field.isArray ? `readonly (${row} | null)[] | null` : `${row} | null`
    text += `K extends '${field.name}'\n    ? ${value}\n    : `
  }
  return `${text}${type}[K]\n}\n`
}
