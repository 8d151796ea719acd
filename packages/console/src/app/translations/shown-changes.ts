import type { KeyRecord } from '../state/records.ts'
import type { DraftChange } from './draft-changes.ts'
import { shownText } from './key-values.ts'

/** Change of a translation; without a language, the removal of a key. */
export interface ShownChange {
  readonly module: string
  readonly key: string
  readonly language: string
  readonly before: string
  /** Undefined for a removal. */
  readonly after: string | undefined
  /** Actor who made the change, with the name of a user. */
  readonly actor?: string | null
  readonly author?: string | null
}

/** Returns the translations that a change affects, before and after it. */
export function shownChanges(
  change: DraftChange,
  row: KeyRecord | undefined,
): readonly ShownChange[] {
  const { module, key } = change
  if ('language' in change) {
    const { language, expected, value } = change
    return [{ module, key, language, before: shownText(expected), after: shownText(value) }]
  }
  const removal = { module, key, language: '', before: '', after: undefined }
  if (change.isRemoved) return [removal]
  // The served translations apply again.
  const languages = row?.isRemoved ? Object.keys(row.texts) : Object.keys(row?.drafts ?? {})
  return languages.map((language) => ({
    module,
    key,
    language,
    before: row?.isRemoved ? '' : shownText(row?.drafts[language]),
    after: shownText(row?.texts[language]),
  }))
}
