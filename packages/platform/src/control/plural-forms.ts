/** Plural form of a message. */
export interface PluralForm {
  /** Suffix after the key and `_`, such as `one` or `ordinal_one`. */
  readonly name: string
  /**
   * Sample numbers that select the form, smallest first; empty if the language does not
   * use it.
   */
  readonly examples: readonly number[]
}

const categories = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

/** All plural suffixes of i18next, from `zero` to `ordinal_other`. */
export const formNames: readonly string[] = ['', 'ordinal_'].flatMap((kind) =>
  categories.map((category) => kind + category),
)

/**
 * Returns the plural forms of a language, with sample numbers.
 *
 * ```ts
 * pluralForms('en-US').get('ordinal_two') // {name: 'ordinal_two', examples: [2, 22, 32]}
 * ```
 */
export function pluralForms(code: string): ReadonlyMap<string, PluralForm> {
  const forms = (type: 'cardinal' | 'ordinal') => {
    const rules = rulesOf(code, type)
    const numbers = Array.from({ length: 201 }, (_, number) => number)
    return categories.map((category) => ({
      name: (type === 'ordinal' ? 'ordinal_' : '') + category,
      examples: numbers.filter((number) => rules.select(number) === category).slice(0, 3),
    }))
  }
  const all = [...forms('cardinal'), ...forms('ordinal')]
  return new Map(all.map((form) => [form.name, form]))
}

/**
 * Falls back to Japanese, which has one form, because language codes need not be valid
 * BCP 47 tags.
 */
function rulesOf(code: string, type: 'cardinal' | 'ordinal'): Intl.PluralRules {
  try {
    return new Intl.PluralRules(code.replaceAll('_', '-'), { type })
  } catch {
    return new Intl.PluralRules('ja', { type })
  }
}
