import type { KeyRecord } from '../state/records.ts'
import type { Edit } from './bulk-edits.ts'
import { idOf, valueOf, withDraft } from './key-values.ts'

/** Removal of a key, or discarding of its drafts, and the drafts that it replaces. */
export type KeyChange = {
  readonly module: string
  readonly key: string
  /** Drafts by language; null if the removal is drafted. */
  readonly expected: KeyRecord['drafts'] | null
} & (
  | { readonly isRemoved: true; readonly isDiscarded?: never }
  | { readonly isDiscarded: true; readonly isRemoved?: never }
)

/** Change of the drafts, which the platform refuses if they are no longer the expected ones. */
export type DraftChange = (Edit & Pick<KeyRecord, 'details'>) | KeyChange

/** Number of changes in one request. */
const changesInRequest = 500

/** Returns the removal of a key. */
export const removalOf = (row: KeyRecord): KeyChange => ({ ...ofKey(row), isRemoved: true })

/** Returns the change that discards all drafts of a key. */
export const discardOf = (row: KeyRecord): KeyChange => ({ ...ofKey(row), isDiscarded: true })

const ofKey = ({ module, key, drafts, isRemoved }: KeyRecord) => ({
  module,
  key,
  expected: isRemoved ? null : drafts,
})

/** Returns a key as it is after a change. */
export function withChange(row: KeyRecord, change: DraftChange): KeyRecord {
  if ('language' in change) return withDraft(row, change.language, change.value)
  return { ...row, drafts: {}, isRemoved: change.isRemoved === true }
}

/** Returns the changes that restore a key after a change. */
export function inverseOf(row: KeyRecord, change: DraftChange): readonly DraftChange[] {
  const { module, key, details } = row
  if ('language' in change) {
    return [{ ...change, value: change.expected, expected: change.value }]
  }
  const after = withChange(row, change)
  if (row.isRemoved) return after.isRemoved ? [] : [removalOf(after)]
  const drafts = Object.entries(row.drafts)
  if (drafts.length === 0) return [discardOf(after)]
  return drafts.map(([language, value]) => ({
    module,
    key,
    language,
    value,
    // A removed key has no translations.
    expected: after.isRemoved ? null : valueOf(after, language),
    ...(details && { details }),
  }))
}

/** Splits changes into requests, and keeps those of one key together. */
export function batchesOf(changes: readonly DraftChange[]): readonly (readonly DraftChange[])[] {
  const batches: DraftChange[][] = []
  for (const [index, change] of changes.entries()) {
    const batch = batches.at(-1)
    const isSameKey = index > 0 && idOf(change) === idOf(changes[index - 1]!)
    if (batch && (batch.length < changesInRequest || isSameKey)) batch.push(change)
    else batches.push([change])
  }
  return batches
}
