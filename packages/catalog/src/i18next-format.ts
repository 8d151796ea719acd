import { checkedFormat } from './format.ts'
import type { Format } from './message.ts'

/**
 * Reads the format after the name of a parameter, for the formats built into
 * i18next: `number`, `currency(EUR)`, `datetime(dateStyle: medium)`, `list`,
 * `relativetime(day)`. Undefined for a custom format and for options that Intl
 * rejects; the value is shown unformatted then.
 */
export function parseFormat(text: string): Format | undefined {
  const format = readFormat(text)
  return format && formatErrorOf(text) === undefined ? format : undefined
}

/** Returns why Intl rejects a format; undefined where it accepts it. */
export function formatErrorOf(text: string): string | undefined {
  const format = readFormat(text)
  try {
    if (format) checkedFormat(format)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function readFormat(text: string): Format | undefined {
  const match = /^\s*([a-z]+)\s*(?:\(([^)]*)\))?\s*$/i.exec(text)
  if (!match) return undefined
  const name = match[1]!.toLowerCase()
  const inside = match[2]?.trim() ?? ''
  const options = inside.includes(':') ? readOptions(inside) : {}
  switch (name) {
    case 'number':
      return { kind: 'number', options }
    case 'currency': {
      const currency = inside.includes(':') ? (options['currency'] ?? 'USD') : inside || 'USD'
      return { kind: 'number', options: { ...options, style: 'currency', currency } }
    }
    case 'datetime':
      return { kind: 'date', options }
    case 'list':
      return { kind: 'list', options }
    case 'relativetime': {
      const { range, ...rest } = options
      const unit = inside.includes(':') ? String(range ?? 'day') : inside || 'day'
      return { kind: 'relative', options: rest, unit }
    }
    default:
      return undefined
  }
}

/** `minimumFractionDigits: 2; useGrouping: false` */
function readOptions(text: string): Record<string, unknown> {
  return Object.fromEntries(
    text.split(';').flatMap((option) => {
      const [name = '', ...rest] = option.split(':')
      const value = rest
        .join(':')
        .trim()
        .replace(/^'+|'+$/g, '')
      if (name.trim() === '' || value === '') return []
      const read =
        value === 'true' ? true : value === 'false' ? false : Number.isNaN(+value) ? value : +value
      return [[name.trim(), read]]
    }),
  )
}
