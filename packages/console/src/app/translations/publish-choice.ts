import type { KeyRecord, PublishSelection, StateChange } from '../state/records.ts'

/** Choice of what to publish. */
export interface PublishChoice {
  languages: string[]
  modules: string[]
  states: StateChange['state'][]
  /** Only the drafts of selected keys. */
  isOnlySelected: boolean
}

/**
 * Returns the selection of a choice.
 *
 * @param all everything that can be chosen.
 * @param rows selected keys.
 * @returns undefined if everything is chosen, and null if nothing is.
 */
export function selectionOf(
  { isOnlySelected, ...choice }: PublishChoice,
  all: Omit<PublishChoice, 'isOnlySelected'>,
  rows: readonly Pick<KeyRecord, 'module' | 'key'>[],
): PublishSelection | undefined | null {
  if (Object.values(choice).some((chosen) => chosen.length === 0)) return null
  const selection = {
    ...(choice.languages.length < all.languages.length && { languages: choice.languages }),
    ...(choice.modules.length < all.modules.length && { modules: choice.modules }),
    ...(choice.states.length < all.states.length && { states: choice.states }),
    ...(isOnlySelected && { keys: rows.map(({ module, key }) => ({ module, key })) }),
  }
  return Object.keys(selection).length === 0 ? undefined : selection
}
