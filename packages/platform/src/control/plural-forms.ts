/** One form of a text that depends on a number. */
export interface PluralForm {
  /** `one`, `ordinal_one`: what follows the key and `_`. */
  readonly name: string
  /** Numbers that take it, the smallest first; empty where the language has none. */
  readonly examples: readonly number[]
}

const categories = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

/** Every form that a key may have, as i18next names them: from `zero` to `ordinal_other`. */
export const formNames: readonly string[] = ['', 'ordinal_'].flatMap((kind) =>
  categories.map((category) => kind + category),
)

/**
 * The forms of a language, with numbers that take them.
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

/** Codes are whatever an instance calls its languages; Japanese has one form. */
function rulesOf(code: string, type: 'cardinal' | 'ordinal'): Intl.PluralRules {
  try {
    return new Intl.PluralRules(code.replaceAll('_', '-'), { type })
  } catch {
    return new Intl.PluralRules('ja', { type })
  }
}
