import { unicodeEscape } from '@servicekit/core'

/**
 * Returns a JavaScript string literal that evaluates to exactly `text`. It is safe in
 * files of any encoding and inside an inline `<script>`: lone surrogates, control
 * characters and bidirectional characters are escaped, `</` and `<!--` are broken up.
 */
export const stringLiteral = (text: string): string => escapeRisky(JSON.stringify(text))

/** Returns a JavaScript expression for plain data, as safe as {@link stringLiteral}. */
export const jsonLiteral = (value: unknown, indent?: number): string =>
  escapeRisky(JSON.stringify(value, null, indent))

function escapeRisky(json: string): string {
  // Few strings contain any of these, and testing costs a third of replacing.
  if (!risky.test(json)) return json
  return json.replaceAll(unescaped, unicodeEscape).replaceAll(/<(?=[/!])/g, '\\x3C')
}

/**
 * Characters that `JSON.stringify` does not escape. It already escapes control characters
 * below U+0020.
 */
const unescaped = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g
const risky = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff<]/

/**
 * Returns the property access `.name`, or `["na-me"]` if the name is not a plain
 * identifier.
 */
export function propertyAccess(name: string): string {
  return isPlain(name) ? `.${name}` : `[${stringLiteral(name)}]`
}

/** Returns the property name for an object literal: `name`, or `"na-me"`. */
export const propertyName = (name: string): string => (isPlain(name) ? name : stringLiteral(name))

const isPlain = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name)
