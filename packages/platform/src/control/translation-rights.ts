import type { ConsoleRole } from '@servicekit/contract'
import type { states, translations } from '@servicekit/contract/control'
import { PermissionDenied } from '../domain-errors.ts'
import type { Caller } from '../http/caller.ts'

/** Caller, or another person with rights in the console. */
type Holder = Pick<Caller, 'administered' | 'consoleRoles'>

/** True if the caller may change keys, modules, languages and all translations. */
const managesTranslations = ({ administered, consoleRoles }: Holder): boolean =>
  // A control operation admits only administrators of the whole project.
  administered === 'all' || consoleRoles.has('manager')

const languagesOf = (
  holder: Holder,
  roles: readonly ConsoleRole[],
): ReadonlySet<string> | 'all' => {
  const held = roles.map((role) => holder.consoleRoles.get(role) ?? new Set<string>())
  if (managesTranslations(holder) || held.includes('all')) return 'all'
  return new Set(held.flatMap((languages) => [...languages]))
}

/** Returns the languages whose translations someone may change. */
export const editedLanguages = (holder: Holder) => languagesOf(holder, ['translator', 'reviewer'])

/** Returns the languages whose translations someone may mark as reviewed. */
export const reviewedLanguages = (holder: Holder) => languagesOf(holder, ['reviewer'])

const includes = (languages: ReadonlySet<string> | 'all', language: string): boolean =>
  languages === 'all' || languages.has(language)

function requireRight(isAllowed: boolean, message: string): asserts isAllowed {
  if (!isAllowed) throw new PermissionDenied(message)
}

const otherLanguage = (language: string): string =>
  `Your roles for the console do not include translations in ${language}.`

/**
 * Requires that the caller may save drafts: translators and reviewers only translations of keys
 * that exist, in their languages.
 *
 * @returns true if the caller may also add keys.
 * @throws PermissionDenied
 */
export function requireDraftRights(
  caller: Caller,
  drafts: readonly translations.DraftChange[],
): boolean {
  if (managesTranslations(caller)) return true
  const edited = editedLanguages(caller)
  for (const draft of drafts) {
    requireRight(
      'language' in draft && draft.details === undefined,
      `Translators and reviewers change only translations. Ask a manager to change the key ${draft.key}.`,
    )
    requireRight(includes(edited, draft.language), otherLanguage(draft.language))
  }
  return false
}

/**
 * Requires that the caller may set states: translators and reviewers in their languages, and only
 * reviewers mark translations as reviewed.
 *
 * @throws PermissionDenied
 */
export function requireStateRights(caller: Caller, changes: readonly states.StateChange[]): void {
  const [edited, reviewed] = [editedLanguages(caller), reviewedLanguages(caller)]
  for (const { language, state } of changes) {
    if (includes(reviewed, language)) continue
    requireRight(includes(edited, language), otherLanguage(language))
    requireRight(
      state !== 'reviewed',
      `Only reviewers of ${language} mark translations as reviewed.`,
    )
  }
}

/** Requires that the caller may change the translations of languages. @throws PermissionDenied */
export function requireEditRights(caller: Caller, languages: readonly string[]): void {
  const edited = editedLanguages(caller)
  for (const language of languages) {
    requireRight(includes(edited, language), otherLanguage(language))
  }
}

/** Requires that the caller wrote a comment. @throws PermissionDenied */
export const requireAuthor = (isAuthor: boolean): void =>
  requireRight(isAuthor, 'Only its author changes a comment.')

/** Requires that the caller may remove a comment. @throws PermissionDenied */
export function requireCommentRights(caller: Caller, isAuthor: boolean): void {
  requireRight(
    isAuthor || managesTranslations(caller),
    'Only its author, managers of translations and administrators remove a comment.',
  )
}
