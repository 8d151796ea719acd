import { isGraphqlName } from '@servicekit/core'
import type { SchemaNames } from './names.ts'
import type { NormalField, NormalSchema, RequiredOn } from './normalise.ts'
import type { Problem } from './problem.ts'
import { enumScalar, type Scalar, scalarByAnyCase, scalars } from './scalars.ts'

/**
 * Field after deduplication. Either `scalar` or `object` is set. Neither is set for a
 * type that is not in the listing; such a field can be inserted but not selected.
 */
export interface FieldModel {
  readonly name: string
  /** Type name in the listing, for documentation. */
  readonly type: string
  readonly isArray: boolean
  readonly requiredOn: RequiredOn
  readonly description: string
  /**
   * `false` for a field whose name differs from that of an earlier one only in case. Selections
   * without `select` omit it, because it may be the same field in the gateway (section 4.5 rule 3).
   */
  readonly isSelected: boolean
  readonly scalar: Scalar | undefined
  readonly object: SchemaNames | undefined
}

/** Types that fields may refer to. */
export interface NestedTypes {
  readonly names: ReadonlyMap<string, SchemaNames>
  /** Schema names of the fields with inline objects. */
  readonly nameOf: ReadonlyMap<NormalField, string>
}

/** Names that cannot be used as fields in conditions because they combine conditions. */
export const logicalOperators: ReadonlyMap<string, string> = new Map([
  ['and', 'All of these must hold.'],
  ['or', 'One of these must hold.'],
])

const itemId: NormalField = {
  name: 'ItemId',
  type: 'String',
  isArray: false,
  requiredOn: 'None',
  description: '',
  fields: [],
}

/**
 * Builds the fields of a schema. A name that is listed twice is one field, that of the first
 * entry. `ItemId` is always present and first on an entity (section 4.5 rule 3).
 */
export function buildFields(
  schema: NormalSchema,
  { names, nameOf }: NestedTypes,
  problems: Problem[],
): readonly FieldModel[] {
  const firstNames = new Map<string, string>()
  const fields = new Map<string, FieldModel>()
  for (const field of schema.kind === 'entity' ? withItemId(schema.fields) : schema.fields) {
    if (fields.has(field.name)) {
      report('info', 'DUPLICATE_FIELD', field, 'is listed twice; the first entry is used')
    } else if (isGraphqlName(field.name)) {
      const first = firstNames.get(field.name.toLowerCase())
      if (first === undefined) firstNames.set(field.name.toLowerCase(), field.name)
      else {
        const message = `differs from ${first} only in case, so it is selected only by its name`
        report('info', 'DUPLICATE_FIELD', field, message)
      }
      fields.set(field.name, buildField(field, first === undefined))
      if (schema.kind === 'entity' && logicalOperators.has(field.name)) {
        const message = 'combines conditions, so there are none on this field'
        report('info', 'WHERE_RESERVED', field, message)
      }
    } else {
      const message = 'is not a valid GraphQL name and was skipped'
      report('warning', 'NAME_NOT_GRAPHQL', field, message)
    }
  }
  return [...fields.values()]

  function buildField(field: NormalField, isSelected: boolean): FieldModel {
    const { name, isArray, requiredOn, description } = field
    const { scalar, object } = resolveType(field)
    const type = scalar?.name ?? field.type
    return { name, type, isArray, requiredOn, description, isSelected, scalar, object }
  }

  function resolveType(field: NormalField): Partial<Pick<FieldModel, 'scalar' | 'object'>> {
    const scalar = scalars.get(field.type)
    if (scalar !== undefined) return { scalar }
    if (field.values !== undefined && isGraphqlName(field.type))
      return { scalar: enumScalar(field.type, field.values) }
    const inline = nameOf.get(field)
    if (inline !== undefined) return { object: names.get(inline) }
    const object = names.get(field.type)
    if (object !== undefined && isGraphqlName(field.type)) return { object }
    const similar = scalarByAnyCase(field.type)
    if (similar !== undefined) {
      report('info', 'TYPE_SPELLING', field, `type ${field.type} is treated as ${similar.name}`)
      return { scalar: similar }
    }
    if (field.type === '') {
      report('warning', 'TYPE_MISSING', field, 'has no type, so it cannot be selected')
    } else {
      const message = `type ${field.type} is neither a scalar nor a listed schema, so it cannot be selected`
      report('warning', 'TYPE_UNKNOWN', field, message)
    }
    return {}
  }

  function report(
    severity: Problem['severity'],
    code: Problem['code'],
    field: NormalField,
    message: string,
  ): void {
    problems.push({ severity, code, schema: schema.name, field: field.name, message })
  }
}

/** Moves the listed `ItemId` to the front. */
function withItemId(fields: readonly NormalField[]): readonly NormalField[] {
  const at = fields.findIndex((field) => field.name === itemId.name)
  const given = fields[at]
  const rest = fields.filter((_, index) => index !== at)
  return [given === undefined || !scalars.has(given.type) ? itemId : given, ...rest]
}
