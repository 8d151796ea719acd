import { memoize } from '@servicekit/core'

/** Plural categories of CLDR, named as in the key suffixes of i18next. */
export const pluralCategories = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
export type PluralCategory = (typeof pluralCategories)[number]

const suffix = /^(.+)_(zero|one|two|few|many|other)$/s

/** Suffix that i18next adds between a key and its ordinal forms. */
export const ordinalSuffix = '_ordinal'

export interface KeyGroup {
  /** Key of the message: the key itself, or the common part of plural keys. */
  readonly key: string
  /** Key by plural category; undefined for a message without plural. */
  readonly plural: ReadonlyMap<PluralCategory, string> | undefined
  /** `true` for ordinal forms: `PLACE_ordinal_one` is "{{count}}st". */
  readonly ordinal: boolean
  /**
   * Key of the translation without plural suffix. Used without a number, and if `other`
   * is missing.
   */
  readonly base: string | undefined
}

/**
 * Groups the keys of a module into messages. `X_other` with at least one more
 * `X_<category>` is a plural message `X`, or an ordinal one if `X` ends with `_ordinal`.
 * Every other key is a message of its own, including `STEP_one` without a `STEP_other`.
 *
 * @param noPlural Names whose keys are messages of their own.
 */
export function groupKeys(
  keys: readonly string[],
  noPlural: readonly string[] = [],
): readonly KeyGroup[] {
  const forms = new Map<string, Map<PluralCategory, string>>()
  for (const key of keys) {
    const match = suffix.exec(key)
    if (!match || noPlural.includes(match[1]!)) continue
    const group = forms.get(match[1]!) ?? new Map<PluralCategory, string>()
    forms.set(match[1]!, group.set(match[2] as PluralCategory, key))
  }
  for (const [base, group] of forms) {
    if (!group.has('other') || group.size < 2) forms.delete(base)
  }
  const present = new Set(keys)
  const groups: KeyGroup[] = [...forms].map(([key, plural]) => ({
    key,
    plural,
    ordinal: key.endsWith(ordinalSuffix),
    base: present.has(key) ? key : undefined,
  }))
  for (const key of keys) {
    const match = suffix.exec(key)
    if (forms.has(key) || (match && forms.has(match[1]!))) continue
    groups.push(plainGroup(key))
  }
  return groups
}

/** Returns the group of a key without plural forms. */
export const plainGroup = (key: string): KeyGroup => ({
  key,
  plural: undefined,
  ordinal: false,
  base: undefined,
})

/**
 * Returns the locale whose plural rules apply to a language: the language itself (also
 * written `de_DE`), or `en` if Intl does not support it. Intl would fall back to the
 * locale of the machine, and builds would differ between machines.
 */
export const localeOf: (language: string) => string = memoize((language: string) => {
  const locale = language.replaceAll('_', '-')
  try {
    return Intl.PluralRules.supportedLocalesOf(locale).length > 0 ? locale : 'en'
  } catch {
    return 'en'
  }
})

/** Returns the plural categories of a language, e.g. `['one', 'other']`. */
export const categoriesOf = (
  language: string,
  type: Intl.PluralRuleType = 'cardinal',
): readonly PluralCategory[] => categories[type](language)

const categoriesFor = (type: Intl.PluralRuleType) =>
  memoize((language: string): readonly PluralCategory[] => {
    const rules = new Intl.PluralRules(localeOf(language), { type })
    const { pluralCategories: used } = rules.resolvedOptions()
    return pluralCategories.filter((category) => used.includes(category))
  })

const categories = { cardinal: categoriesFor('cardinal'), ordinal: categoriesFor('ordinal') }

/**
 * Returns the plural categories of everyday numbers. French, Spanish, Italian and
 * Portuguese have another category for whole millions, which messages such as "1 000 000
 * produits" do not need.
 *
 * ```ts
 * everydayCategoriesOf('fr-FR') // ['one', 'other'], where categoriesOf has 'many' too
 * ```
 */
export const everydayCategoriesOf = (
  language: string,
  type: Intl.PluralRuleType = 'cardinal',
): readonly PluralCategory[] => everydayCategories[type](language)

const everydayCategoriesFor = (type: Intl.PluralRuleType) =>
  memoize((language: string): readonly PluralCategory[] => {
    const rules = new Intl.PluralRules(localeOf(language), { type })
    const used = new Set<string>()
    for (let number = 0; number <= 200; number++) {
      used.add(rules.select(number))
      used.add(rules.select(number / 10))
    }
    return pluralCategories.filter((category) => used.has(category))
  })

const everydayCategories = {
  cardinal: everydayCategoriesFor('cardinal'),
  ordinal: everydayCategoriesFor('ordinal'),
}
