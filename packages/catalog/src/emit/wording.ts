import type { Choice, Format, Insert, MessagePart, MessageParts } from '../message.ts'
import type { Wording } from '../model.ts'
import { categoriesOf, localeOf } from '../plural.ts'
import { propertyAccess, propertyName, stringLiteral } from './literal.ts'

/**
 * Returns the JavaScript expression of a message: a string if nothing is interpolated,
 * otherwise a function of the arguments `a` and, for plurals, of `p(count, language)`,
 * which returns the plural category.
 *
 * ```js
 * "Anmelden"
 * a=>"Hallo "+a.name
 * (a,p)=>(p=p(a.count),p=="one"?a.count+" item":a.count+" items")
 * (f=>a=>"Total "+(f??=new Intl.NumberFormat("de",{style:"percent"})).format(a.n))()
 * ```
 *
 * @param language Language of the pack. A fallback translation keeps the plural rules of
 * its own language.
 */
export function wordingExpression(
  wording: Wording | undefined,
  message: { readonly key: string; readonly plural: boolean; readonly ordinal?: boolean },
  language: string,
): string {
  if (!wording) return stringLiteral(message.key)
  // Fast path: nine of ten translations are plain strings.
  const [only] = wording.other
  if (typeof only === 'string' && wording.other.length === 1 && wording.forms.size === 0) {
    return stringLiteral(only)
  }
  const scope = new Scope(wording.language, language)
  const other = scope.text(wording.other)
  if (wording.forms.size === 0) {
    return isConstant(wording.other) ? other : scope.close(`=>${other}`)
  }

  const { ordinal = false } = message
  const categories = categoriesOf(wording.language, ordinal ? 'ordinal' : 'cardinal')
  const forms = [...wording.forms]
    .filter(([category]) => categories.includes(category))
    .map(([category, parts]) => [category, scope.text(parts)] as const)
  const isChosen = forms.length > 0
  // A choice inside a form needs categories too, so `p` must keep its value.
  const isNested = scope.usesPlural || ordinal
  const variable = isNested ? 'c' : 'p'
  const expression = forms.reduceRight(
    (rest, [category, text]) => `${variable}=="${category}"?${text}:${rest}`,
    other,
  )
  const asked = ordinal ? (isChosen ? scope.ordinal('a.count') : '') : `p(a.count${scope.asked})`
  const chosen = isNested ? `(c=>${expression})(${asked})` : `(p=${asked},${expression})`
  const zero = wording.forms.get('zero')
  // i18next uses the zero form for 0 in languages whose grammar has none, except for
  // ordinals.
  if (zero && !ordinal && !categories.includes('zero')) {
    const first = scope.text(zero)
    return scope.close(`=>a.count===0?${first}:${isChosen ? chosen : other}`, true)
  }
  if (!isChosen) return isConstant(wording.other) ? other : scope.close(`=>${other}`)
  return scope.close(`=>${chosen}`, !ordinal || scope.usesPlural)
}

const isConstant = (parts: MessageParts): boolean => parts.every((part) => typeof part === 'string')

/** Shared state while the expression of one message is built. */
class Scope {
  readonly #locale: string
  /** Third argument of `p` if the translation is not in the language of the pack. */
  readonly asked: string
  /** Sources of the Intl objects that the message caches, indexed by variable. */
  readonly #kept: string[] = []
  usesPlural = false

  constructor(written: string, language: string) {
    this.#locale = localeOf(written)
    this.asked = this.#locale === language ? '' : `,${stringLiteral(this.#locale)}`
  }

  /** Wraps `=>body` into a function in the scope of its cached objects. */
  close(body: string, plural = this.usesPlural): string {
    const whole = `${plural || this.usesPlural ? '(a,p)' : 'a'}${body}`
    if (this.#kept.length === 0) return whole
    const names = this.#kept.map((_, index) => `f${index}`)
    return `((${names.join(',')})=>${whole})()`
  }

  /** Returns an expression that evaluates to a string for any arguments. */
  text(parts: MessageParts): string {
    // A leading string makes `+` concatenate whatever the type of the first argument.
    const shown = isText(parts[0]) ? parts : ['', ...parts]
    return shown.map((part) => this.#part(part)).join('+')
  }

  #part(part: MessagePart): string {
    if (typeof part === 'string') return stringLiteral(part)
    if ('choose' in part) return this.#choice(part)
    const value = `a${propertyAccess(part.param)}`
    return part.format ? this.#formatted(value, part.format) : value
  }

  #choice(choice: Choice): string {
    const value = `a${propertyAccess(choice.param)}`
    const other = this.text(choice.other)
    if (choice.choose === 'select') {
      const cases = [...choice.cases].map(
        ([name, parts]) => `${asText(value, name)}==${stringLiteral(name)}?${this.text(parts)}:`,
      )
      return cases.length === 0 ? `(${other})` : `(${cases.join('')}${other})`
    }
    const exact = [...choice.exact].map(
      ([number, parts]) => `${value}==${number}?${this.text(parts)}:`,
    )
    return `(${exact.join('')}${this.#byCategory(choice, value, other)})`
  }

  #byCategory(choice: Choice, value: string, other: string): string {
    const known = categoriesOf(this.#locale, choice.choose === 'ordinal' ? 'ordinal' : 'cardinal')
    const cases = [...choice.cases].filter(([name]) => known.some((one) => one === name))
    if (cases.length === 0) return other
    const number = choice.offset === 0 ? value : `${value}-${choice.offset}`
    const texts = cases.map(([name, parts]) => `c=="${name}"?${this.text(parts)}:`)
    return `(c=>${texts.join('')}${other})(${this.#category(choice, number)})`
  }

  /**
   * Returns the ordinal category expression. Few messages use ordinals, so packs create
   * their own plural rules.
   */
  ordinal(number: string): string {
    return `${this.#keep('PluralRules', { type: 'ordinal' })}.select(${number})`
  }

  #category(choice: Choice, number: string): string {
    if (choice.choose === 'ordinal') return this.ordinal(number)
    this.usesPlural = true
    return `p(${number}${this.asked})`
  }

  #formatted(value: string, { kind, options = {}, minus, unit }: Format): string {
    switch (kind) {
      case 'number': {
        const { scale, ...rest } = options
        const scaled = typeof scale === 'number' && scale !== 1 ? `${value}*${scale}` : value
        const number = minus === undefined ? scaled : `${scaled}-${minus}`
        return `${this.#keep('NumberFormat', rest)}.format(${number})`
      }
      case 'date':
        return `${this.#keep('DateTimeFormat', options)}.format(${value})`
      case 'list':
        return `${this.#keep('ListFormat', options)}.format(${value})`
      case 'relative':
        return `${this.#keep('RelativeTimeFormat', options)}.format(${value},${stringLiteral(unit ?? 'day')})`
    }
  }

  /** Returns an expression for an Intl object that is created on first use and cached. */
  #keep(constructor: string, options: Readonly<Record<string, unknown>>): string {
    const list = Object.keys(options).length === 0 ? '' : `,${literal(options)}`
    const source = `new Intl.${constructor}(${stringLiteral(this.#locale)}${list})`
    const found = this.#kept.indexOf(source)
    const index = found < 0 ? this.#kept.push(source) - 1 : found
    return `(f${index}??=${source})`
  }
}

/** Formatted values and choices are already strings. */
const isText = (part: MessagePart | undefined): boolean =>
  typeof part === 'string' ||
  (part !== undefined && ('choose' in part || (part as Insert).format !== undefined))

/** A boolean equals a string only after conversion. */
const asText = (value: string, name: string): string =>
  /^(?:true|false)$/.test(name) ? `${value}+""` : value

const literal = (options: Readonly<Record<string, unknown>>): string =>
  `{${Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `${propertyName(name)}:${typeof value === 'string' ? stringLiteral(value) : String(value)}`,
    )
    .join(',')}}`
