import { untrack } from 'svelte'

/** Short message about an action, which may offer to undo or to repeat it. */
export interface Notice {
  readonly id: number
  readonly text: string
  readonly isError: boolean
  /** Undoes an action that succeeded, or repeats one that failed. */
  readonly next?: (() => void) | undefined
}

/** Number of notices that are shown at once. */
const maxNotices = 3

/** Creates the list of notices, the newest one last. */
export function createNotices() {
  let list = $state.raw<readonly Notice[]>([])
  let count = 0
  let dialogs = $state(0)
  const add = (notice: Omit<Notice, 'id'>): void => {
    list = [...list.slice(1 - maxNotices), { ...notice, id: ++count }]
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
    show: (text: string, undo?: () => void) => add({ text, isError: false, next: undo }),
    fail: (text: string, retry?: () => void) => add({ text, isError: true, next: retry }),
    dismiss: (id: number) => {
      list = list.filter((one) => one.id !== id)
    },
  }
}

export type Notices = ReturnType<typeof createNotices>
