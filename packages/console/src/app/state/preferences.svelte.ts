/** Appearance of the console; `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark'

export const themes: readonly Theme[] = ['system', 'light', 'dark']

const storageKey = 'servicekit-console-theme'

/** Creates the appearance, as the user chose it before. Call it while a component is initialised. */
export function createTheme() {
  const stored = localStorage.getItem(storageKey)
  let theme = $state<Theme>(themes.find((one) => one === stored) ?? 'system')
  $effect.pre(() => {
    document.documentElement.dataset['theme'] = theme
  })
  return {
    get current() {
      return theme
    },
    set current(next: Theme) {
      theme = next
      localStorage.setItem(storageKey, next)
    },
  }
}
