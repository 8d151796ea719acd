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

/** Returns the options that the Intl constructor of a format does not read. */
export function unknownOptionsOf({ kind, options = {} }: ParameterFormat): readonly string[] {
  const read = new Set<string | symbol>()
  create(kind, new Proxy({}, { get: (_, name) => void read.add(name) }))
  return Object.keys(options).filter((name) => !read.has(name))
}

function create(kind: ParameterFormat['kind'], options: object): object {
  switch (kind) {
    case 'number':
      return new Intl.NumberFormat('en', options)
    case 'date':
      return new Intl.DateTimeFormat('en', options)
    case 'list':
      return new Intl.ListFormat('en', options)
    case 'relative':
      return new Intl.RelativeTimeFormat('en', options)
  }
}
