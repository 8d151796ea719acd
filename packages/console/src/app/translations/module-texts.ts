import {
  checkTranslations,
  type ModuleTexts,
  type ParseOptions,
  type TranslationProblem,
} from '@servicekit/catalog/inspection'
import type { KeyRecord } from '../state/records.ts'
import { type DraftChange, withChange } from './draft-changes.ts'
import { cellOf, idOf, messageOf, newRow, shownText, valueOf } from './key-values.ts'

/** Languages of a project. */
export interface ProjectLanguages {
  readonly codes: readonly string[]
  readonly defaultLanguage: string
}

/** Returns the current texts of keys of one module. */
export const moduleTexts = (
  rows: readonly KeyRecord[],
  { codes, defaultLanguage }: ProjectLanguages,
): ModuleTexts => ({
  module: rows[0]?.module ?? '',
  defaultLanguage,
  languages: [...codes],
  keys: rows
    .filter(({ isRemoved }) => !isRemoved)
    .map((row) => ({
      key: row.key,
      translations: codes.map((language) => shownText(valueOf(row, language)) || null),
      ...(row.details?.maxLength !== undefined && { maxLength: row.details.maxLength }),
    })),
})

/** Returns the problems of changed translations, in keys as they are after all changes. */
export function problemsOfChanges(
  rows: readonly KeyRecord[],
  changes: readonly DraftChange[],
  languages: ProjectLanguages,
  options?: ParseOptions,
): readonly TranslationProblem[] {
  const edits = changes.filter((change) => 'language' in change)
  const edited = new Set(edits.map((edit) => cellOf(edit, edit.language)))
  const messages = new Set(edits.map(messageOf))
  const after = new Map(
    rows.filter((row) => messages.has(messageOf(row))).map((row) => [idOf(row), row]),
  )
  for (const change of changes) {
    const row = after.get(idOf(change)) ?? newRow(change)
    if (messages.has(messageOf(change))) after.set(idOf(change), withChange(row, change))
  }
  const rowsAfter = [...after.values()]
  return [...new Set(rowsAfter.map(({ module }) => module))]
    .map((name) => rowsAfter.filter(({ module }) => module === name))
    .flatMap((own) => checkTranslations(moduleTexts(own, languages), options))
    .filter(({ module, keys, language }) =>
      keys.some((key) => edited.has(cellOf({ module, key }, language))),
    )
}
