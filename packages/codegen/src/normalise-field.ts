import { isObject } from '@servicekit/core'
import type { Problem } from './problem.ts'

/** Normalised field: every member is present and has its type. */
export interface NormalField {
  readonly name: string
  /** Name of a scalar or of a nested object's schema; empty if the listing has none. */
  readonly type: string
  readonly isArray: boolean
  readonly requiredOn: RequiredOn
  readonly description: string
  /** Fields of a nested object that is defined inline. */
  readonly fields: readonly NormalField[]
}

export type RequiredOn = 'None' | 'Insert' | 'Update' | 'Both'

const requirements: ReadonlyMap<string, RequiredOn> = new Map([
  ['none', 'None'],
  ['insert', 'Insert'],
  ['update', 'Update'],
  ['both', 'Both'],
])

/**
 * Maximum depth of nested fields. Deeper ones are omitted, so that a hostile listing
 * cannot overflow the stack.
 */
const deepest = 24

const noFields: readonly NormalField[] = []

/** Shared state while fields are read. */
export interface FieldContext {
  readonly problems: Problem[]
  /**
   * Fields without nested fields, by content. Large listings share most of their fields.
   */
  readonly known: Map<string, NormalField>
}

/** Reads the `fields` of a schema or field. Invalid entries are omitted. */
export function normaliseFields(
  raw: unknown,
  schema: string,
  context: FieldContext,
  depth = 0,
): readonly NormalField[] {
  // Fast path: most fields have no nested fields.
  if (Array.isArray(raw) && raw.length === 0) return noFields
  if (!Array.isArray(raw)) {
    if (raw !== undefined && raw !== null) report('fields is not a list and was left out')
    return noFields
  }
  if (depth > deepest) {
    report(`fields are nested deeper than ${deepest} levels; the rest was left out`)
    return []
  }
  const fields: NormalField[] = []
  for (let index = 0; index < raw.length; index++) {
    const field = normaliseField(raw[index], schema, context, depth)
    if (field === undefined) report(`field ${index + 1} has no name and was left out`)
    else fields.push(field)
  }
  return fields

  function report(message: string): void {
    context.problems.push({ severity: 'warning', code: 'FIELD_INVALID', schema, message })
  }
}

function normaliseField(
  raw: unknown,
  schema: string,
  context: FieldContext,
  depth: number,
): NormalField | undefined {
  // Hand-written listings contain bare strings, which can only be names.
  const entry = isObject(raw) ? raw : { name: raw }
  const name = textOf(entry['name'])
  if (name === undefined) return undefined
  const { type, isList } = splitType(textOf(entry['type']) ?? '')
  const required = textOf(entry['requiredOn'])?.toLowerCase()
  const requiredOn = required === undefined ? 'None' : requirements.get(required)
  if (requiredOn === undefined) {
    const message = `requiredOn ${JSON.stringify(entry['requiredOn'])} is unknown; it is read as None`
    const code = 'REQUIRED_ON_UNKNOWN'
    context.problems.push({ severity: 'info', code, schema, field: name, message })
  }
  const field: NormalField = {
    name,
    type,
    isArray: isList || entry['isArray'] === true,
    requiredOn: requiredOn ?? 'None',
    description: textOf(entry['description']) ?? '',
    fields: normaliseFields(entry['fields'], schema, context, depth + 1),
  }
  return field.fields.length > 0 ? field : shared(field, context.known)
}

function shared(field: NormalField, known: Map<string, NormalField>): NormalField {
  const { name, type, isArray, requiredOn, description } = field
  const key = `${name}\n${type}\n${isArray ? 1 : 0}${requiredOn}\n${description}`
  const same = known.get(key)
  if (same !== undefined) return same
  known.set(key, field)
  return field
}

/** GraphQL notation is supported too: `[String!]!` is a list of String. */
function splitType(text: string): { readonly type: string; readonly isList: boolean } {
  if (!/[[!]/.test(text)) return { type: text, isList: false }
  const bare = text.replaceAll('!', '')
  const list = /^\[(.*)\]$/.exec(bare)
  return list === null
    ? { type: bare, isList: false }
    : { type: (list[1] ?? '').trim(), isList: true }
}

/** Returns a trimmed string; undefined if the value is not a string or is empty. */
export function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}
