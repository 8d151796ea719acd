/**
 * Converts an emitted ES module to CommonJS. It knows only the forms of import and export
 * that this package emits, each at the start of a line. The names of exports stay visible to
 * Node, so that ES modules can import them by name.
 */
export function toCommonJs(code: string): string {
  // Otherwise `exports.__proto__ = …` would not be an export.
  const head = code.includes('export const __proto__ ')
    ? 'Object.setPrototypeOf(exports, null)\n'
    : ''
  const converted = code
    .replaceAll(
      /^import \{([^}]*)\} from (['"][^'"\n]+['"])$/gm,
      (_, names: string, specifier: string) =>
        `const {${names.replaceAll(' as ', ': ')}} = ${requireOf(specifier)}`,
    )
    .replaceAll(
      /^import (?:\* as )?(\S+) from (['"].+['"])$/gm,
      (_, name: string, specifier: string) => `const ${name} = ${requireOf(specifier)}`,
    )
    .replaceAll(
      /^export \* as (\w+) from (['"].+['"])$/gm,
      (_, name: string, specifier: string) => `exports.${name} = ${requireOf(specifier)}`,
    )
    .replaceAll(
      /^export \* from (['"].+['"])$/gm,
      (_, specifier: string) => `__exportStar(${requireOf(specifier)}, exports)`,
    )
    .replaceAll(
      /^export \{ ([\w, ]+) \} from (['"].+['"])$/gm,
      (_, names: string, specifier: string) =>
        names
          .split(', ')
          .map((name) => `exports.${name} = ${requireOf(specifier)}.${name}`)
          .join('\n'),
    )
    .replaceAll(
      /^export \{ (\S+) as (.+) \}$/gm,
      (_, local: string, name: string) =>
        `${name.startsWith('"') ? `exports[${name}]` : `exports.${name}`} = ${local}`,
    )
    .replaceAll(/^export const (\S+) =/gm, (_, name: string) => `const ${name} = exports.${name} =`)
    .replaceAll(
      /^export function (\w+)/gm,
      (_, name: string) => `exports.${name} = ${name}\nfunction ${name}`,
    )
    .replaceAll(/^export default /gm, () => 'module.exports = ')
  // Node recognizes the name, which TypeScript uses too.
  const star = converted.includes('__exportStar(')
    ? 'const __exportStar = (from, to) => Object.assign(to, from)\n'
    : ''
  return head + star + converted
}

/** Returns the call of `require` for a specifier with its quotes. */
function requireOf(quoted: string): string {
  const specifier = quoted.slice(1, -1)
  // Unlike the specifiers of ES modules, those of CommonJS are paths, without escapes.
  const path = specifier.startsWith('.')
    ? specifier.replaceAll('%25', '%').replace(/\.js$/, '.cjs')
    : specifier
  return `require(${JSON.stringify(path)})`
}
