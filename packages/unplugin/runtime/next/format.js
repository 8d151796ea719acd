// Shows messages that travelled as JSON (`MessageData` of the catalog).

/** Intl objects by constructor, locale and options. Creating one costs more than a call. */
const cache = {}
const intl = (name, locale, options) =>
  (cache[name + locale + JSON.stringify(options)] ??= new Intl[name](locale, options))

/** Returns a message with its arguments, in a language. */
export function format(message, args, language) {
  if (typeof message === 'string') return message
  if ('plural' in message) {
    return format(args?.count == null ? message.plain : message.plural, args, language)
  }
  let text = ''
  for (const part of message) {
    if (typeof part === 'string') text += part
    else if (Array.isArray(part)) text += args[part[0]]
    else text += part.intl ? formatted(part, args, language) : chosen(part, args, language)
  }
  return text
}

function formatted({ name, intl: kind, locale, options, scale, minus, unit }, args, language) {
  const value = args[name]
  const formatter = intl(kind, locale ?? language, options)
  if (unit) return formatter.format(value, unit)
  if (scale === undefined && minus === undefined) return formatter.format(value)
  return formatter.format(value * (scale ?? 1) - (minus ?? 0))
}

function chosen({ name, cases, other, exact, by, offset = 0, locale }, args, language) {
  const value = args[name]
  if (exact && Object.hasOwn(exact, value)) return format(exact[value], args, language)
  const type = by === 'ordinal' ? { type: by } : undefined
  const found =
    by === 'value'
      ? String(value)
      : intl('PluralRules', locale ?? language, type).select(value - offset)
  return format(Object.hasOwn(cases, found) ? cases[found] : other, args, language)
}
