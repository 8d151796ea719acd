/**
 * JavaScript string literal that evaluates to exactly `text`, safe in a file of
 * any encoding trouble and inside an inline `<script>`: lone surrogates and line
 * separators are escaped, `</` and `<!--` broken up.
 */
export function stringLiteral(text: string): string {
  return JSON.stringify(text)
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll(/<(?=[/!])/g, '\\x3C')
}

/** Property access `.name`, or `["na-me"]` where the name is no plain identifier. */
export function propertyAccess(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${stringLiteral(name)}]`
}
