import { groupKeys } from '@servicekit/catalog/inspection'

/** Plural categories of CLDR, as most formats name them. */
const categories = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
export type Category = (typeof categories)[number]

export const isCategory = (name: string): name is Category =>
  (categories as readonly string[]).includes(name)

/** Returns the key of a plural form, as in i18next. */
export const formKey = (key: string, category: Category): string => `${key}_${category}`

/** Text of a message, or those of its plural forms. */
export type TextGroup =
  | { readonly key: string; readonly text: string }
  | { readonly key: string; readonly forms: ReadonlyMap<Category, string> }

/**
 * Groups the texts of a language by message. A key that is also a message of its own keeps its
 * forms apart, because most formats have each name only once.
 *
 * @param keys all keys of the module: a language may have fewer forms than others.
 */
export function groupTexts(
  texts: ReadonlyMap<string, string>,
  keys: readonly string[],
): readonly TextGroup[] {
  return groupKeys(keys).flatMap(({ key, plural, base }): readonly TextGroup[] => {
    if (!plural || base !== undefined) {
      const own = plural ? [...plural.values(), key] : [key]
      return own.flatMap((one) => {
        const text = texts.get(one)
        return text === undefined ? [] : [{ key: one, text }]
      })
    }
    const forms = new Map<Category, string>()
    for (const [category, name] of plural) {
      const text = texts.get(name)
      if (text !== undefined) forms.set(category, text)
    }
    return forms.size === 0 ? [] : [{ key, forms }]
  })
}
