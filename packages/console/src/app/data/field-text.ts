import { parseExactJson, printExactJson } from '@servicekit/core/exact-json'
import type { RecordField } from './schema-catalog.ts'

/** Kind of the element that edits a value. */
export type Editor = 'text' | 'number' | 'boolean' | 'instant' | 'json'

type Typed = Pick<RecordField, 'type' | 'isArray'> & { readonly fields?: unknown }

/** Returns how a field is edited; lists and objects as JSON. */
export function editorOf({ type, isArray, fields }: Typed): Editor {
  if (isArray || fields) return 'json'
  if (type === 'Int' || type === 'Long' || type === 'Float') return 'number'
  if (type === 'Boolean') return 'boolean'
  if (type === 'DateTime') return 'instant'
  return type === 'String' || type === 'ID' ? 'text' : 'json'
}

/** Formats a value for its editor; no value is empty. */
export function textOf(field: Typed, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (editorOf(field) === 'json') return printExactJson(value)
  return String(value)
}

/** Text that is no value of the field. */
export class InvalidText extends Error {
  override readonly name = 'InvalidText'
}

/**
 * Reads a value from its editor; an empty string is undefined.
 *
 * @throws InvalidText
 */
export function valueOf(field: Typed, text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return null
  switch (editorOf(field)) {
    case 'number':
      return field.type === 'Long' ? readLong(trimmed) : readNumber(trimmed, field.type === 'Int')
    case 'boolean':
      if (!/^(?:true|false)$/i.test(trimmed)) throw new InvalidText(trimmed)
      return /^true$/i.test(trimmed)
    case 'instant': {
      // Other dates are ambiguous: 01/02/2026 is in January or in February.
      if (!/^\d{4}-\d{2}-\d{2}/.test(trimmed)) throw new InvalidText(trimmed)
      const time = new Date(trimmed)
      if (Number.isNaN(time.getTime())) throw new InvalidText(trimmed)
      return time.toISOString()
    }
    case 'json':
      try {
        return parseExactJson(trimmed)
      } catch (cause) {
        throw new InvalidText(trimmed, { cause })
      }
    default:
      return text
  }
}

/** Returns a number, or a bigint beyond 2^53 - 1, which a number would round. */
function readLong(text: string): number | bigint {
  if (!/^-?\d+$/.test(text)) throw new InvalidText(text)
  const value = BigInt(text)
  if (BigInt.asIntN(64, value) !== value) throw new InvalidText(text)
  return Number.isSafeInteger(Number(text)) ? Number(text) : value
}

function readNumber(text: string, isWhole: boolean): number {
  const value = Number(text)
  if (!Number.isFinite(value) || (isWhole && !Number.isSafeInteger(value))) {
    throw new InvalidText(text)
  }
  return value
}
