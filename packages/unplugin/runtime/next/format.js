// Shows messages that travelled as JSON (`MessageData` of the catalog).

/** Intl objects by constructor, locale and options. Creating one costs more than a call. */
const cache = {}
const intl = (name, locale, options) =>
  (cache[name + locale + JSON.stringify(options)] ??= new Intl[name](locale, options))

/**
 * Returns a message with its arguments, in a language and time zone: a string, or for a message with tags an
 * array of strings and what the functions of the tags return.
 */
export function format(message, args, language, timeZone) {
  const shown = []
  add(shown, message, args, language, timeZone)
  return shown.every((part) => typeof part === 'string') ? shown.join('') : shown
}

/** Adds what a message shows. Adjacent strings are joined, since React separates text nodes. */
function add(shown, message, args, language, timeZone) {
  if (typeof message === 'string') {
    if (typeof shown.at(-1) === 'string') shown.push(shown.pop() + message)
    else shown.push(message)
    return
  }
  if ('plural' in message) {
    add(shown, args?.count == null ? message.plain : message.plural, args, language, timeZone)
    return
  }
  for (const part of message) {
    if (typeof part === 'string') add(shown, part)
    else if (Array.isArray(part)) add(shown, `${args[part[0]]}`)
    else if (part.tag) shown.push(element(part, args, language, timeZone))
    else if (part.intl) add(shown, formatted(part, args, language, timeZone))
    else add(shown, chosen(part, args, language), args, language, timeZone)
  }
}

function element({ tag, children }, args, language, timeZone) {
  if (children === undefined) return args[tag]()
  const inside = []
  add(inside, children, args, language, timeZone)
  return args[tag](inside)
}

function formatted(
  { name, intl: kind, locale, options, scale, minus, unit },
  args,
  language,
  timeZone,
) {
  const value = args[name]
  const own = kind === 'DateTimeFormat' ? { timeZone, ...options } : options
  const formatter = intl(kind, locale ?? language, own)
  if (unit) return formatter.format(value, unit)
  if (scale === undefined && minus === undefined) return formatter.format(value)
  return formatter.format(value * (scale ?? 1) - (minus ?? 0))
}

/** Returns the branch of a choice. */
function chosen({ name, cases, other, exact, by, offset = 0, locale }, args, language) {
  const value = args[name]
  if (exact && Object.hasOwn(exact, value)) return exact[value]
  const type = by === 'ordinal' ? { type: by } : undefined
  const found =
    by === 'value'
      ? String(value)
      : intl('PluralRules', locale ?? language, type).select(value - offset)
  return Object.hasOwn(cases, found) ? cases[found] : other
}
