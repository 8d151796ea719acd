import type { Problem } from './problem.ts'
import { isObject, textOf } from './shape.ts'

/** A field of a schema with every member present and of its type. */
export interface NormalField {
  readonly name: string
  /** Name of a scalar or of a nested object's schema; empty where the listing names none. */
  readonly type: string
  readonly isArray: boolean
  readonly requiredOn: RequiredOn
  readonly description: string
  /** Fields of a nested object that the listing spells out in place. */
  readonly fields: readonly NormalField[]
}

export type RequiredOn = 'None' | 'Insert' | 'Update' | 'Both'

const requirements: ReadonlyMap<string, RequiredOn> = new Map([
  ['none', 'None'],
  ['insert', 'Insert'],
  ['update', 'Update'],
  ['both', 'Both'],
])

/** Nested fields below this depth are left out: a hostile listing must not exhaust the stack. */
const deepest = 24

/** Reads the `fields` of a schema or of a field; entries that cannot be read are left out. */
export function normaliseFields(
  raw: unknown,
  schema: string,
  problems: Problem[],
  depth = 0,
): readonly NormalField[] {
  if (!Array.isArray(raw)) {
    if (raw !== undefined && raw !== null) report('fields is not a list and was left out')
    return []
  }
  if (depth > deepest) {
    report(`fields are nested deeper than ${deepest} levels; the rest was left out`)
    return []
  }
  const fields: NormalField[] = []
  for (const [index, entry] of raw.entries()) {
    const field = normaliseField(entry, schema, problems, depth)
    if (field === undefined) report(`field ${index + 1} has no name and was left out`)
    else fields.push(field)
  }
  return fields

  function report(message: string): void {
    problems.push({ severity: 'warning', code: 'FIELD_INVALID', schema, message })
  }
}

function normaliseField(
  raw: unknown,
  schema: string,
  problems: Problem[],
  depth: number,
): NormalField | undefined {
  // A bare string occurs in hand-written listings; it can only be the name.
  const entry = isObject(raw) ? raw : { name: raw }
  const name = textOf(entry['name'])
  if (name === undefined) return undefined
  const { type, isList } = splitType(textOf(entry['type']) ?? '')
  const required = textOf(entry['requiredOn'])?.toLowerCase()
  const requiredOn = required === undefined ? 'None' : requirements.get(required)
  if (requiredOn === undefined) {
    const message = `requiredOn ${JSON.stringify(entry['requiredOn'])} is unknown; it is read as None`
    problems.push({ severity: 'info', code: 'REQUIRED_ON_UNKNOWN', schema, field: name, message })
  }
  return {
    name,
    type,
    isArray: isList || entry['isArray'] === true,
    requiredOn: requiredOn ?? 'None',
    description: textOf(entry['description']) ?? '',
    fields: normaliseFields(entry['fields'], schema, problems, depth + 1),
  }
}

/** GraphQL's own notation is understood too: `[String!]!` is a list of String. */
function splitType(text: string): { readonly type: string; readonly isList: boolean } {
  const bare = text.replaceAll('!', '')
  const list = /^\[(.*)\]$/.exec(bare)
  return list === null
    ? { type: bare, isList: false }
    : { type: (list[1] ?? '').trim(), isList: true }
}
