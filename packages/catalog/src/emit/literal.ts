import { unicodeEscape } from '../visible.ts'

/**
 * JavaScript string literal that evaluates to exactly `text`, safe in a file of
 * any encoding and inside an inline `<script>`: lone surrogates, control and
 * bidirectional characters are escaped, `</` and `<!--` broken up.
 */
export const stringLiteral = (text: string): string => escapeRisky(JSON.stringify(text))

/** JavaScript expression for plain data, as safe as {@link stringLiteral}. */
export const jsonLiteral = (value: unknown, indent?: number): string =>
  escapeRisky(JSON.stringify(value, null, indent))

function escapeRisky(json: string): string {
  // Few texts hold any of these, and looking is a third of the work of replacing.
  if (!risky.test(json)) return json
  return json.replaceAll(unescaped, unicodeEscape).replaceAll(/<(?=[/!])/g, '\\x3C')
}

/** What `JSON.stringify` leaves as it is; control characters below U+0020 are escaped already. */
const unescaped = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g
const risky = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff<]/

/** Property access `.name`, or `["na-me"]` where the name is no plain identifier. */
export function propertyAccess(name: string): string {
  return isPlain(name) ? `.${name}` : `[${stringLiteral(name)}]`
}

/** Name of a property in an object literal: `name`, or `"na-me"`. */
export const propertyName = (name: string): string => (isPlain(name) ? name : stringLiteral(name))

const isPlain = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name)
