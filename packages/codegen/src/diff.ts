import { isRequired, isRequiredOnUpdate, isUpdated } from './emit/types.ts'
import type { Model, OperationModel, SchemaModel } from './model.ts'
import type { FieldModel } from './model-field.ts'
import { type MutationKind, mutationKinds } from '@servicekit/core'

/** Effect of a change on code that uses the generated modules. */
export type ChangeKind =
  /** No effect, e.g. a changed description. */
  | 'same'
  /** Existing code compiles and runs as before. */
  | 'additive'
  /**
   * Code that uses the changed part no longer compiles, or the gateway rejects its
   * requests.
   */
  | 'breaking'

/** Difference between two listings in a schema, operation or field. */
export interface Change {
  readonly kind: ChangeKind
  readonly schema: string
  readonly field?: string
  readonly operation?: 'list' | MutationKind
  /** Short description: `field removed`, `type changed from Int to Float`. */
  readonly message: string
}

export interface ModelDiff {
  readonly changes: readonly Change[]
  /** Number of unchanged fields. */
  readonly unchanged: number
}

/** Returns the changes from one model to another, by schema in name order. */
export function diffModels(before: Model, after: Model): ModelDiff {
  const changes: Change[] = []
  let unchanged = 0
  const now = new Map(after.schemas.map((schema) => [schema.name, schema]))
  const then = new Map(before.schemas.map((schema) => [schema.name, schema]))
  for (const schema of before.schemas) {
    const other = now.get(schema.name)
    if (other === undefined) report('breaking', schema.name, { message: 'schema removed' })
    else compare(schema, other)
  }
  for (const { name } of after.schemas) {
    if (!then.has(name)) report('additive', name, { message: 'schema added' })
  }
  return { changes, unchanged }

  function compare(old: SchemaModel, schema: SchemaModel): void {
    const { name } = schema
    if (old.kind !== schema.kind) {
      const message = `changed from ${old.kind} to ${schema.kind}`
      report(schema.kind === 'entity' ? 'additive' : 'breaking', name, { message })
    }
    if (old.type !== schema.type || old.file !== schema.file) {
      const message = `renamed from ${old.type} (${old.file}) to ${schema.type} (${schema.file})`
      report('breaking', name, { message })
    }
    compareOperation('list', name, old.list, schema.list)
    for (const kind of mutationKinds) {
      compareOperation(kind, name, old.mutations[kind], schema.mutations[kind])
    }
    // Code that writes nothing yet does not break.
    const used = {
      insert: isInserted(old) && isInserted(schema),
      update: isUpdated(old) && isUpdated(schema),
    }
    const fields = new Map(schema.fields.map((field) => [field.name, field]))
    const known = new Set(old.fields.map((field) => field.name))
    for (const field of old.fields) {
      const next = fields.get(field.name)
      const change = next === undefined ? removed : diffFields(field, next, used)
      if (change === undefined) unchanged++
      else report(change.kind, name, { field: field.name, message: change.message })
    }
    for (const field of schema.fields) {
      if (known.has(field.name)) continue
      const needs = [
        isRequired(field) && used.insert ? 'insert' : [],
        isRequiredOnUpdate(field) && used.update ? 'update' : [],
      ].flat()
      const message = ['field added', ...needs.map((on) => `required on ${on}`)].join(', ')
      report(needs.length > 0 ? 'breaking' : 'additive', name, { field: field.name, message })
    }
  }

  function compareOperation(
    operation: 'list' | MutationKind,
    schema: string,
    old: OperationModel | undefined,
    next: OperationModel | undefined,
  ): void {
    if (old?.field === next?.field && old?.identifier === next?.identifier) return
    if (old === undefined) {
      report('additive', schema, { operation, message: `${next?.identifier} added` })
    } else if (next === undefined) {
      report('breaking', schema, { operation, message: `${old.identifier} removed` })
    } else {
      const describe = ({ identifier, field }: OperationModel): string => `${identifier} (${field})`
      report('breaking', schema, {
        operation,
        message: `${describe(old)} changed to ${describe(next)}`,
      })
    }
  }

  function report(kind: ChangeKind, schema: string, rest: Omit<Change, 'kind' | 'schema'>): void {
    changes.push({ kind, schema, ...rest })
  }
}

const removed = { kind: 'breaking', message: 'field removed' } as const

/** Returns whether user code may create the insert input of the schema. */
const isInserted = (schema: SchemaModel): boolean =>
  schema.kind === 'object' ||
  schema.mutations.insert !== undefined ||
  schema.mutations.insertMany !== undefined

/** Each number type is assignable to those after it. */
const numbers = ['Int', 'Long', 'Float']

function diffFields(
  old: FieldModel,
  next: FieldModel,
  used: Readonly<Record<'insert' | 'update', boolean>>,
): Pick<Change, 'kind' | 'message'> | undefined {
  const messages: string[] = []
  let kind: ChangeKind = 'same'
  const add = (found: ChangeKind, message: string): void => {
    messages.push(message)
    if (found === 'breaking' || kind === 'same') kind = found
  }
  const [was, is] = [typeOf(old), typeOf(next)]
  if (was !== is) {
    add(isWider(old, next) ? 'additive' : 'breaking', `type changed from ${was} to ${is}`)
  }
  const compareNeed = (on: string, was: boolean, is: boolean, isUsed: boolean): void => {
    if (was === is) return
    const kind = is && isUsed ? 'breaking' : isUsed || on === 'insert' ? 'additive' : 'same'
    add(kind, `now ${is ? 'required' : 'optional'} on ${on}`)
  }
  compareNeed('insert', isRequired(old), isRequired(next), used.insert)
  compareNeed('update', isRequiredOnUpdate(old), isRequiredOnUpdate(next), used.update)
  if (old.description !== next.description) add('same', 'description changed')
  return messages.length === 0 ? undefined : { kind, message: messages.join('; ') }
}

function typeOf({ type, isArray, object }: FieldModel): string {
  const name = object?.type ?? type
  return isArray ? `[${name}]` : name
}

/**
 * Returns whether code for the old type also works with the new one: Int to Float, ID to
 * String.
 */
function isWider(old: FieldModel, next: FieldModel): boolean {
  if (old.isArray !== next.isArray) return false
  const [from, to] = [old.scalar?.name ?? '', next.scalar?.name ?? '']
  if (from === 'ID' && to === 'String') return true
  return numbers.includes(from) && numbers.indexOf(from) < numbers.indexOf(to)
}
