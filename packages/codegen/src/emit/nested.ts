import type { SchemaModel } from '../model.ts'
import type { PrintOptions } from './source.ts'
import { descriptionComment, objectFields, scalarFields } from './types.ts'

/**
 * Emits the types of a nested selection. They are written out per schema instead of being
 * computed from a generic type, which limits a selection of three levels to about a
 * hundred type instantiations.
 *
 * `OrderShape` is the selection, `OrderRow<S>` the result of a selection S.
 */
export function emitNested(
  schema: SchemaModel,
  options: Pick<PrintOptions, 'importExtension'>,
): string {
  return emitShape(schema) + emitShapedRow(schema, options)
}

function emitShape(schema: SchemaModel): string {
  let text = `\n/** A nested selection of {@link ${schema.type}}: \`true\` for a scalar, a shape for an object. */\nexport interface ${schema.type}Shape {\n`
  for (const { name, description } of scalarFields(schema)) {
    text += `${descriptionComment(description)}  readonly ${name}?: true\n`
  }
  for (const { name, description, object } of objectFields(schema)) {
    text += `${descriptionComment(description)}  readonly ${name}?: ${object?.type}Shape\n`
  }
  return `${text}}\n`
}

function emitShapedRow(
  schema: SchemaModel,
  { importExtension }: Pick<PrintOptions, 'importExtension'>,
): string {
  const { type, file } = schema
  const head = `\n/** The members of {@link ${type}} that a shape selects. */\nexport type ${type}Row<S`
  const objects = objectFields(schema)
  if (objects.length === 0) return `${head}> = GatewayPick<${type}, keyof S & keyof ${type}>\n`
  // A pick of an interface keeps go-to-definition working.
  let text = `${head} extends GatewayShape> = GatewayPick<${type}Members<S>, keyof S & keyof ${type}>\n`
  text += `\n/** {@link ${type}} with its objects as a shape selects them. */\nexport interface ${type}Members<S extends GatewayShape> extends ${type}Scalars {\n`
  for (const { name, description, object, isArray } of objects) {
    // Editors show an imported type by its name, and the members of one from an import type.
    const from = object?.file === file ? '' : `import('./${object?.file}${importExtension}').`
    const row = `${from}${object?.type}Row<S['${name}']>`
    text += `${descriptionComment(description)}  readonly ${name}: ${isArray ? `readonly (${row} | null)[]` : row} | null\n`
  }
  return `${text}}\n`
}
