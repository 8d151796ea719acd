const categories = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

/** All plural suffixes of i18next, from `zero` to `ordinal_other`. */
export const formNames: readonly string[] = ['', 'ordinal_'].flatMap((kind) =>
  categories.map((category) => kind + category),
)

const numbers = Array.from({ length: 201 }, (_, number) => number)

/**
 * Returns up to three sample numbers for each plural form of a language, smallest first; none
 * for a form that the language does not use.
 *
 * ```ts
 * pluralForms('en-US').get('ordinal_two') // [2, 22, 32]
 * ```
 */
export function pluralForms(code: string): ReadonlyMap<string, readonly number[]> {
  const rules = { cardinal: rulesOf(code, 'cardinal'), ordinal: rulesOf(code, 'ordinal') }
  return new Map(
    formNames.map((name) => {
      const { [name.startsWith('ordinal') ? 'ordinal' : 'cardinal']: rule } = rules
      const category = name.replace('ordinal_', '')
      return [name, numbers.filter((number) => rule.select(number) === category).slice(0, 3)]
    }),
  )
}

/** Falls back to Japanese, which has one form, for codes that are not BCP 47 tags. */
function rulesOf(code: string, type: 'cardinal' | 'ordinal'): Intl.PluralRules {
  try {
    return new Intl.PluralRules(code.replaceAll('_', '-'), { type })
  } catch {
    return new Intl.PluralRules('ja', { type })
  }
}
