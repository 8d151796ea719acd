/** Attachment of a `<details>` menu: closes it on Escape, and on a click or focus outside of it. */
export function closeMenu(menu: HTMLDetailsElement): () => void {
  const closeOutside = ({ target }: Event): void => {
    if (!menu.contains(target as Node)) menu.open = false
  }
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
  menu.addEventListener('keydown', closeOnEscape)
  document.addEventListener('click', closeOutside)
  document.addEventListener('focusin', closeOutside)
  return () => {
    menu.removeEventListener('keydown', closeOnEscape)
    document.removeEventListener('click', closeOutside)
    document.removeEventListener('focusin', closeOutside)
  }
}
