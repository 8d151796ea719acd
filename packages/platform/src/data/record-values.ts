import { isObject } from '@servicekit/core'
import { printExactJson } from '@servicekit/core/exact-json'
import type { Problem, RecordSource } from '../project-source.ts'
import type { DataModel, FieldModel, TypeModel } from './model.ts'
import { isLong, narrow } from './scalars.ts'
import { type SystemField, systemFields } from './system-fields.ts'
import { toInstant } from '@servicekit/core'

/** Record as stored: system values in their own columns, the rest as JSON. */
export interface StoredRecord {
  readonly system: Readonly<Record<string, unknown>>
  readonly data: Readonly<Record<string, unknown>>
}

/** Parsed record, or the member that makes it invalid. */
export type ReadRecord = StoredRecord | { readonly problem: string; readonly member: string }

/**
 * Splits a record from a project's files into its stored parts. Normalizes dates to the
 * sortable form. Keeps and reports properties whose value does not match its type.
 */
export function readRecord(
  type: TypeModel,
  types: DataModel['types'],
  row: RecordSource,
  report: (problem: Problem) => void,
): ReadRecord {
  const itemId = row['ItemId']
  if (typeof itemId !== 'string' || itemId === '') {
    return { member: 'ItemId', problem: 'a record needs an ItemId that is a string' }
  }
  const system: Record<string, unknown> = {}
  for (const field of systemFields) {
    const value = Object.hasOwn(row, field.name) ? (row[field.name] ?? null) : null
    const read = value === null ? null : systemValue(field, value)
    if (read === undefined) return { member: field.name, problem: `it cannot be ${shown(value)}` }
    system[field.name] = read
  }
  const properties = Object.entries(row).filter(([name]) => !Object.hasOwn(system, name))
  let tooLarge: string | undefined
  const reportValue = (member: string, value: unknown): void => {
    // The gateway could not list it.
    if (typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value)))
      tooLarge ??= member
    report({
      code: 'RECORD_INVALID',
      schema: type.name,
      member: `${itemId} ${member}`,
      message: `The value ${shown(value)} does not match the type of its field.`,
    })
  }
  const data = readObject(type, types, properties, '', reportValue)
  return tooLarge === undefined
    ? { system, data }
    : { member: tooLarge, problem: 'an integer is beyond the range of its type' }
}

const shown = (value: unknown): string => printExactJson(value).slice(0, 80)

function systemValue({ type, isArray }: SystemField, value: unknown): unknown {
  if (isArray) {
    return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
  }
  if (typeof value !== 'string') return undefined
  return type === 'DateTime' ? toInstant(value) : value
}

type ReportValue = (member: string, value: unknown) => void

function readObject(
  type: TypeModel,
  types: DataModel['types'],
  entries: readonly (readonly [string, unknown])[],
  path: string,
  report: ReportValue,
): Readonly<Record<string, unknown>> {
  const fields = new Map(type.fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const field = fields.get(name)
      return [name, field ? readValue(field, types, value, path + name, report) : value]
    }),
  )
}

function readValue(
  field: FieldModel,
  types: DataModel['types'],
  given: unknown,
  path: string,
  report: ReportValue,
): unknown {
  const value = narrow(given, field.scalar ?? 'JSON')
  if (value === null) return value
  if (field.isArray && Array.isArray(value)) {
    const item = { ...field, isArray: false }
    return value.map((one, index) => readValue(item, types, one, `${path}[${index}]`, report))
  }
  const nested = types.get(field.object ?? '')
  if (nested && !field.isArray && isObject(value)) {
    return readObject(nested, types, Object.entries(value), `${path}.`, report)
  }
  const instant = field.scalar === 'DateTime' && typeof value === 'string' && toInstant(value)
  if (instant && !field.isArray) return instant
  if (nested || field.isArray || scalarChecks[field.scalar ?? '']?.(value) === false)
    report(path, value)
  return value
}

const scalarChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string',
  Int: (value) => Number.isInteger(value) && (value as number) === ((value as number) | 0),
  Long: isLong,
  Float: (value) => typeof value === 'number',
  Boolean: (value) => typeof value === 'boolean',
  DateTime: () => false,
}
