import {
  DISCARDED,
  NOT_DONE,
  NOT_SAVED,
  NOT_UNDONE,
  OTHER_DRAFTS,
  REMOVED_KEY,
  SAVED,
  SAVED_AND_PUBLISHED,
  UNDO_OUTDATED,
  UNDONE,
} from '~uilm/translations'
import type { ApiError } from '../state/api.ts'
import type { Notices } from '../state/notices.svelte.ts'
import type { KeyRecord } from '../state/records.ts'
import { discardOf, type DraftChange, inverseOf, removalOf } from './draft-changes.ts'
import type { KeyStore } from './key-store.svelte.ts'
import { cellOf, valueOf } from './key-values.ts'
import type { Problems } from './problems.svelte.ts'

/** Change that was refused because someone else changed the key. */
export interface Conflict {
  readonly theirs: KeyRecord
  readonly change: DraftChange
  /** Makes the change nevertheless. */
  readonly replace: () => void
}

interface EditingContext {
  readonly store: KeyStore
  readonly problems: Problems
  readonly notices: Notices
  /** Returns whether saved translations are published, so that the application shows them. */
  readonly isPublishing: () => boolean
}

/** Creates the functions that change keys, can be undone, and overwrite nothing of others. */
export function createEditing({ store, problems, notices, isPublishing }: EditingContext) {
  let saving = $state.raw<ReadonlySet<string>>(new Set())
  let conflict = $state.raw<Conflict>()

  /** Checks the modules of changed keys again. */
  const check = (changes: readonly DraftChange[]): void => {
    const modules = new Set(changes.map(({ module }) => module))
    problems.check(store.rows.filter(({ module }) => modules.has(module)))
  }

  /** Undoes changes, and offers to try again if the platform does not respond. */
  async function undo(inverse: readonly DraftChange[]): Promise<void> {
    let done = 0
    try {
      await store.restore(inverse, (count) => (done = count))
      notices.show(UNDONE())
    } catch (error) {
      const { status, message } = error as ApiError
      if (status === 409) {
        notices.fail(UNDO_OUTDATED())
        await store.load()
      } else notices.fail(NOT_UNDONE({ reason: message }), () => undo(inverse.slice(done)))
    }
    check(inverse)
  }

  /** Makes one change. Returns whether it was made. */
  async function change(row: KeyRecord, wanted: DraftChange): Promise<boolean> {
    const isEdit = 'language' in wanted
    const cell = cellOf(row, isEdit ? wanted.language : '')
    saving = new Set([...saving, cell])
    try {
      await store.save([wanted])
      const isPublished =
        isEdit && isPublishing() && (await publishAlone(row, wanted.language).catch(() => false))
      const inverse = inverseOf(row, wanted)
      notices.show(noticeOf(wanted, isPublished), () => {
        void undo(inverse).then(() => {
          if (isPublished && isEdit) publishAlone(row, wanted.language).catch(() => false)
        })
      })
      check([wanted])
      return true
    } catch (error) {
      const { status, message: reason } = error as ApiError
      const theirs = status === 409 ? await store.refresh(row).catch(() => undefined) : undefined
      if (theirs) {
        const replace = () => void change(theirs, onto(theirs, wanted))
        conflict = { theirs, change: wanted, replace }
      } else {
        const text = isEdit ? NOT_SAVED : NOT_DONE
        notices.fail(text({ key: row.key, reason }), () => change(row, wanted))
      }
      return false
    } finally {
      saving = new Set([...saving].filter((one) => one !== cell))
    }
  }

  /**
   * Publishes a draft, so that the application shows it, if there is no other one. Returns whether
   * it was published.
   */
  async function publishAlone({ module, key }: KeyRecord, code: string): Promise<boolean> {
    const drafts = await store.readDrafts()
    const isOwn = drafts.every(
      (one) =>
        'language' in one && one.module === module && one.key === key && one.language === code,
    )
    if (isOwn) await store.publish(drafts)
    else notices.show(OTHER_DRAFTS({ count: drafts.length }))
    return isOwn
  }

  return {
    /** Cells that are being saved, as `cellOf` returns them. */
    get saving() {
      return saving
    },
    get conflict() {
      return conflict
    },
    closeConflict: () => (conflict = undefined),
    check,
    undo,
    /** Saves a translation as a draft. Returns whether it was saved. */
    save: (row: KeyRecord, language: string, value: string) => {
      const { module, key } = row
      return change(row, { module, key, language, value, expected: valueOf(row, language) })
    },
    /** Removes a key once the drafts are published. */
    remove: (row: KeyRecord) => change(row, removalOf(row)),
    discard: (row: KeyRecord) => change(row, discardOf(row)),
  }
}

export type Editing = ReturnType<typeof createEditing>

function noticeOf(change: DraftChange, isPublished: boolean): string {
  const { key } = change
  if (!('language' in change)) return (change.isRemoved ? REMOVED_KEY : DISCARDED)({ key })
  return (isPublished ? SAVED_AND_PUBLISHED : SAVED)({ key, language: change.language })
}

/** Returns a change on top of the current drafts. */
function onto(row: KeyRecord, change: DraftChange): DraftChange {
  if ('language' in change) return { ...change, expected: valueOf(row, change.language) }
  return change.isRemoved ? removalOf(row) : discardOf(row)
}
