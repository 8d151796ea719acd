import { createContext } from 'svelte'
import type { Api } from './api.ts'
import type { Notices } from './notices.svelte.ts'
import type { Rights } from './rights.ts'
import type { Router } from './router.svelte.ts'
import type { ListedProject } from './session.svelte.ts'
import type { Tasks } from './tasks.svelte.ts'
import type { Form, Unsaved } from './unsaved.svelte.ts'

/** State that the pages of a project share. */
export interface ConsoleContext {
  readonly api: Api
  readonly notices: Notices
  readonly project: ListedProject
  readonly rights: Rights
  readonly router: Router
  readonly tasks: Tasks
  readonly unsaved: Unsaved
  readonly isThisMachine: boolean
}

/** Forms within the page, or within the dialog that closing would lose. */
export const [getForms, setForms] = createContext<Set<Form>>()

export const [getConsole, setConsole] = createContext<ConsoleContext>()
