import type { SchemaModel } from '../model.ts'
import type { FieldModel } from '../model-field.ts'
import { commentCode, commentText } from './comment.ts'

/** Fields that a flat selection may hold. */
export function scalarFields(schema: SchemaModel): readonly FieldModel[] {
  return schema.fields.filter((field) => field.scalar !== undefined)
}

export function objectFields(schema: SchemaModel): readonly FieldModel[] {
  return schema.fields.filter((field) => field.object !== undefined)
}

/** The row: every scalar of the schema and, for nested selections, its objects. */
export function emitRow(schema: SchemaModel): string {
  const what =
    schema.list === undefined
      ? commentCode(schema.name)
      : `${commentCode(schema.name)}, as ${commentCode(schema.list.field)} lists it`
  let text = `\n/** ${what}. */\nexport interface ${schema.type} {\n`
  for (const field of schema.fields) {
    const type = field.scalar?.output ?? field.object?.type
    if (type === undefined) continue
    text += `${emitFieldComment(field)}  readonly ${field.name}: ${field.isArray ? `readonly (${type} | null)[]` : type} | null\n`
  }
  return `${text}}\n`
}

/** Union of the names that a flat selection and an order may hold. */
export function emitField(schema: SchemaModel): string {
  const names = scalarFields(schema).map((field) => `\n  | '${field.name}'`)
  return `\n/** Scalar fields of {@link ${schema.type}}. */\nexport type ${schema.type}Field =${names.join('')}\n`
}

/** Names that a condition cannot carry, since they join conditions. */
const joiners: ReadonlySet<string> = new Set(['and', 'or'])

/** Conditions: one filter per scalar that has one; lists of scalars have none. */
export function emitWhere(schema: SchemaModel): string {
  const name = `${schema.type}Where`
  let text = `\n/** Conditions on {@link ${schema.type}}; all members of one object must hold. */\nexport interface ${name} {\n`
  for (const field of filterable(schema)) {
    text += `  readonly ${field.name}?: ${field.scalar?.filter} | undefined\n`
  }
  for (const joiner of joiners) text += `  readonly ${joiner}?: readonly ${name}[] | undefined\n`
  return `${text}}\n`
}

export function filterable(schema: SchemaModel): readonly FieldModel[] {
  return schema.fields.filter(
    (field) => field.scalar?.filter !== undefined && !field.isArray && !joiners.has(field.name),
  )
}

/** Everything of a list query but its selection: the variables of its document. */
export function emitListVariables(schema: SchemaModel): string {
  return `
/** What {@link ${schema.list?.identifier}} can be asked. */
export interface ${schema.type}ListVariables {
  readonly where?: ${schema.type}Where | undefined
  readonly order?: readonly GatewaySort<${schema.type}Field>[] | undefined
  readonly paging?: GatewayPaging | undefined
}
`
}

/** Set by the service on every insert. */
const serviceFields: ReadonlySet<string> = new Set([
  'CreatedDate',
  'LastUpdatedDate',
  'CreatedBy',
  'LastUpdatedBy',
])

export function insertFields(schema: SchemaModel): readonly FieldModel[] {
  if (schema.kind === 'object') return schema.fields
  return schema.fields.filter((field) => !serviceFields.has(field.name) || isRequired(field))
}

/** The insert's input: required is what `requiredOn` requires on an insert, nothing else. */
export function emitInsertInput(schema: SchemaModel): string {
  const what =
    schema.insert === undefined
      ? `An inserted {@link ${schema.type}}`
      : `What {@link ${schema.insert.identifier}} takes`
  let text = `\n/** ${what}. */\nexport interface ${schema.type}InsertInput {\n`
  for (const field of insertFields(schema)) {
    const type = field.scalar?.input ?? (field.object && `${field.object.type}InsertInput`)
    const item = type ?? 'unknown'
    const whole = field.isArray ? `readonly ${item}[]` : item
    text += emitFieldComment(field)
    text += isRequired(field)
      ? `  readonly ${field.name}: ${whole}\n`
      : `  readonly ${field.name}?: ${whole} | null | undefined\n`
  }
  return `${text}}\n`
}

function isRequired(field: FieldModel): boolean {
  return field.requiredOn === 'Insert' || field.requiredOn === 'Both'
}

const requirements = {
  None: '',
  Insert: ', required on insert',
  Update: ', required on update',
  Both: ', required on insert and update',
} as const

function emitFieldComment(field: FieldModel): string {
  const description = commentText(field.description).replace(/([^.!?])$/, '$1.')
  const type = commentCode(field.isArray ? `[${field.type}]` : field.type || 'unknown')
  const text = [description, `${type}${requirements[field.requiredOn]}.`].filter(Boolean).join(' ')
  return `  /** ${text} */\n`
}
