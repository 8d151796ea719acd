import type { KeyRecord, StateChange } from '../state/records.ts'
import { type RowFilter, isStateFilter } from './filter-rows.ts'
import { stateOf, valueOf } from './key-values.ts'

/** Translation of a key. */
export interface TranslationCell {
  readonly row: KeyRecord
  readonly language: string
}

/**
 * Returns the translations of keys that can be given a state: those with a text, which have another
 * state, and which the filter shows if it shows a state.
 */
export const cellsForState = (
  rows: readonly KeyRecord[],
  languages: readonly string[],
  state: StateChange['state'],
  filter: RowFilter,
): readonly TranslationCell[] =>
  rows.flatMap((row) =>
    languages.flatMap((language) => {
      const current = stateOf(row, language)
      const isShown = !isStateFilter(filter) || current === filter
      const isLeft = row.isRemoved || current === 'untranslated' || current === state
      return isLeft || !isShown ? [] : [{ row, language }]
    }),
  )

/** Returns the changes that give translations a state, with the texts that they are for. */
export const planStates = (
  cells: readonly TranslationCell[],
  state: StateChange['state'],
  defaultLanguage: string,
): readonly StateChange[] =>
  cells.map(({ row, language }) => ({
    module: row.module,
    key: row.key,
    language,
    state,
    expected: valueOf(row, language) ?? '',
    source: valueOf(row, defaultLanguage),
  }))
