import { LEAVE_QUESTION } from '~uilm/shell'

/** Form whose changes are not saved yet. */
export interface Form {
  readonly isChanged: boolean
  /** Takes the current values as saved. Restores changes that an earlier visit left. */
  readonly start: () => void
  /** Takes the current values as saved. */
  readonly saved: () => void
  /** Returns to the saved values. */
  readonly discard: () => void
}

/**
 * Creates the list of open forms. Before a page with changes is left, the user is asked. Call it
 * while a component is initialised.
 */
export function createUnsaved() {
  const forms = new Set<Form>()
  const isChanged = (some: Iterable<Form>) => [...some].some((form) => form.isChanged)
  /** Returns true if some forms may be closed: nothing is changed, or the user discards it. */
  const mayClose = (closing: readonly Form[]): boolean => {
    if (!isChanged(closing)) return true
    if (!confirm(LEAVE_QUESTION())) return false
    for (const form of closing) form.discard()
    return true
  }
  $effect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (isChanged(forms)) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  })
  return {
    mayClose,
    /** Returns true if the page with all forms may be left. */
    mayLeave: () => mayClose([...forms]),
    /** Adds a form that is open. Returns a function that removes it. */
    add: (form: Form) => {
      forms.add(form)
      return () => void forms.delete(form)
    },
  }
}

export type Unsaved = ReturnType<typeof createUnsaved>
