import type { KeyRecord } from '../state/records.ts'
import type { Filters } from './filters.svelte.ts'
import { idOf } from './key-values.ts'

/**
 * Creates the list of keys that stay shown after a change, although they no longer fulfil the
 * filter: a key that vanished would move the others under the focus. Other filters end it. Call it
 * while a component is initialised.
 */
export function createKeptRows(filters: () => Filters) {
  const wanted = $derived(JSON.stringify(filters()))
  let ids = $state.raw<ReadonlySet<string>>(new Set())
  $effect(() => {
    if (wanted) ids = new Set()
  })
  return {
    has: (row: KeyRecord): boolean => ids.has(idOf(row)),
    add: (row: KeyRecord): void => {
      ids = new Set([...ids, idOf(row)])
    },
  }
}
