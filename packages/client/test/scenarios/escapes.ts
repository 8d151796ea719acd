/** Form in which a service echoes a text. */
export type Echo =
  | 'as it is'
  | 'JSON'
  | 'ASCII JSON'
  | 'URL'
  | 'URL in a URL'
  | 'form'
  | 'HTML'
  | 'base64'

const unit = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0')

/** Escapes a text. */
export const escapes: Readonly<Record<Echo, (text: string) => string>> = {
  'as it is': (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  // Services on .NET and Python escape like this.
  'ASCII JSON': (text) => text.replaceAll(/[^\w ]/g, (one) => `\\u${unit(one)}`),
  URL: (text) => encodeURIComponent(text),
  'URL in a URL': (text) => encodeURIComponent(encodeURIComponent(text)),
  form: (text) => String(new URLSearchParams({ a: text })).slice(2),
  HTML: (text) => text.replaceAll(/[^\w ]/gu, (one) => `&#${one.codePointAt(0)};`),
  base64: (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text))),
}
