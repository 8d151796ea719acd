import type { TextChangeRecord } from '../state/records.ts'

/** Value that a translation had. */
export interface Version {
  readonly language: string
  /** Null if there was no translation. */
  readonly value: string | null
  /** Undefined for the value before the first recorded change. */
  readonly change?: Pick<TextChangeRecord, 'at' | 'actor' | 'email' | 'reason' | 'state'>
}

/** Returns the versions of a key's translations, the newest first. @param changes the newest first */
export function versionsOf(changes: readonly TextChangeRecord[]): readonly Version[] {
  // A state that was set does not change the text.
  const texts = changes.filter(({ state }) => state === null)
  const oldest = new Map(texts.map((change) => [change.language, change]))
  return [
    ...changes.map((change) => ({ language: change.language, value: change.value, change })),
    ...[...oldest.values()]
      .filter(({ previous }) => previous !== null)
      .map(({ language, previous }) => ({ language, value: previous })),
  ]
}

/** Returns the translations that a key had when it was removed; none if it was not. */
export function removedTranslations(
  changes: readonly TextChangeRecord[],
): readonly { readonly language: string; readonly value: string }[] {
  const removedAt = changes[0]?.value === null ? changes[0].at : undefined
  return changes.flatMap(({ at, language, previous, value }) =>
    at === removedAt && value === null && previous !== null ? [{ language, value: previous }] : [],
  )
}
