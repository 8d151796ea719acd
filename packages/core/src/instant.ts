const form =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/

/**
 * Normalizes a date to UTC with milliseconds, `2025-03-19T06:00:00.000Z`. In this form,
 * string order is chronological order. A date without a time is midnight; a time without
 * an offset is UTC.
 *
 * @returns undefined if the string is not a valid date.
 */
export function toInstant(text: string): string | undefined {
  const match = form.exec(text.trim())
  if (!match) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'Z'] = match
  const fraction = /[.,](\d+)/.exec(text)?.[1] ?? ''
  const millisecond = fraction.padEnd(3, '0').slice(0, 3)
  const parts = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const local = Date.parse(`${parts}.${millisecond}Z`)
  // `Date` rolls over invalid days: 31 February would become 3 March.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(parts)) return undefined
  const instant = new Date(local - offsetOf(zone))
  const result = instant.toISOString()
  // PostgreSQL has no year 0, and sorts and reads only years of four digits like text.
  return /^(?!0000)\d{4}-/.test(result) ? result : undefined
}

function offsetOf(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone)
  if (!match) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3])
  return (match[1] === '-' ? -minutes : minutes) * 60_000
}
