import type { KeyRecord } from '../state/records.ts'
import { createFormCheck, isChanged, shownText, valueOf } from './key-values.ts'
import type { Problems } from './problems.svelte.ts'

/** Filters of the translations, besides all keys. */
export const rowFilters = [
  'all',
  'missing',
  'changed',
  'copied',
  'tooLong',
  'placeholders',
  'unused',
] as const
export type RowFilter = (typeof rowFilters)[number]

/** Conditions that shown keys fulfil. */
export interface RowConditions {
  readonly search: string
  /** Module; all if it is empty. */
  readonly module: string
  readonly filter: RowFilter
  /** Languages of which one fulfils the filter. */
  readonly languages: readonly string[]
  /** Tells the keys whose use is not known. */
  readonly isUnused?: (row: KeyRecord) => boolean
}

/** Texts in which the search looks, in lower case. Rows are immutable, so it is kept for each. */
export type SearchTexts = WeakMap<KeyRecord, string>

/** Returns the rows that fulfil all conditions. */
export function filterRows(
  rows: readonly KeyRecord[],
  { search, module, filter, languages, isUnused }: RowConditions,
  problems: Pick<Problems, 'of'>,
  searchTexts: SearchTexts,
): readonly KeyRecord[] {
  const wanted = search.trim().toLowerCase()
  if (wanted === '' && module === '' && filter === 'all') return rows
  const isFormUnused = filter === 'missing' ? createFormCheck(rows) : undefined
  return rows.filter(
    (row) =>
      (module === '' || row.module === module) &&
      (wanted === '' || searchTextOf(row, searchTexts).includes(wanted)) &&
      (filter === 'all' ||
        (filter === 'unused'
          ? isUnused?.(row)
          : languages.some(
              (language) =>
                !isFormUnused?.(row, language) && fulfils(row, language, filter, problems),
            ))),
  )
}

function fulfils(
  row: KeyRecord,
  language: string,
  filter: RowFilter,
  problems: Pick<Problems, 'of'>,
): boolean {
  if (filter === 'missing') return shownText(valueOf(row, language)) === ''
  if (filter === 'changed') return row.isRemoved || isChanged(row, language)
  return (
    problems
      .of(row)
      ?.get(language)
      ?.some(({ kind }) => kind === filter) ?? false
  )
}

function searchTextOf(row: KeyRecord, known: SearchTexts): string {
  const found = known.get(row)
  if (found !== undefined) return found
  const values = [...Object.values(row.texts), ...Object.values(row.drafts)]
  const text = [row.key, ...values].join('\n').toLowerCase()
  known.set(row, text)
  return text
}
