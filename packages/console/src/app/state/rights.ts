import type { console as contract } from '@servicekit/contract/control'

type Roles = readonly contract.HeldConsoleRole[] | null
type Role = contract.HeldConsoleRole['role']

/**
 * What a user may do in the console. The platform refuses everything else as well; the console only
 * hides what would be refused.
 */
export interface Rights {
  /** Returns whether the user may open a page, by the first segment of its path. */
  readonly opens: (page: string) => boolean
  /** The user may change keys, modules, languages and all translations, and publish them. */
  readonly managesTranslations: boolean
  /** Returns whether the user may change the translations of a language. */
  readonly edits: (language: string) => boolean
  /** Returns whether the user may mark translations of a language as reviewed. */
  readonly reviews: (language: string) => boolean
}

/** Pages that others than administrators may open, and the roles of which they need one. */
const rolesOfPages: ReadonlyMap<string, readonly Role[]> = new Map([
  ['', ['manager', 'translator', 'reviewer', 'developer']],
  ['translations', ['manager', 'translator', 'reviewer', 'developer']],
  ['tasks', ['manager', 'translator', 'reviewer', 'developer']],
  ['webhooks', ['developer']],
])

const administrator: Rights = {
  opens: () => true,
  managesTranslations: true,
  edits: () => true,
  reviews: () => true,
}

/** @param roles null for an administrator. */
export function rightsOf(roles: Roles): Rights {
  if (roles === null) return administrator
  const has = (role: Role, language: string): boolean =>
    roles.some((held) => held.role === role && (held.languages?.includes(language) ?? true))
  const managesTranslations = roles.some(({ role }) => role === 'manager')
  const reviews = (language: string): boolean => managesTranslations || has('reviewer', language)
  return {
    opens: (page) => roles.some(({ role }) => rolesOfPages.get(page)?.includes(role) === true),
    managesTranslations,
    edits: (language) => reviews(language) || has('translator', language),
    reviews,
  }
}
