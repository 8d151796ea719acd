import type {
  Choice,
  MessagePart,
  MessageParts,
  Parameter,
  ParameterFormat,
  Tag,
} from '../syntax/message.ts'
import type { Translation } from '../model/parse-translation.ts'
import { categoriesOf, localeOf } from '../syntax/plural.ts'
import { tagNamesOf } from '../syntax/tags.ts'
import { jsonLiteral, propertyAccess, propertyName, stringLiteral } from './literal.ts'

/**
 * Returns the JavaScript expression of a message: a string if nothing is interpolated,
 * otherwise a function of the arguments `a` and, for plurals and dates, of `p(count, language)`,
 * which returns the plural category, and has the time zone as `p.timeZone`.
 *
 * ```js
 * "Anmelden"
 * a=>"Hallo "+a.name
 * (a,p)=>(p=p(a.count),p=="one"?a.count+" item":a.count+" items")
 * (f=>a=>"Total "+(f??=new Intl.NumberFormat("de",{style:"percent"})).format(a.n))()
 * a=>["I accept the ",a.link(["terms"]),"."]
 * ```
 *
 * @param isMarkup True for a message with tags, which returns an array.
 * @param language Language of the pack. A fallback translation keeps the plural rules of
 * its own language.
 */
export function translationExpression(
  translation: Translation | undefined,
  message: { readonly key: string; readonly plural: boolean; readonly ordinal?: boolean },
  language: string,
  isMarkup = false,
): string {
  if (!translation)
    return isMarkup ? `()=>[${stringLiteral(message.key)}]` : stringLiteral(message.key)
  // Fast path: nine of ten translations are plain strings.
  const [only] = translation.other
  if (
    !isMarkup &&
    typeof only === 'string' &&
    translation.other.length === 1 &&
    translation.forms.size === 0
  ) {
    return stringLiteral(only)
  }
  const scope = new Scope(translation.language, language)
  const valueOf = (parts: MessageParts): string =>
    isMarkup ? scope.list(parts) : scope.concatenate(parts)
  const isConstant = (parts: MessageParts): boolean =>
    !isMarkup && parts.every((part) => typeof part === 'string')
  const other = valueOf(translation.other)
  const { ordinal = false } = message
  const categories = categoriesOf(translation.language, ordinal ? 'ordinal' : 'cardinal')
  const forms = [...translation.forms]
    .filter(([category]) => categories.includes(category))
    .map(([category, parts]) => [category, valueOf(parts)] as const)
  // A choice inside a form needs categories too, so `p` must keep its value.
  const isNested = scope.usesPlural || ordinal
  const choose = (): string => {
    if (forms.length === 0) return other
    const variable = isNested ? 'c' : 'p'
    const expression = forms.reduceRight(
      (rest, [category, text]) => `${variable}=="${category}"?${text}:${rest}`,
      other,
    )
    const category = ordinal ? scope.ordinal('a.count') : `p(a.count${scope.pluralLanguage})`
    return isNested ? `(c=>${expression})(${category})` : `(p=${category},${expression})`
  }
  const zero = translation.forms.get('zero')
  // i18next uses the zero form for 0 in languages whose grammar has none, except for
  // ordinals.
  if (zero && !ordinal && !categories.includes('zero')) {
    const first = valueOf(zero)
    return scope.close(`=>a.count===0?${first}:${choose()}`, true)
  }
  if (forms.length === 0 && isConstant(translation.other)) return other
  return scope.close(`=>${choose()}`, forms.length > 0 && !ordinal)
}

/** Shared state while the expression of one message is built. */
class Scope {
  readonly #locale: string
  /** Third argument of `p` if the translation is not in the language of the pack. */
  readonly pluralLanguage: string
  /** Sources of the Intl objects that the message caches, indexed by variable. */
  readonly #cached: string[] = []
  /** True if the message needs `p`, for a category or the time zone. */
  usesPlural = false

  constructor(translationLanguage: string, language: string) {
    this.#locale = localeOf(translationLanguage)
    this.pluralLanguage = this.#locale === language ? '' : `,${stringLiteral(this.#locale)}`
  }

  /** Wraps `=>body` into a function in the scope of its cached objects. */
  close(body: string, plural: boolean): string {
    const whole = `${plural || this.usesPlural ? '(a,p)' : 'a'}${body}`
    if (this.#cached.length === 0) return whole
    const names = this.#cached.map((_, index) => `f${index}`)
    return `((${names.join(',')})=>${whole})()`
  }

  /** Returns an expression that evaluates to a string for any arguments. */
  concatenate(parts: MessageParts): string {
    // A leading string makes `+` concatenate whatever the type of the first argument.
    const shown = isStringPart(parts[0]!) ? parts : ['', ...parts]
    return shown.map((part) => this.#part(part)).join('+')
  }

  /** Returns an array expression: strings, and what the functions of the tags return. */
  list(parts: MessageParts): string {
    const items: string[] = []
    let text: MessagePart[] = []
    const flush = (): void => {
      if (text.length > 0) items.push(this.concatenate(text))
      text = []
    }
    for (const part of parts) {
      if (tagNamesOf([part]).size === 0) text.push(part)
      else {
        flush()
        items.push(this.#item(part as Tag | Choice))
      }
    }
    flush()
    return `[${items.join(',')}]`
  }

  #item(part: Tag | Choice): string {
    if ('cases' in part) return `...${this.#choice(part, (parts) => this.list(parts))}`
    const children = part.children ? this.list(part.children) : ''
    return `a${propertyAccess(part.tag)}(${children})`
  }

  #part(part: MessagePart): string {
    if (typeof part === 'string') return stringLiteral(part)
    if ('tag' in part) throw new TypeError('A tag cannot be concatenated')
    if ('cases' in part) return this.#choice(part, (parts) => this.concatenate(parts))
    const value = `a${propertyAccess(part.param)}`
    return part.format ? this.#formatted(value, part.format) : value
  }

  #choice(choice: Choice, valueOf: (parts: MessageParts) => string): string {
    const value = `a${propertyAccess(choice.param)}`
    const other = valueOf(choice.other)
    if (choice.kind === 'select') {
      const cases = [...choice.cases].map(
        ([name, parts]) =>
          `${toStringExpression(value, name)}==${stringLiteral(name)}?${valueOf(parts)}:`,
      )
      return `(${cases.join('')}${other})`
    }
    const exact = [...choice.exact].map(
      ([number, parts]) => `${value}==${number}?${valueOf(parts)}:`,
    )
    return `(${exact.join('')}${this.#byCategory(choice, value, other, valueOf)})`
  }

  #byCategory(
    choice: Choice,
    value: string,
    other: string,
    valueOf: (parts: MessageParts) => string,
  ): string {
    const known = categoriesOf(this.#locale, choice.kind === 'ordinal' ? 'ordinal' : 'cardinal')
    const cases = [...choice.cases].filter(([name]) => known.some((one) => one === name))
    if (cases.length === 0) return other
    const number = choice.offset === 0 ? value : `${value}-${choice.offset}`
    const branches = cases.map(([name, parts]) => `c=="${name}"?${valueOf(parts)}:`)
    return `(c=>${branches.join('')}${other})(${this.#category(choice, number)})`
  }

  /**
   * Returns the ordinal category expression. Few messages use ordinals, so packs create
   * their own plural rules.
   */
  ordinal(number: string): string {
    return `${this.#cache('PluralRules', { type: 'ordinal' })}.select(${number})`
  }

  #category(choice: Choice, number: string): string {
    if (choice.kind === 'ordinal') return this.ordinal(number)
    this.usesPlural = true
    return `p(${number}${this.pluralLanguage})`
  }

  #formatted(value: string, { kind, options = {}, minus, unit }: ParameterFormat): string {
    switch (kind) {
      case 'number': {
        const { scale, ...rest } = options
        const scaled = typeof scale === 'number' && scale !== 1 ? `${value}*${scale}` : value
        const number = minus === undefined ? scaled : `${scaled}-${minus}`
        return `${this.#cache('NumberFormat', rest)}.format(${number})`
      }
      case 'date':
        return `${this.#dateFormat(options)}.format(${value})`
      case 'list':
        return `${this.#cache('ListFormat', options)}.format(${value})`
      case 'relative':
        return `${this.#cache('RelativeTimeFormat', options)}.format(${value},${stringLiteral(unit ?? 'day')})`
    }
  }

  /**
   * Returns an expression for a date format, cached by time zone: that of the format itself, or
   * that of the page or request, `p.timeZone`.
   */
  #dateFormat(options: Readonly<Record<string, unknown>>): string {
    if (options['timeZone'] !== undefined) return this.#cache('DateTimeFormat', options)
    this.usesPlural = true
    const list = `{${[...properties(options), 'timeZone:p.timeZone'].join(',')}}`
    const source = `new Intl.DateTimeFormat(${stringLiteral(this.#locale)},${list})`
    return `((${this.#variable(source)}??={})[p.timeZone]??=${source})`
  }

  /** Returns an expression for an Intl object that is created on first use and cached. */
  #cache(constructor: string, options: Readonly<Record<string, unknown>>): string {
    const list = Object.keys(options).length === 0 ? '' : `,${literal(options)}`
    const source = `new Intl.${constructor}(${stringLiteral(this.#locale)}${list})`
    return `(${this.#variable(source)}??=${source})`
  }

  /** Returns the name of the variable that caches what `source` creates. */
  #variable(source: string): string {
    const found = this.#cached.indexOf(source)
    return `f${found < 0 ? this.#cached.push(source) - 1 : found}`
  }
}

/** Formatted values and choices are already strings. */
const isStringPart = (part: MessagePart): boolean =>
  typeof part === 'string' || 'cases' in part || (part as Parameter).format !== undefined

/** A boolean equals a string only after conversion. */
const toStringExpression = (value: string, name: string): string =>
  /^(?:true|false)$/.test(name) ? `${value}+""` : value

const literal = (options: Readonly<Record<string, unknown>>): string =>
  `{${properties(options).join(',')}}`

const properties = (options: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : `${propertyName(name)}:${jsonLiteral(value)}`,
  )
