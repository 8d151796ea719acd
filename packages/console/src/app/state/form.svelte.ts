import { isObject, parseJson } from '@servicekit/core'
import { DRAFT_MERGED, DRAFT_RESTORED } from '~uilm/shell'
import { getConsole, getForms } from './context.ts'
import { mergeDraft } from './merge-draft.ts'
import type { Form } from './unsaved.svelte.ts'

interface FormParts<T> {
  /** Identifies the form and what it edits, such as `tool mail`. */
  readonly id: string
  /** Returns the values of the form, as JSON. */
  readonly read: () => T
  readonly write: (values: T) => void
  /** Returns secrets of the form, which are not kept. */
  readonly readSecrets?: () => string
  /**
   * Restores changes whenever the form is opened again, so that leaving the page loses nothing: the
   * user is neither asked nor told.
   */
  readonly isAlwaysKept?: boolean
}

/**
 * Creates a form: the user is asked before its changes are lost, and changes that are lost
 * nevertheless are restored when it is opened again in the same tab. Call it while a component is
 * initialised, and `start` once the form has its values.
 */
export function createForm<T>(parts: FormParts<T>): Form {
  const { id, read, write, readSecrets = () => '', isAlwaysKept = false } = parts
  const { notices, project, unsaved } = getConsole()
  const key = `servicekit-console-draft ${project.key} ${id}`
  const current = $derived(JSON.stringify(read()))
  let base = $state<string>()
  let secrets = $state('')
  const readKept = () => {
    const kept = parseJson(sessionStorage.getItem(key) ?? '')
    if (!isObject(kept)) return undefined
    const { base: before, values } = kept
    return typeof before === 'string' && typeof values === 'string'
      ? { base: before, values }
      : undefined
  }
  const take = (): void => {
    base = current
    secrets = readSecrets()
  }
  const form: Form = {
    get isChanged() {
      return base !== undefined && (current !== base || readSecrets() !== secrets)
    },
    start: () => {
      take()
      const kept = readKept()
      const before = base!
      if (kept === undefined || kept.values === before) return
      const isCurrent = kept.base === before
      const values = isCurrent ? kept.values : mergeDraft(before, kept)
      if (values === before) return
      write(JSON.parse(values) as T)
      if (isAlwaysKept) return
      const text = isCurrent ? DRAFT_RESTORED() : DRAFT_MERGED()
      notices.show(text, () => write(JSON.parse(before) as T))
    },
    saved: () => {
      take()
      sessionStorage.removeItem(key)
    },
    discard: () => {
      if (base !== undefined) write(JSON.parse(base) as T)
      secrets = readSecrets()
      sessionStorage.removeItem(key)
    },
  }
  if (!isAlwaysKept) {
    const around = getForms()
    around.add(form)
    $effect(() => {
      const remove = unsaved.add(form)
      return () => {
        around.delete(form)
        remove()
      }
    })
  }
  $effect(() => {
    if (base === undefined) return
    if (current === base) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify({ base, values: current }))
  })
  return form
}
