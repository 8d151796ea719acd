import { untrack } from 'svelte'
import { getConsole } from '../state/context.ts'
import type { KeyRecord, MessageMark } from '../state/records.ts'
import type { Filters } from './filters.svelte.ts'
import { createPeopleTest, markOf, readPeopleFilter } from './people-filter.ts'

/**
 * Creates the test for the filter by people, whose messages the platform lists. Call it while a
 * component is initialised.
 */
export function createPeopleMarks(filters: () => Pick<Filters, 'people'>) {
  const { api, notices, tasks } = getConsole()
  const people = $derived(filters().people)
  const filter = $derived(readPeopleFilter(people))
  let loaded = $state.raw<{ readonly people: string; readonly marks: readonly MessageMark[] }>()
  $effect(() => {
    if (!filter) return
    // Comments and assignments may change the list.
    void tasks.changes
    const controller = new AbortController()
    const { signal } = controller
    const wanted = untrack(() => people)
    api.get('/marks', { query: markOf(filter), signal }).then(
      (marks) => (loaded = { people: wanted, marks }),
      (error: Error) => {
        if (!signal.aborted) notices.fail(error.message)
      },
    )
    return () => controller.abort()
  })
  return {
    /**
     * Returns the test in a language, or in any if it is empty; undefined without a filter. No message
     * fulfils a filter that is not loaded yet.
     */
    testIn: (language: string): ((row: KeyRecord) => boolean) | undefined => {
      if (!filter) return undefined
      if (loaded?.people !== people) return () => false
      return createPeopleTest(filter, loaded.marks, language)
    },
    get isLoading() {
      return filter !== undefined && loaded?.people !== people
    },
  }
}

export type PeopleMarks = ReturnType<typeof createPeopleMarks>
