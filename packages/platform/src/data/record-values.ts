import type { Problem } from '../projects/project-source.ts'
import type { RecordSource } from '../projects/project-source.ts'
import { toInstant } from './date-time.ts'
import type { DataModel, FieldModel, TypeModel } from './model.ts'
import { systemFields } from './system-fields.ts'

/** Record as stored: system values in their own columns, the rest as JSON. */
export interface StoredRecord {
  readonly system: Readonly<Record<string, unknown>>
  readonly data: Readonly<Record<string, unknown>>
}

/** Parsed record, or the member that makes it invalid. */
export type ReadRecord = StoredRecord | { readonly fault: string; readonly member: string }

/**
 * Splits a record from a project's files into its stored parts. Normalizes dates to the
 * sortable form. A property whose value does not match its type is kept and reported to
 * `tell`.
 */
export function readRecord(
  type: TypeModel,
  types: DataModel['types'],
  row: RecordSource,
  tell: (problem: Problem) => void,
): ReadRecord {
  const itemId = row['ItemId']
  if (typeof itemId !== 'string' || itemId === '') {
    return { member: 'ItemId', fault: 'a record needs an ItemId that is a text' }
  }
  const system: Record<string, unknown> = {}
  for (const field of systemFields) {
    const value = Object.hasOwn(row, field.name) ? (row[field.name] ?? null) : null
    const read = value === null ? null : systemValue(field, value)
    if (read === undefined) return { member: field.name, fault: `it cannot be ${show(value)}` }
    system[field.name] = read
  }
  const names = new Set(systemFields.map(({ name }) => name))
  const properties = Object.entries(row).filter(([name]) => !names.has(name))
  const fault = (member: string, value: unknown): void =>
    tell({
      code: 'RECORD_INVALID',
      schema: type.name,
      member: `${itemId} ${member}`,
      message: `The value ${show(value)} is not of the type of its field.`,
    })
  return { system, data: readProperties(type, types, properties, '', fault) }
}

const show = (value: unknown): string => JSON.stringify(value).slice(0, 80)

function systemValue(field: (typeof systemFields)[number], value: unknown): unknown {
  if (field.isArray) {
    return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
  }
  if (typeof value !== 'string') return undefined
  return field.type === 'DateTime' ? toInstant(value) : value
}

type Tell = (member: string, value: unknown) => void

function readProperties(
  type: TypeModel,
  types: DataModel['types'],
  entries: readonly (readonly [string, unknown])[],
  path: string,
  tell: Tell,
): Readonly<Record<string, unknown>> {
  const fields = new Map(type.fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const field = fields.get(name)
      if (!field || value === null) return [name, value]
      const read = (one: unknown, at: string) => readValue(field, types, one, at, tell)
      const at = path + name
      if (!field.isArray) return [name, read(value, at)]
      if (Array.isArray(value))
        return [name, value.map((one, index) => read(one, `${at}[${index}]`))]
      tell(at, value)
      return [name, value]
    }),
  )
}

function readValue(
  field: FieldModel,
  types: DataModel['types'],
  value: unknown,
  at: string,
  tell: Tell,
): unknown {
  if (value === null) return value
  const nested = field.object === undefined ? undefined : types.get(field.object)
  if (nested) {
    if (typeof value === 'object' && !Array.isArray(value)) {
      return readProperties(nested, types, Object.entries(value), `${at}.`, tell)
    }
    tell(at, value)
    return value
  }
  const instant = field.scalar === 'DateTime' && typeof value === 'string' && toInstant(value)
  if (instant) return instant
  if (!isOfScalar(field.scalar, value)) tell(at, value)
  return value
}

function isOfScalar(scalar: string | undefined, value: unknown): boolean {
  switch (scalar) {
    case 'String':
    case 'ID':
      return typeof value === 'string'
    case 'Int':
      return Number.isInteger(value) && (value as number) === ((value as number) | 0)
    case 'Long':
      return Number.isSafeInteger(value)
    case 'Float':
      return typeof value === 'number'
    case 'Boolean':
      return typeof value === 'boolean'
    case 'DateTime':
      return false
    default:
      return true
  }
}
