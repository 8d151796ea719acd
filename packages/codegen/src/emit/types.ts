import type { SchemaModel } from '../model.ts'
import { type FieldModel, logicalOperators } from '../model-field.ts'
import { commentCode, commentText } from './comment.ts'
import type { ImportCollector } from './source.ts'
import { type OwnFields, serviceFields } from './system-fields.ts'

/** Returns the fields allowed in a flat selection. */
export function scalarFields(schema: SchemaModel): readonly FieldModel[] {
  return schema.fields.filter((field) => field.scalar !== undefined)
}

/** Returns the type of the fields in a selection without `select`. */
export function selectedFields(schema: SchemaModel): string {
  const others = scalarFields(schema).filter(({ isSelected }) => !isSelected)
  const type = `${schema.type}Field`
  return others.length === 0
    ? type
    : `Exclude<${type}, ${others.map(({ name }) => `'${name}'`).join(' | ')}>`
}

/** Returns the types of all fields and, if they differ, of those in a selection without `select`. */
export function typesOfFields(schema: SchemaModel): string {
  const all = `${schema.type}Field`
  const selected = selectedFields(schema)
  return selected === all ? all : `${all}, ${selected}`
}

export function objectFields(schema: Pick<SchemaModel, 'fields'>): readonly FieldModel[] {
  return schema.fields.filter((field) => field.object !== undefined)
}

/**
 * Emits the row type: every scalar of the schema and, for nested selections, its objects.
 */
export function emitRow(
  schema: SchemaModel,
  { fields, base }: OwnFields,
  imports: ImportCollector,
): string {
  const what =
    schema.list === undefined
      ? commentCode(schema.name)
      : `Row of ${commentCode(schema.name)}, as returned by ${commentCode(schema.list.field)}`
  if (base) imports.add('gateway', 'GatewayRecord')
  const objects = fields.filter(({ object }) => object !== undefined)
  const scalars = fields.filter(({ scalar }) => scalar !== undefined)
  const begin = (type: string, parent: string): string =>
    `export interface ${type}${parent === '' ? '' : ` extends ${parent}`} {\n`
  const record = base ? 'GatewayRecord' : ''
  if (objects.length === 0) {
    return `\n/** ${what}. */\n${begin(schema.type, record)}${members(scalars)}}\n`
  }
  const name = `${schema.type}Scalars`
  return `
/** Scalar fields of {@link ${schema.type}}. */
${begin(name, record)}${members(scalars)}}

/** ${what}. */
${begin(schema.type, name)}${members(objects)}}
`

  function members(some: readonly FieldModel[]): string {
    let text = ''
    for (const field of some) {
      const type = field.scalar?.output ?? field.object?.type
      if (type === 'GeoJson') imports.add('gateway', type)
      // Every row of an entity has an ItemId (section 4.5 rule 3).
      const isCertain = schema.kind === 'entity' && field.name === 'ItemId'
      const value = field.isArray ? `readonly (${type} | null)[]` : type
      text += `${emitFieldComment(field)}  readonly ${field.name}: ${value}${isCertain ? '' : ' | null'}\n`
    }
    return text
  }
}

/** Emits the type of field names allowed in flat selections and sort orders. */
export function emitField(schema: SchemaModel): string {
  const row = objectFields(schema).length === 0 ? schema.type : `${schema.type}Scalars`
  return `\n/** Scalar fields of {@link ${schema.type}}. */\nexport type ${schema.type}Field = keyof ${row}\n`
}

/**
 * Emits the condition type: one filter per filterable scalar. Lists of scalars have no
 * filters.
 */
export function emitWhere(
  schema: SchemaModel,
  { fields, base }: OwnFields,
  nestedFilters: boolean,
  imports: ImportCollector,
): string {
  const name = `${schema.type}Where`
  if (base) imports.add('gateway', 'GatewayRecordWhere')
  let text = `\n/** Conditions on {@link ${schema.type}}; all members of one object must hold. */\nexport interface ${name}${base ? ' extends GatewayRecordWhere' : ''} {\n`
  for (const { name: field, scalar, isArray, description } of fields) {
    if (scalar?.filter === undefined || isArray || logicalOperators.has(field)) continue
    imports.add('gateway', scalar.filter)
    text += `${descriptionComment(description)}  readonly ${field}?: ${scalar.filter}\n`
  }
  for (const { name: field, object, description } of nestedFilters ? filteredObjects(schema) : []) {
    if (object.file !== schema.file) imports.add(object.file, `${object.type}Where`)
    text += `${descriptionComment(description)}  readonly ${field}?: ${object.type}Where\n`
  }
  for (const [joiner, meaning] of schema.kind === 'entity' ? logicalOperators : []) {
    text += `${descriptionComment(meaning)}  readonly ${joiner}?: readonly ${name}[]\n`
  }
  return `${text}}\n`
}

/** Returns the nested objects on whose fields there are conditions: none of a list. */
export const filteredObjects = ({ fields }: SchemaModel) =>
  fields.flatMap((field) =>
    field.object === undefined || field.isArray || logicalOperators.has(field.name)
      ? []
      : [{ ...field, object: field.object }],
  )

/** Returns whether the schema can be changed by a condition. */
export const isChanged = ({ mutations }: SchemaModel): boolean =>
  (['update', 'updateMany', 'delete', 'deleteMany'] as const).some((kind) => mutations[kind])

/**
 * Emits the conditions of updates and deletes, none of which may be empty, and the type of a
 * condition that has at least one of them.
 */
export function emitCondition(
  schema: SchemaModel,
  { fields, base }: OwnFields,
  nestedFilters: boolean,
  imports: ImportCollector,
): string {
  const { type } = schema
  imports.add('gateway-mutations', 'GatewayCondition')
  if (base) imports.add('gateway-mutations', 'GatewayRecordConditions')
  let text = `\n/** Conditions of updates and deletes of {@link ${type}}. */\nexport interface ${type}Conditions${base ? ' extends GatewayRecordConditions' : ''} {\n`
  for (const { name, scalar, isArray } of fields) {
    if (scalar?.filter === undefined || isArray || logicalOperators.has(name)) continue
    const condition = scalar.filter.replace('Filter', 'Condition')
    imports.add('gateway-mutations', condition)
    text += `  readonly ${name}?: ${condition}\n`
  }
  for (const { name, object } of nestedFilters ? filteredObjects(schema) : []) {
    imports.add('gateway-mutations', 'GatewayFilled')
    text += `  readonly ${name}?: GatewayFilled<${object.type}Where>\n`
  }
  return `${text}  readonly and?: readonly ${type}Where[]
  readonly or?: readonly ${type}Condition[]
}

/** Condition of updates and deletes of {@link ${type}}: at least one, on any field. */
export type ${type}Condition = GatewayCondition<${type}Conditions, ${type}Where>
`
}

/** Emits the variables of a list query, its options and its page type. */
export function emitListTypes(schema: SchemaModel): string {
  const { type, list } = schema
  const isNested = objectFields(schema).length > 0
  return `
/** Variables of {@link ${list?.identifier}}. */
export interface ${type}ListVariables {
  /** Conditions on the rows. */
  readonly where?: ${type}Where
  /** Sort criteria, the most important first. */
  readonly order?: readonly ${type}Sort[]
  /** Page to read; without it the gateway returns 10 rows. */
  readonly paging?: GatewayPaging
}

/** Sort criterion of {@link ${list?.identifier}}. */
export interface ${type}Sort {
  readonly field: ${type}Field
  /** \`ASC\` by default. */
  readonly direction?: 'ASC' | 'DESC'
}

/**
 * Page of {@link ${type}} rows with the fields F; every list includes ItemId. Members are
 * optional if the length L of the selection is not certain.
 */
export interface ${type}Page<F extends keyof R, L = 1, R = ${isNested ? `${type}Scalars` : type}> extends GatewayPageInfo {
  readonly items: readonly (number extends L
    ? { readonly ItemId: string } & { readonly [K in F]?: R[K] }
    : { readonly [K in F]: R[K] })[]
}
${isNested ? emitNestedOptions(schema) : ''}`
}

function emitNestedOptions({ type, list }: SchemaModel): string {
  return `
/** Options of {@link ${list?.identifier}Nested}: the variables, and the members to select. */
export interface ${type}NestedOptions<S> extends ${type}ListVariables {
  /** Members to select: \`true\`, or a nested selection of an object; ItemId is always included. */
  readonly select: S
}
`
}

export function insertFields(schema: SchemaModel): readonly FieldModel[] {
  if (schema.kind === 'object') return schema.fields
  return schema.fields.filter((field) => !serviceFields.has(field.name) || isRequired(field))
}

/** Emits the insert input. Only fields whose `requiredOn` includes inserts are required. */
export function emitInsertInput(
  schema: SchemaModel,
  { fields, base }: OwnFields,
  imports: ImportCollector,
): string {
  const what =
    schema.mutations.insert === undefined
      ? `Input of an insert that contains {@link ${schema.type}}`
      : `Input of {@link ${schema.mutations.insert.identifier}}`
  if (base) imports.add('gateway', 'GatewayRecordInput')
  const head = `\n/** ${what}. */\nexport interface ${schema.type}InsertInput${base ? ' extends GatewayRecordInput' : ''} {\n`
  const members = emitInputMembers(base ? fields : insertFields(schema), isRequired, imports)
  return `${head}${members}}\n`
}

function emitInputMembers(
  fields: readonly FieldModel[],
  isRequired: (field: FieldModel) => boolean,
  imports: ImportCollector,
): string {
  let text = ''
  for (const field of fields) {
    const type = field.scalar?.input ?? (field.object && `${field.object.type}InsertInput`)
    if (type === 'GeoJson' || type === 'DateTimeInput' || type?.startsWith('Long'))
      imports.add('gateway', type)
    const item = type ?? 'unknown'
    const whole = field.isArray ? `readonly ${item.includes(' ') ? `(${item})` : item}[]` : item
    text += emitFieldComment(field)
    text += isRequired(field)
      ? `  readonly ${field.name}: ${whole}\n`
      : `  readonly ${field.name}?: ${whole} | null | undefined\n`
  }
  return text
}

/** Returns whether user code creates the update input of the schema. */
export const isUpdated = ({ mutations }: SchemaModel): boolean =>
  mutations.update !== undefined || mutations.updateMany !== undefined

/** Returns whether an operation of the schema takes conditions. */
export const hasConditions = (schema: SchemaModel): boolean =>
  schema.list !== undefined || isChanged(schema)

/** Returns the fields that an update may set. */
export const updateFields = (schema: SchemaModel): readonly FieldModel[] =>
  schema.fields.filter(
    (field) =>
      field.name !== 'ItemId' && (!serviceFields.has(field.name) || isRequiredOnUpdate(field)),
  )

/** Emits the update input. Only fields whose `requiredOn` includes updates are required. */
export function emitUpdateInput(
  schema: SchemaModel,
  { fields, base }: OwnFields,
  imports: ImportCollector,
): string {
  const { type, mutations } = schema
  const { identifier } = (mutations.update ?? mutations.updateMany)!
  if (base) imports.add('gateway', 'GatewayRecordUpdate')
  const head = `\n/** Input of {@link ${identifier}}. Omitted fields keep their value; nested objects are replaced as a whole. */\nexport interface ${type}UpdateInput${base ? ' extends GatewayRecordUpdate' : ''} {\n`
  const members = emitInputMembers(
    base ? fields : updateFields(schema),
    isRequiredOnUpdate,
    imports,
  )
  return `${head}${members}}\n`
}

export const isRequiredOnUpdate = ({ requiredOn }: FieldModel): boolean =>
  requiredOn === 'Update' || requiredOn === 'Both'

export function isRequired(field: FieldModel): boolean {
  return field.requiredOn === 'Insert' || field.requiredOn === 'Both'
}

const requirements = {
  None: '',
  Insert: ', required on insert',
  Update: ', required on update',
  Both: ', required on insert and update',
} as const

/** Types that need no comment about the gateway's type. */
const plain: ReadonlySet<string> = new Set(['String', 'Boolean', 'GeoJson'])

/** Returns the description of a member as a doc comment. */
export function descriptionComment(description: string): string {
  return description === '' ? '' : `  /** ${sentence(description)} */\n`
}

const sentence = (description: string): string =>
  commentText(description).replace(/([^.!?])$/, '$1.')

/**
 * Returns the comment of a field with information beyond its type: the description, the
 * gateway's type, when it is required.
 */
function emitFieldComment(field: FieldModel): string {
  const description = sentence(field.description)
  const isObvious = field.object !== undefined || plain.has(field.type)
  if (description === '' && isObvious && field.requiredOn === 'None') return ''
  const type = commentCode(field.isArray ? `[${field.type}]` : field.type || 'unknown')
  const text = [description, `${type}${requirements[field.requiredOn]}.`].filter(Boolean).join(' ')
  return `  /** ${text} */\n`
}
