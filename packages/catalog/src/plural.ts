import { remembering } from './remembering.ts'

/** Plural categories of CLDR, as the suffixes of i18next name them. */
export const pluralCategories = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
export type PluralCategory = (typeof pluralCategories)[number]

const suffix = /^(.+)_(zero|one|two|few|many|other)$/s

/** What i18next puts between a key and the forms of its ordinal. */
export const ordinalSuffix = '_ordinal'

export interface KeyGroup {
  /** Key that the message goes by: that of a plain text, or the shared part of plural keys. */
  readonly key: string
  /** Undefined for a plain text. */
  readonly plural: ReadonlyMap<PluralCategory, string> | undefined
  /** Whether the forms are of numbers that count places: `PLACE_ordinal_one` is "{{count}}st". */
  readonly ordinal: boolean
  /** Key of the text beside plural forms: shown without a number, and where `other` is missing. */
  readonly base: string | undefined
}

/**
 * Groups the keys of a module into messages. `X_other` with at least one more
 * `X_<category>` is one plural message `X`, and an ordinal one where `X` ends with
 * `_ordinal`; every other key is a message of its own, `STEP_one` without a
 * `STEP_other` included.
 */
export function groupKeys(keys: readonly string[]): readonly KeyGroup[] {
  const forms = new Map<string, Map<PluralCategory, string>>()
  for (const key of keys) {
    const match = suffix.exec(key)
    if (!match) continue
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

/** Group of a key without plural forms. */
export const plainGroup = (key: string): KeyGroup => ({
  key,
  plural: undefined,
  ordinal: false,
  base: undefined,
})

/**
 * Locale whose plural rules a language goes by: itself (projects also write
 * `de_DE`), or `en` where no rules are known. Left to `Intl`, it would be that of
 * the machine, and the build another one on each.
 */
export const localeOf: (language: string) => string = remembering((language) => {
  const locale = language.replaceAll('_', '-')
  try {
    return Intl.PluralRules.supportedLocalesOf(locale).length > 0 ? locale : 'en'
  } catch {
    return 'en'
  }
})

/** Categories that a language's numbers use, such as `['one', 'other']`. */
export const categoriesOf = (
  language: string,
  type: Intl.PluralRuleType = 'cardinal',
): readonly PluralCategory[] => categories[type](language)

const categoriesFor = (type: Intl.PluralRuleType) =>
  remembering((language): readonly PluralCategory[] => {
    const rules = new Intl.PluralRules(localeOf(language), { type })
    const { pluralCategories: used } = rules.resolvedOptions()
    return pluralCategories.filter((category) => used.includes(category))
  })

const categories = { cardinal: categoriesFor('cardinal'), ordinal: categoriesFor('ordinal') }

/**
 * The categories of numbers that people count to. French, Spanish, Italian and
 * Portuguese have another one for whole millions, which texts such as
 * "1 000 000 produits" do without.
 *
 * ```ts
 * everydayCategoriesOf('fr-FR') // ['one', 'other'], where categoriesOf has 'many' too
 * ```
 */
export function everydayCategoriesOf(
  language: string,
  type: Intl.PluralRuleType = 'cardinal',
): readonly PluralCategory[] {
  const rules = new Intl.PluralRules(localeOf(language), { type })
  const used = new Set<string>()
  for (let number = 0; number <= 200; number++) {
    used.add(rules.select(number))
    // Nobody comes in as one and a half.
    if (type === 'cardinal') used.add(rules.select(number / 10))
  }
  return pluralCategories.filter((category) => used.has(category))
}
