import { checkedFormat } from './format.ts'
import type { ParameterFormat } from './message.ts'

/**
 * Parses the format after a parameter name, for the built-in formats of i18next:
 * `number`, `currency(EUR)`, `datetime(dateStyle: medium)`, `list`, `relativetime(day)`.
 * Returns undefined for a custom format and for options that Intl rejects; the value is
 * then shown unformatted.
 */
export function parseFormat(text: string): ParameterFormat | undefined {
  const format = readFormat(text)
  return format && formatErrorOf(text) === undefined ? format : undefined
}

/** Returns the reason why Intl rejects a format; undefined if it accepts it. */
export function formatErrorOf(text: string): string | undefined {
  const format = readFormat(text)
  try {
    if (format) checkedFormat(format)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function readFormat(text: string): ParameterFormat | undefined {
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

/** Parses options such as `minimumFractionDigits: 2; useGrouping: false`. */
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
