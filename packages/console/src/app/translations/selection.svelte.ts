import type { KeyRecord } from '../state/records.ts'
import { idOf } from './key-values.ts'

/** Creates the selection of shown keys. Hidden keys are never among the selected ones. */
export function createSelection(shown: () => readonly KeyRecord[]) {
  let ids = $state.raw<ReadonlySet<string>>(new Set())
  /** Key that a range begins with. */
  let anchor: string | undefined
  const rows = $derived(ids.size === 0 ? [] : shown().filter((row) => ids.has(idOf(row))))
  const selection = {
    /** Selected keys in the order of the table. */
    get rows() {
      return rows
    },
    has: (row: KeyRecord): boolean => ids.has(idOf(row)),
    toggle: (row: KeyRecord): void => {
      const id = idOf(row)
      anchor = id
      ids = new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id])
    },
    /** Selects the keys from the one that was selected last, or from `start`, to this one. */
    extend: (row: KeyRecord, start: KeyRecord = row): void => {
      const all = shown().map(idOf)
      if (anchor === undefined || !all.includes(anchor)) anchor = idOf(start)
      const [from, to] = [all.indexOf(anchor), all.indexOf(idOf(row))].sort((a, b) => a - b)
      ids = new Set([...ids, ...all.slice(from, to! + 1)])
    },
    selectAll: (): void => {
      ids = new Set(shown().map(idOf))
    },
    clear: (): void => {
      ids = new Set()
      anchor = undefined
    },
    /** Changes the selection in the focused row. Returns whether the key does so. */
    onkeydown: (event: KeyboardEvent, row: KeyRecord | undefined): boolean => {
      const isAll = event.code === 'KeyA' && (event.ctrlKey || event.metaKey)
      if (event.key === ' ' && row) {
        if (event.shiftKey) selection.extend(row)
        else selection.toggle(row)
      } else if (isAll) selection.selectAll()
      else if (event.key === 'Escape' && rows.length > 0) selection.clear()
      else return false
      return true
    },
  }
  return selection
}

export type Selection = ReturnType<typeof createSelection>
