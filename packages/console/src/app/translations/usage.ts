import { formNames } from '@servicekit/core'
import type { KeyRecord } from '../state/records.ts'
import { idOf } from './key-values.ts'
import type { BuiltMessages } from './read-manifest.ts'
import type { UnusedMessages } from './read-report.ts'

/** Source of the uses of keys; the most reliable one that is available. */
export type UsageSource = 'report' | 'manifest' | 'recorded'

/** Files that the user chose. */
interface UsageFiles {
  readonly unused: UnusedMessages | undefined
  readonly messages: BuiltMessages | undefined
}

export const usageSourceOf = ({ unused, messages }: UsageFiles): UsageSource =>
  unused ? 'report' : messages ? 'manifest' : 'recorded'

const form = new RegExp(`_(?:${formNames.join('|')})$`)

/**
 * Returns true if no use of a key is known. Without a file, only those uses are known that
 * `servicekit push` recorded for the keys that it added.
 */
export function isUnused(row: KeyRecord, { unused, messages }: UsageFiles): boolean {
  if (unused) {
    const message = { module: row.module, key: row.key.replace(form, '') }
    return unused.has(idOf(row)) || unused.has(idOf(message))
  }
  return messages ? !messages.has(idOf(row)) : !row.details?.usedIn?.length
}
