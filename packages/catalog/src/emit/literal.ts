/**
 * JavaScript string literal that evaluates to exactly `text`, safe in a file of
 * any encoding trouble and inside an inline `<script>`: lone surrogates and line
 * separators are escaped, `</` and `<!--` broken up.
 */
export function stringLiteral(text: string): string {
  const literal = JSON.stringify(text)
  // Few texts hold any of these, and looking is a third of the work of replacing.
  if (!risky.test(literal)) return literal
  return literal
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll(/<(?=[/!])/g, '\\x3C')
}

const risky = /[\u2028\u2029<]/

/** Property access `.name`, or `["na-me"]` where the name is no plain identifier. */
export function propertyAccess(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${stringLiteral(name)}]`
}
