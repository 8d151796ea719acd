import { checkedFormat, unknownOptionsOf } from './format.ts'
import type { ParameterFormat } from './message.ts'

/**
 * Parses the format after a parameter name, for the built-in formats of i18next:
 * `number`, `currency(EUR)`, `datetime(dateStyle: medium)`, `list`, `relativetime(day)`.
 * Returns undefined for a custom format and for options that Intl rejects; the value is
 * then shown unformatted.
 */
export function parseFormat(text: string): ParameterFormat | undefined {
  const format = readFormat(text)
  return format && rejectionOf(format) === undefined ? format : undefined
}

/** Returns the problem with a format; undefined if it is supported. */
export function formatProblemOf(
  text: string,
): { readonly error: string; readonly effect: string } | undefined {
  if (text.trim() === '') return undefined
  const format = readFormat(text)
  const error = format ? rejectionOf(format) : `unknown format "${text.trim()}"`
  if (error !== undefined) return { error, effect: 'the value is shown unformatted' }
  const [option] = unknownOptionsOf(format!)
  return option === undefined
    ? undefined
    : { error: `unknown option "${option}"`, effect: 'it is ignored' }
}

/** Returns the reason why Intl rejects a format; undefined if it accepts it. */
function rejectionOf(format: ParameterFormat): string | undefined {
  try {
    checkedFormat(format)
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
