import { escapeHtml, escapeInvisible } from '@servicekit/core'

/** Escapes a text for HTML, and shows characters that would be invisible. */
export const escape = (text: string): string =>
  escapeHtml(escapeInvisible(text)).replaceAll(/\p{Surrogate}/gu, '\ufffd')
