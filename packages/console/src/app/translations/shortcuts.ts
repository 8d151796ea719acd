/** Keys of the translations page, by what they do. `Mod` is Ctrl, or Cmd on a Mac. */
export const shortcuts = {
  search: '/',
  save: 'Mod+S',
  undo: 'Mod+Z',
  publish: 'Alt+P',
  nextMissing: 'Alt+N',
  translate: 'Alt+T',
  review: 'Alt+R',
  insert: 'Alt+1…9',
  help: '?',
} as const
export type Shortcut = keyof typeof shortcuts

const altShortcuts: Readonly<Record<string, 'publish' | 'nextMissing' | 'translate' | 'review'>> = {
  KeyP: 'publish',
  KeyN: 'nextMissing',
  KeyT: 'translate',
  KeyR: 'review',
}

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'target'>

const isElement = (target: EventTarget | null): target is Element =>
  target !== null && 'matches' in target

/** Returns the shortcut of a pressed key. In a field, `/` and `?` are text. */
export function shortcutOf(event: Pressed): Exclude<Shortcut, 'insert' | 'undo'> | undefined {
  const { key, code, altKey, target } = event
  const hasMod = event.ctrlKey || event.metaKey
  if (hasMod && !altKey && code === 'KeyS') return 'save'
  if (hasMod) return undefined
  if (altKey) return altShortcuts[code]
  const isField = isElement(target) && target.matches('input, textarea, select')
  if (isField && !target.matches('[type=checkbox]')) return undefined
  return key === '/' ? 'search' : key === '?' ? 'help' : undefined
}
