import type { TranslationRule } from '@servicekit/catalog/inspection'
import type { KeyRecord } from '../state/records.ts'
import { createFormCheck, isChanged, type NoPlural, type State, stateOf } from './key-values.ts'
import type { Problems } from './problems.svelte.ts'

/** Filters of the translations, besides all keys. */
export const rowFilters = [
  'all',
  'missing',
  'translated',
  'needsReview',
  'reviewed',
  'changed',
  'problems',
  'copied',
  'tooLong',
  'placeholders',
  'unused',
] as const
export type RowFilter = (typeof rowFilters)[number]

/** Tells the filters that show the written translations of one state. */
export const isStateFilter = (filter: string): filter is Exclude<State, 'untranslated'> =>
  ['translated', 'needsReview', 'reviewed'].includes(filter)

/** Conditions that shown keys fulfil. */
export interface RowConditions {
  readonly search: string
  /** Module; all if it is empty. */
  readonly module: string
  readonly filter: RowFilter
  /** Languages of which one fulfils the filter. */
  readonly languages: readonly string[]
  readonly noPlural?: NoPlural | undefined
  /** Tells the keys whose use is not known. */
  readonly isUnused?: (row: KeyRecord) => boolean
  /** Tells the keys that fulfil the filter by people; undefined without one. */
  readonly isOfPeople?: ((row: KeyRecord) => boolean) | undefined
  /** Tells the keys that are shown in any case. */
  readonly isKept?: (row: KeyRecord) => boolean
}

/** Texts in which the search looks, as `fold` returns them. Rows are immutable, so it is kept for each. */
export type SearchTexts = WeakMap<KeyRecord, string>

/** Returns the rows that fulfil all conditions. */
export function filterRows(
  rows: readonly KeyRecord[],
  { search, module, filter, languages, noPlural, isUnused, isOfPeople, isKept }: RowConditions,
  problems: Pick<Problems, 'of'>,
  searchTexts: SearchTexts,
): readonly KeyRecord[] {
  const words = fold(search)
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0 && module === '' && filter === 'all' && !isOfPeople) return rows
  const isFormUnused = filter === 'missing' ? createFormCheck(rows, noPlural) : undefined
  return rows.filter(
    (row) =>
      isKept?.(row) ||
      ((module === '' || row.module === module) &&
        (isOfPeople?.(row) ?? true) &&
        words.every((word) => searchTextOf(row, searchTexts).includes(word)) &&
        (filter === 'all' ||
          (filter === 'unused'
            ? isUnused?.(row)
            : languages.some(
                (language) =>
                  !isFormUnused?.(row, language) && fulfils(row, language, filter, problems),
              )))),
  )
}

/** Filters that show a single rule. */
const rulesOfFilters: Readonly<Partial<Record<RowFilter, TranslationRule>>> = {
  copied: 'copy',
  tooLong: 'length',
  placeholders: 'parameter',
}

function fulfils(
  row: KeyRecord,
  language: string,
  filter: RowFilter,
  problems: Pick<Problems, 'of'>,
): boolean {
  if (filter === 'missing') return stateOf(row, language) === 'untranslated'
  if (isStateFilter(filter)) return stateOf(row, language) === filter
  if (filter === 'changed') return row.isRemoved || isChanged(row, language)
  const found = problems.of(row)?.get(language) ?? []
  const rule = rulesOfFilters[filter]
  return rule ? found.some((one) => one.rule === rule) : found.length > 0
}

/** Returns a text without accents and case, so that `grosse` finds `Größe`. */
const fold = (text: string): string =>
  text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss')

function searchTextOf(row: KeyRecord, known: SearchTexts): string {
  const found = known.get(row)
  if (found !== undefined) return found
  const values = [...Object.values(row.texts), ...Object.values(row.drafts)]
  const text = fold([row.key, ...values].join('\n'))
  known.set(row, text)
  return text
}
