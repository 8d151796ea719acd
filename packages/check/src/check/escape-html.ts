import { escapeInvisible } from '@servicekit/catalog'

const names: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for HTML, and shows characters that would be invisible. */
export const escape = (text: string): string =>
  escapeInvisible(text)
    .replaceAll(/[&<>"']/g, (character) => names[character]!)
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
