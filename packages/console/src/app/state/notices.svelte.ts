import { untrack } from 'svelte'

/** Short message about an action, which may offer to undo or to repeat it. */
export interface Notice {
  readonly id: number
  readonly text: string
  readonly isError: boolean
  /** Undoes an action that succeeded, or repeats one that failed. */
  readonly next?: (() => unknown) | undefined
}

/** Number of notices that are shown at once. */
const maxNotices = 3

/** Time in ms after which a notice goes that offers nothing. */
const shownMs = 20_000

/** Creates the list of notices, the newest one last. */
export function createNotices() {
  let list = $state.raw<readonly Notice[]>([])
  let count = 0
  let dialogs = $state(0)
  let isSignedOut = $state(false)
  let isSigningIn = $state(false)
  const listeners = new Set<(notice: Notice) => unknown>()
  const dismiss = (id: number): void => {
    list = list.filter((one) => one.id !== id)
  }
  const add = (notice: Omit<Notice, 'id'>): void => {
    const id = ++count
    list = [...list.slice(1 - maxNotices), { ...notice, id }]
    if (!notice.isError && !notice.next) setTimeout(() => dismiss(id), shownMs)
  }
  return {
    get list() {
      return list
    },
    /** Number of open dialogs; the last one shows the notices, because the page is inert. */
    get dialogs() {
      return dialogs
    },
    /** Counts a dialog that opens. Returns a function that counts it as closed. */
    openDialog: () => {
      untrack(() => dialogs++)
      return () => dialogs--
    },
    /** Id of the last notice. */
    get lastId() {
      return count
    },
    /** True once the session has ended, until the user has signed in again. */
    get isSignedOut() {
      return isSignedOut
    },
    set isSignedOut(value) {
      isSignedOut = value
    },
    /** True while the dialog that signs in again is open. */
    get isSigningIn() {
      return isSigningIn
    },
    set isSigningIn(value) {
      isSigningIn = value
    },
    /** Runs the action of a notice, and then all listeners: it may have changed what a page shows. */
    run: async (notice: Notice): Promise<void> => {
      list = list.filter(({ id }) => id !== notice.id)
      await notice.next?.()
      for (const listener of listeners) listener(notice)
    },
    /** Calls a function after each action. Returns a function that ends this. */
    onAction: (listener: (notice: Notice) => unknown) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    show: (text: string, undo?: () => unknown) => add({ text, isError: false, next: undo }),
    fail: (text: string, retry?: () => unknown) => add({ text, isError: true, next: retry }),
    dismiss,
  }
}

export type Notices = ReturnType<typeof createNotices>
