import type { ParameterFormat } from './message.ts'

/**
 * Returns the format if Intl accepts its options. An invalid format is thus a problem at
 * build time and never an exception in the page.
 *
 * @throws RangeError for options that Intl rejects.
 */
export function checkedFormat(format: ParameterFormat): ParameterFormat {
  const { kind, options = {}, unit } = format
  switch (kind) {
    case 'number': {
      const { scale = 1, ...rest } = options
      if (!Number(scale)) throw new RangeError('the scale must be a number other than 0')
      new Intl.NumberFormat('en', rest).format(0)
      break
    }
    case 'date':
      new Intl.DateTimeFormat('en', options).format(0)
      break
    case 'list':
      new Intl.ListFormat('en', options as Intl.ListFormatOptions).format([])
      break
    case 'relative':
      new Intl.RelativeTimeFormat('en', options).format(0, unit as Intl.RelativeTimeFormatUnit)
  }
  return format
}
