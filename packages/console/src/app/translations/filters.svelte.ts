import type { Router } from '../state/router.svelte.ts'
import { type RowFilter, rowFilters } from './filter-rows.ts'

/** Search and filters of the translations. */
export interface Filters {
  search: string
  /** Module; all if it is empty. */
  module: string
  filter: RowFilter
  /** Language that the filter concerns; all if it is empty. */
  language: string
  /** Filter by people, such as `assigned:ID`; none if it is empty. */
  people: string
  /** Language that is translated message by message; empty for the grid. */
  translate: string
}

/**
 * Reads the search and the filters from the address, and writes them to it. `missing=de-DE` is
 * short for `filter=missing&in=de-DE`.
 */
export function createFilters(router: Router) {
  const current = $derived.by((): Filters => {
    const { query } = router
    const missing = query.get('missing')
    const filter = rowFilters.find((name) => name === query.get('filter')) ?? 'all'
    return {
      search: query.get('search') ?? '',
      module: query.get('module') ?? '',
      filter: missing === null ? filter : 'missing',
      language: query.get('in') ?? missing ?? '',
      people: query.get('people') ?? '',
      translate: query.get('translate') ?? '',
    }
  })
  const queryOf = ({
    search,
    module,
    filter,
    language,
    people,
    translate,
  }: Filters): Record<string, string> => ({
    ...(search !== '' && { search }),
    ...(module !== '' && { module }),
    ...(filter !== 'all' && { filter }),
    ...(language !== '' && { in: language }),
    ...(people !== '' && { people }),
    ...(translate !== '' && { translate }),
  })
  /** Returns the address of a page of the translations with these filters. */
  const href = (path: string, more: Record<string, string> = {}): string =>
    router.href(path, { ...queryOf(current), ...more })
  return {
    get current() {
      return current
    },
    href,
    /** Returns the query of the address with changed filters. */
    queryOf: (changes: Partial<Filters>) => queryOf({ ...current, ...changes }),
    /** Returns the address of a key. */
    hrefOf: (
      { module, key }: { readonly module: string; readonly key: string },
      language?: string,
    ) =>
      href(
        `/translations/${encodeURIComponent(module)}/${encodeURIComponent(key)}`,
        language === undefined ? {} : { language },
      ),
    /** Changes filters, and leaves the key open. Typing adds one entry to the history. */
    change: (changes: Partial<Filters>): void => {
      const next = { ...current, ...changes }
      const isTyping =
        changes.search !== undefined && changes.search !== '' && current.search !== ''
      const path = router.segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
      router.navigate(router.href(path, queryOf(next)), { replace: isTyping })
    },
  }
}
