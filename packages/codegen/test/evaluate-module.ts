/**
 * Evaluates a generated module, in JavaScript, with the runtime instead of its imports, and
 * returns its exports. A thousand times faster than to write and import its files.
 *
 * @param runtime Exports of all files of the runtime.
 */
export function evaluateModule(
  text: string,
  runtime: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const names = [...text.matchAll(/^export const ([\p{ID_Continue}$]+) = /gmu)].map(
    ([, name]) => name,
  )
  const code = text.replaceAll(/^import \{[^}]*\}.*$|^export (?:\{\})?/gm, '')
  const load = new Function(...Object.keys(runtime), `${code}\nreturn { ${names.join()} }`) as (
    ...values: readonly unknown[]
  ) => Readonly<Record<string, unknown>>
  return load(...Object.values(runtime))
}
