import {
  ROLE_DEVELOPER,
  ROLE_IN_LANGUAGES,
  ROLE_MANAGER,
  ROLE_REVIEWER,
  ROLE_TRANSLATOR,
} from '~uilm/shell'
import type { ListedProject } from '../state/session.svelte.ts'

type HeldRole = NonNullable<ListedProject['roles']>[number]

const names: Readonly<Record<HeldRole['role'], () => string>> = {
  manager: ROLE_MANAGER,
  translator: ROLE_TRANSLATOR,
  reviewer: ROLE_REVIEWER,
  developer: ROLE_DEVELOPER,
}

/** Returns the name of a role with its languages, such as `Translator (de-DE)`. */
export function roleText({ role, languages }: HeldRole): string {
  const name = names[role]()
  return languages === null
    ? name
    : ROLE_IN_LANGUAGES({ role: name, languages: languages.join(', ') })
}
