import { LEAVE_QUESTION } from '~uilm/shell'

/** Work that leaving the page loses. */
interface Work {
  readonly isChanged: boolean
  /** Drops the work, such as by a return to the saved values. */
  readonly discard: () => void
  /** Returns true for a page that keeps the work; by default, no other page does. */
  readonly isKeptBy?: (next: URL) => boolean
}

/** Form whose changes are not saved yet. */
export interface Form extends Work {
  /** Takes the current values as saved. Restores changes that an earlier visit left. */
  readonly start: () => void
  /** Takes the current values as saved. */
  readonly saved: () => void
}

/**
 * Creates the list of open forms. Before a page with changes is left, the user is asked. Call it
 * while a component is initialised.
 */
export function createUnsaved() {
  const open = new Set<Work>()
  const isChanged = (some: Iterable<Work>) => [...some].some((work) => work.isChanged)
  /** Returns true if some forms may be closed: nothing is changed, or the user discards it. */
  const mayClose = (closing: readonly Work[]): boolean => {
    if (!isChanged(closing)) return true
    if (!confirm(LEAVE_QUESTION())) return false
    for (const work of closing) work.discard()
    return true
  }
  $effect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (isChanged(open)) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  })
  return {
    mayClose,
    /** Returns true if the page may be left, for another one if there is one. */
    mayLeave: (next?: URL) =>
      mayClose([...open].filter(({ isKeptBy }) => next === undefined || !isKeptBy?.(next))),
    /** Adds a form that is open, or other work. Returns a function that removes it. */
    add: (work: Work) => {
      open.add(work)
      return () => void open.delete(work)
    },
  }
}

export type Unsaved = ReturnType<typeof createUnsaved>
