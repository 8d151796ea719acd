import { formNames, memoize, pluralForms } from '@servicekit/core'
import { type SQL, sql } from 'drizzle-orm'

/** Suffix of a plural form, as a regular expression of PostgreSQL. */
export const formSuffix = `_(${formNames.join('|')})$`

/** Key of the form `other` of the same message; other keys stay. */
export const otherForm = (key: SQL): SQL =>
  sql`regexp_replace(${key}, '_(zero|one|two|few|many|other)$', '_other')`

/** Returns the forms that a language does not use, as `fr-FR few`. Fractions may use `other`. */
const unusedForms = memoize((code: string): readonly string[] =>
  [...pluralForms(code)].flatMap(([form, numbers]) =>
    numbers.length > 0 || form.endsWith('other') ? [] : `${code} ${form}`,
  ),
)

/**
 * Condition for a key that is a plural form which a language does not use, such as `ITEMS_few` in
 * English. Only the keys of a message with the form `other` are plural forms.
 *
 * @param codes of the languages that `language` can be.
 */
export const isUnusedForm = (
  key: { readonly name: SQL; readonly moduleId: SQL },
  language: SQL,
  codes: readonly string[],
): SQL =>
  sql`(coalesce(${language} || ' ' || substring(${key.name} from ${formSuffix}), '')
    = any(${sql.param(codes.flatMap(unusedForms))}::text[])
    and exists (select from servicekit.keys o where o.module_id = ${key.moduleId}
      and o.key = ${otherForm(key.name)}))`
