import type { ConsoleRole } from '@servicekit/contract'
import type { states, translations } from '@servicekit/contract/control'
import type { Caller } from '../http/caller.ts'
import { httpError } from './control-errors.ts'

/** True if the caller may change keys, modules, languages and all translations. */
const managesTranslations = (caller: Caller): boolean =>
  // A control operation admits only administrators of the whole project.
  caller.administered === 'all' || caller.consoleRoles.has('manager')

const hasLanguage = ({ consoleRoles }: Caller, role: ConsoleRole, language: string): boolean => {
  const languages = consoleRoles.get(role)
  return languages === 'all' || languages?.has(language) === true
}

function requireRight(isAllowed: boolean, message: string): asserts isAllowed {
  if (!isAllowed) throw httpError(403, message)
}

const otherLanguage = (language: string): string =>
  `Your roles for the console do not include translations in ${language}.`

/**
 * Requires that the caller may save drafts: translators and reviewers only translations of keys
 * that exist, in their languages.
 *
 * @returns true if the caller may also add keys.
 * @throws HTTPException 403
 */
export function requireDraftRights(
  caller: Caller,
  drafts: readonly translations.DraftChange[],
): boolean {
  if (managesTranslations(caller)) return true
  for (const draft of drafts) {
    requireRight(
      'language' in draft && draft.details === undefined,
      `Translators and reviewers change only translations. Ask a manager to change the key ${draft.key}.`,
    )
    const isTheirs = (['translator', 'reviewer'] as const).some((role) =>
      hasLanguage(caller, role, draft.language),
    )
    requireRight(isTheirs, otherLanguage(draft.language))
  }
  return false
}

/**
 * Requires that the caller may set states: translators and reviewers in their languages, and only
 * reviewers mark translations as reviewed.
 *
 * @throws HTTPException 403
 */
export function requireStateRights(caller: Caller, changes: readonly states.StateChange[]): void {
  if (managesTranslations(caller)) return
  for (const { language, state } of changes) {
    if (hasLanguage(caller, 'reviewer', language)) continue
    requireRight(hasLanguage(caller, 'translator', language), otherLanguage(language))
    requireRight(
      state !== 'reviewed',
      `Only reviewers of ${language} mark translations as reviewed.`,
    )
  }
}
