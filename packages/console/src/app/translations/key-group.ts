import { groupKeys, type KeyGroup, plainGroup } from '@servicekit/catalog/inspection'
import { formNames } from '@servicekit/core'
import type { KeyRecord } from '../state/records.ts'
import { namesWithoutPlural, type NoPlural } from './key-values.ts'

const form = new RegExp(`_(?:${formNames.join('|')})$`)
const baseOf = (key: string): string => key.replace(form, '')

/** Returns the keys of a module that may be plural forms of the same message. */
export function siblingsOf(row: KeyRecord, rows: readonly KeyRecord[]): readonly KeyRecord[] {
  const base = baseOf(row.key)
  return rows.filter(
    (one) => one.module === row.module && (one.key === base || baseOf(one.key) === base),
  )
}

/**
 * Returns the message that a key belongs to in an application.
 *
 * @param siblings Keys of `siblingsOf`.
 */
export function groupOf(
  { module, key }: Pick<KeyRecord, 'module' | 'key'>,
  siblings: readonly KeyRecord[],
  noPlural: NoPlural = {},
): KeyGroup {
  const names = namesWithoutPlural(noPlural, module)
  const keys = siblings.map((one) => one.key)
  const ofPlural = groupKeys(keys, names).find(({ plural }) =>
    [...(plural?.values() ?? [])].includes(key),
  )
  // Without a number, an application shows the translation of the key beside its plural forms.
  return ofPlural ?? plainGroup(key)
}
