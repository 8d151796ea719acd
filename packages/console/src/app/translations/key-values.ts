import { isMissingMarker } from '@servicekit/contract/limits'
import { formNames, memoize, pluralForms } from '@servicekit/core'
import type { DraftRecord, KeyRecord, StateChange } from '../state/records.ts'

/** Returns the identifier of a key among all modules. */
export const idOf = ({ module, key }: Pick<KeyRecord, 'module' | 'key'>): string =>
  `${module}\n${key}`

/** Returns the identifier of a translation among all keys. */
export const cellOf = (row: Pick<KeyRecord, 'module' | 'key'>, language: string): string =>
  `${idOf(row)}\n${language}`

/** Returns the record of a key; of a key with plural forms, those of its forms. */
export function rowsOf(
  rows: readonly KeyRecord[],
  { module, key }: Pick<KeyRecord, 'module' | 'key'>,
): readonly KeyRecord[] {
  const find = (name: string) => rows.filter((row) => row.module === module && row.key === name)
  const own = find(key)
  return own.length > 0 ? own : formNames.flatMap((form) => find(`${key}_${form}`))
}

/** Returns the record of a key that does not exist yet. */
export const newRow = ({ module, key }: Pick<KeyRecord, 'module' | 'key'>): KeyRecord => ({
  module,
  key,
  texts: {},
  drafts: {},
  states: {},
  isRemoved: false,
})

/** Returns the current translation: the draft, otherwise the served one; null if there is none. */
export const valueOf = ({ texts, drafts }: KeyRecord, language: string): string | null =>
  (language in drafts ? drafts[language] : texts[language]) ?? null

/** Returns the text that is shown for a translation. Instances store missing ones in three ways. */
export const shownText = (value: string | null | undefined): string =>
  value === undefined || value === null || isMissingMarker(value) ? '' : value

/** States of a translation, in the order of the work. */
export type State = 'untranslated' | StateChange['state']

/** Returns the state of the current translation. */
export function stateOf(row: KeyRecord, language: string): State {
  if (shownText(valueOf(row, language)) === '') return 'untranslated'
  return row.states[language] ?? 'translated'
}

/** Returns a copy of a key with a state that was set. */
export function withState(row: KeyRecord, { language, state }: StateChange): KeyRecord {
  const { [language]: _, ...others } = row.states
  return { ...row, states: state === 'translated' ? others : { ...others, [language]: state } }
}

/** Returns whether publishing changes a translation. */
export const isChanged = ({ texts, drafts }: KeyRecord, language: string): boolean =>
  language in drafts && shownText(drafts[language]) !== shownText(texts[language])

/** Returns a copy of a key with a drafted translation. */
export const withDraft = (row: KeyRecord, language: string, value: string | null): KeyRecord => ({
  ...row,
  drafts: { ...row.drafts, [language]: value },
  // A newer draft ends the removal of its key.
  isRemoved: false,
})

/** Returns whether a key has this draft. */
export function hasDraft(row: KeyRecord | undefined, draft: DraftRecord): boolean {
  if (!row || 'isRemoved' in draft) return row?.isRemoved ?? false
  return draft.language in row.drafts && row.drafts[draft.language] === draft.value
}

/** Returns a copy of a key as it is after publishing. */
export const published = (row: KeyRecord): KeyRecord => ({
  ...row,
  texts: { ...row.texts, ...row.drafts },
  drafts: {},
})

// The name of an ordinal plural ends with `_ordinal`.
const messageSuffix = /_(zero|one|two|few|many|other)$/
const formSuffix = new RegExp(`_(${formNames.join('|')})$`)

/** Returns the identifier of the message of a key: all forms of a plural have the same. */
export const messageOf = ({ module, key }: Pick<KeyRecord, 'module' | 'key'>): string =>
  idOf({ module, key: key.replace(messageSuffix, '') })
const formsOf = memoize(pluralForms)

/** Names whose keys are messages of their own, by module: an option of the application. */
export type NoPlural = Readonly<Record<string, readonly string[]>>

/** Returns the names of a module whose keys are messages of their own. */
export const namesWithoutPlural = (noPlural: NoPlural, module: string): readonly string[] =>
  Object.hasOwn(noPlural, module) ? noPlural[module]! : []

/**
 * Returns a function that tells whether a key is a plural form which a language does not use, such
 * as `ITEMS_few` in English. Only the keys of a message with the form `other` are plural forms.
 */
export function createFormCheck(rows: readonly KeyRecord[], noPlural: NoPlural = {}) {
  const others = new Set(rows.filter(({ key }) => key.endsWith('other')).map(idOf))
  return (row: KeyRecord, language: string): boolean => {
    const form = formSuffix.exec(row.key)?.[1]
    // Fractions may use the form `other` in a language whose integers do not.
    if (form === undefined || form.endsWith('other')) return false
    if (formsOf(language).get(form)!.length > 0) return false
    const base = row.key.replace(messageSuffix, '')
    if (namesWithoutPlural(noPlural, row.module).includes(base)) return false
    return others.has(idOf({ ...row, key: row.key.replace(/[a-z]+$/, 'other') }))
  }
}
