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
  if (editorOf(field) === 'json') return JSON.stringify(value)
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
      return readNumber(trimmed, field.type !== 'Float')
    case 'boolean':
      return trimmed === 'true'
    case 'instant': {
      const time = new Date(trimmed)
      if (Number.isNaN(time.getTime())) throw new InvalidText(trimmed)
      return time.toISOString()
    }
    case 'json':
      try {
        return JSON.parse(trimmed) as unknown
      } catch (cause) {
        throw new InvalidText(trimmed, { cause })
      }
    default:
      return text
  }
}

function readNumber(text: string, isWhole: boolean): number {
  const value = Number(text)
  if (!Number.isFinite(value) || (isWhole && !Number.isSafeInteger(value))) {
    throw new InvalidText(text)
  }
  return value
}
