import {
  categoriesOf,
  localeOf,
  type MessageParts,
  type Translation,
} from '@servicekit/catalog/inspection'

type Part = Exclude<MessageParts[number], string>
type Choice = Extract<Part, { readonly cases: unknown }>
type Parameter = Exclude<Extract<Part, { readonly param: string }>, Choice>

/** Arguments of a message by the name of the parameter. */
export type Arguments = Readonly<Record<string, unknown>>

/** Element of a rendered message; without children if it is self-closing. */
interface RenderedTag {
  readonly tag: string
  readonly children?: Rendered
}
export type Rendered = readonly (string | RenderedTag)[]

/**
 * Renders a translation as the compiled code of an application does. The page cannot run that
 * code, because its security policy forbids generated scripts.
 *
 * @param isOrdinal the plural forms are those of ordinal numbers.
 */
export function renderMessage(
  { language, other, forms }: Translation,
  values: Arguments,
  isOrdinal = false,
): Rendered {
  const locale = localeOf(language)
  const type = isOrdinal ? 'ordinal' : 'cardinal'
  const used = categoriesOf(language, type)
  const count = values['count'] as number
  const zero = forms.get('zero')
  if (zero && !isOrdinal && !used.includes('zero') && count === 0)
    return render(zero, values, locale)
  const isChosen = [...forms.keys()].some((category) => used.includes(category))
  const category = isChosen ? categoryOf(locale, type, count) : 'other'
  return render(forms.get(category as 'one') ?? other, values, locale)
}

const categoryOf = (locale: string, type: Intl.PluralRuleType, count: number): string =>
  new Intl.PluralRules(locale, { type }).select(count)

function render(parts: MessageParts, values: Arguments, locale: string): Rendered {
  const rendered = parts.flatMap((part): Rendered => {
    if (typeof part === 'string') return [part]
    if ('tag' in part) {
      const { tag, children } = part
      return [{ tag, ...(children && { children: render(children, values, locale) }) }]
    }
    if ('cases' in part) return render(branchOf(part, values[part.param], locale), values, locale)
    return [formatted(part, values[part.param], locale)]
  })
  // Joins neighbours, so that a text is one string.
  return rendered.reduce<(string | RenderedTag)[]>((joined, part) => {
    const last = joined.at(-1)
    if (typeof part === 'string' && typeof last === 'string')
      joined[joined.length - 1] = last + part
    else joined.push(part)
    return joined
  }, [])
}

function branchOf(choice: Choice, value: unknown, locale: string): MessageParts {
  const { kind, offset, exact, cases, other } = choice
  if (kind === 'select') return cases.get(String(value)) ?? other
  const number = Number(value)
  const type = kind === 'ordinal' ? 'ordinal' : 'cardinal'
  return exact.get(number) ?? cases.get(categoryOf(locale, type, number - offset)) ?? other
}

function formatted({ format }: Parameter, value: unknown, locale: string): string {
  const { kind, options = {}, minus = 0, unit } = format ?? {}
  switch (kind) {
    case undefined:
      return String(value)
    case 'number': {
      const { scale = 1, ...rest } = options as { readonly scale?: number }
      return new Intl.NumberFormat(locale, rest).format(Number(value) * scale - minus)
    }
    case 'date':
      return new Intl.DateTimeFormat(locale, options).format(value as Date)
    case 'list':
      return new Intl.ListFormat(locale, options).format(value as readonly string[])
    case 'relative': {
      const relative = new Intl.RelativeTimeFormat(locale, options)
      return relative.format(Number(value), (unit ?? 'day') as Intl.RelativeTimeFormatUnit)
    }
  }
}
