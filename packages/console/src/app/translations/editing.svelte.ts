import {
  DISCARDED,
  NOT_DONE,
  NOT_SAVED,
  NOT_UNDONE,
  OTHER_DRAFTS,
  REMOVED_KEY,
  SAVED,
  SAVED_AND_PUBLISHED,
  STATES_OUTDATED,
  STATES_SET,
  UNDO_OUTDATED,
  UNDONE,
} from '~uilm/translations'
import type { ApiError } from '../state/api.ts'
import type { Notices } from '../state/notices.svelte.ts'
import type { KeyRecord, StateChange } from '../state/records.ts'
import type { Edit } from './bulk-edits.ts'
import { discardOf, type DraftChange, inverseOf, removalOf } from './draft-changes.ts'
import type { KeyStore } from './key-store.svelte.ts'
import { cellOf, idOf, type State, stateOf, valueOf } from './key-values.ts'
import { planStates, type TranslationCell } from './plan-states.ts'
import type { Problems } from './problems.svelte.ts'
import { stateNames } from './state-names.ts'

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
  /** Called with a key before it is changed. */
  readonly onchange: (row: KeyRecord) => void
}

/** Creates the functions that change keys, can be undone, and overwrite nothing of others. */
export function createEditing({
  store,
  problems,
  notices,
  isPublishing,
  onchange,
}: EditingContext) {
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
    onchange(row)
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
      await showFailure([wanted], error as ApiError, ([again]) =>
        change(store.rows.find((one) => idOf(one) === idOf(row)) ?? row, again!),
      )
      return false
    } finally {
      saving = new Set([...saving].filter((one) => one !== cell))
    }
  }

  /**
   * Saves the translations of one message as drafts, all or none, without a notice. Returns whether
   * they were saved.
   */
  async function saveEdits(edits: readonly Edit[]): Promise<boolean> {
    try {
      await store.save(edits)
      check(edits)
      return true
    } catch (error) {
      await showFailure(edits, error as ApiError, saveEdits)
      return false
    }
  }

  /**
   * Sets the state of translations that have a text, and offers to undo that. Returns whether all
   * were set.
   */
  async function setStates(
    cells: readonly TranslationCell[],
    state: StateChange['state'],
    onprogress?: (done: number) => void,
  ): Promise<boolean> {
    const changes = planStates(cells, state, store.defaultLanguage)
    const inverse = cells.map(({ row, language }) => stateOf(row, language))
    let done = 0
    try {
      for (const { row } of cells) onchange(row)
      await store.setStates(changes, (count) => {
        done = count
        onprogress?.(count)
      })
      return true
    } catch (error) {
      const { status, message: reason } = error as ApiError
      notices.fail(status === 409 ? STATES_OUTDATED() : reason)
      if (status === 409) await store.load()
      return false
    } finally {
      if (done > 0) {
        notices.show(STATES_SET({ count: done, state: stateNames[state]() }), () =>
          undoStates(changes.slice(0, done), inverse),
        )
      }
    }
  }

  /** Marks a translation as reviewed, or again as translated. */
  async function toggleReviewed(row: KeyRecord, language: string): Promise<void> {
    const state = stateOf(row, language)
    if (row.isRemoved || state === 'untranslated') return
    await setStates([{ row, language }], state === 'reviewed' ? 'translated' : 'reviewed')
  }

  async function undoStates(
    changes: readonly StateChange[],
    before: readonly State[],
  ): Promise<void> {
    const former = changes.flatMap((change, index) => {
      const state = before[index]!
      return state === 'untranslated' ? [] : [{ ...change, state }]
    })
    try {
      await store.setStates(former)
      notices.show(UNDONE())
    } catch (error) {
      const { status, message: reason } = error as ApiError
      if (status === 409) {
        notices.fail(UNDO_OUTDATED())
        await store.load()
      } else notices.fail(NOT_UNDONE({ reason }), () => undoStates(changes, before))
    }
  }

  /** Shows what someone else changed, or why changes were not made, and offers to make them. */
  async function showFailure<C extends DraftChange>(
    wanted: readonly C[],
    { status, message: reason }: ApiError,
    retry: (changes: readonly C[]) => unknown,
  ): Promise<void> {
    const [first] = wanted
    // A plural form that does not exist yet cannot be read.
    const read = status === 409 ? await Promise.allSettled(wanted.map(store.refresh)) : []
    const fresh = new Map(
      read.flatMap((one) => (one.status === 'fulfilled' ? [[idOf(one.value), one.value]] : [])),
    )
    const change = wanted.find((one) => isOutdated(fresh.get(idOf(one)), one)) ?? first!
    const theirs = fresh.get(idOf(change))
    if (theirs) {
      const replace = () => void retry(wanted.map((one) => onto(fresh.get(idOf(one)), one) as C))
      conflict = { theirs, change, replace }
    } else {
      const text = 'language' in change ? NOT_SAVED : NOT_DONE
      notices.fail(text({ key: change.key, reason }), () => retry(wanted))
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
    if (!isOwn) {
      notices.show(OTHER_DRAFTS({ count: drafts.length }))
      return false
    }
    return (await store.publish(drafts)) === 0
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
    saveEdits,
    setStates,
    toggleReviewed,
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

/** Returns whether a change is not based on the current drafts of its key. */
const isOutdated = (row: KeyRecord | undefined, change: DraftChange): boolean =>
  row !== undefined &&
  (!('language' in change) || row.isRemoved || valueOf(row, change.language) !== change.expected)

/** Returns a change on top of the current drafts. */
function onto(row: KeyRecord | undefined, change: DraftChange): DraftChange {
  if (!row) return change
  if ('language' in change) {
    // A removed key has no translations.
    return { ...change, expected: row.isRemoved ? null : valueOf(row, change.language) }
  }
  return change.isRemoved ? removalOf(row) : discardOf(row)
}
