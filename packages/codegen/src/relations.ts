import type { ResolvedOutputOptions } from '@servicekit/contract/output-options'
import { schemaReferences, unknownName } from '@servicekit/core'
import { isSystemField } from './emit/system-fields.ts'
import { CodegenError } from './errors.ts'
import type { Model, SchemaModel } from './model.ts'
import type { FieldModel } from './model-field.ts'

/**
 * Schemas that fields refer to: `{ 'Category.ParentId': 'Category' }`. `false` means that a
 * field refers to none, although its name looks like it.
 */
export type RelationOptions = ResolvedOutputOptions['relations']

/** Field of a schema that contains ItemIds of another, or records of it. */
export interface Relation {
  readonly from: SchemaModel
  readonly field: FieldModel
  readonly to: SchemaModel
}

/**
 * Returns the relations of all schemas, in the order of schemas and fields: nested objects, the
 * configured ones, and those that follow from names. The fields `CategoryId`, `category_ids` and
 * `MainCategoryId` refer to the schema `Category`.
 *
 * @throws CodegenError CONFIG_INVALID if a configured name does not exist.
 */
export function findRelations(
  { schemas }: Pick<Model, 'schemas'>,
  configured: RelationOptions = {},
): readonly Relation[] {
  const byName = new Map(schemas.map((schema) => [schema.name, schema]))
  const byType = new Map(schemas.map((schema) => [schema.type, schema]))
  const entities = new Map(
    schemas.flatMap((schema) =>
      schema.kind === 'entity' ? [[schema.name.toLowerCase(), schema] as const] : [],
    ),
  )
  const entityOf = (field: FieldModel): SchemaModel | undefined => {
    const name = schemaNamesIn(field).find((one) => entities.has(one))
    return name === undefined ? undefined : entities.get(name)
  }
  checkNames(byName, configured)
  return schemas.flatMap((from) =>
    from.fields.flatMap((field) => {
      const given = configured[`${from.name}.${field.name}`]
      const to =
        given === undefined
          ? (byType.get(field.object?.type ?? '') ?? entityOf(field))
          : byName.get(given || '')
      return to === undefined ? [] : [{ from, field, to }]
    }),
  )
}

/** Returns the schema names that a field may refer to, in lower case, the longest first. */
function schemaNamesIn(field: FieldModel): readonly string[] {
  const isId = field.scalar?.name === 'String' || field.scalar?.name === 'ID'
  return isId && !isSystemField(field) ? schemaReferences(field.name) : []
}

function checkNames(schemas: ReadonlyMap<string, SchemaModel>, configured: RelationOptions): void {
  const fields = [...schemas.values()].flatMap((schema) =>
    schema.fields.map(({ name }) => `${schema.name}.${name}`),
  )
  for (const [field, target] of Object.entries(configured)) {
    if (!fields.includes(field)) throw invalid(unknownName('field', field, fields))
    if (target !== false && !schemas.has(target)) {
      throw invalid(unknownName('schema', target, [...schemas.keys()]))
    }
  }
}

const invalid = (reason: string): CodegenError =>
  new CodegenError('Cannot resolve the option relations', {
    code: 'CONFIG_INVALID',
    details: { reason },
    help: "Name existing fields and schemas, such as { 'Category.ParentId': 'Category' }.",
  })
