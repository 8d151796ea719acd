import type { KeyRecord } from '../state/records.ts'
import { filterRows, type RowConditions, type SearchTexts } from './filter-rows.ts'
import { idOf, shownText, valueOf } from './key-values.ts'
import { keysOf, type Message, messagesIn, recordOf } from './messages.ts'
import type { Problems } from './problems.svelte.ts'

/**
 * Returns the messages that need work in a language: those that the filter shows, or whose
 * translation is missing if it shows all. Missing plural forms are missing also if no language has
 * them.
 */
export function queueOf(
  rows: readonly KeyRecord[],
  language: string,
  conditions: Omit<RowConditions, 'languages'>,
  problems: Pick<Problems, 'of'>,
  searchTexts: SearchTexts,
): readonly Message[] {
  const isMissingWanted = conditions.filter === 'all' || conditions.filter === 'missing'
  const found = filterRows(
    rows,
    {
      ...conditions,
      filter: isMissingWanted ? 'all' : conditions.filter,
      languages: [language],
    },
    problems,
    searchTexts,
  )
  const shown = new Set(found.map(idOf))
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  return messagesIn(rows, language).filter((message) => {
    const keys = keysOf(message)
    if (!keys.some((key) => shown.has(idOf(key)))) return false
    return (
      !isMissingWanted ||
      keys.some((key) => shownText(valueOf(recordOf(byId, key), language)) === '')
    )
  })
}
