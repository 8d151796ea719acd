import { stringLiteral } from './literal.ts'

/** Statement of a generated module. Specifiers are those of ES modules. */
export type Statement =
  | { readonly import: Readonly<Record<string, string>>; readonly from: string }
  | { readonly importDefault: string; readonly from: string }
  | { readonly importAll: string; readonly from: string }
  /** Exports the names of another module, or with `as` the other module by one name. */
  | { readonly exportAll: string; readonly as?: string }
  /** Constant with the names by which it is exported. */
  | { readonly constant: string; readonly value: string; readonly exportedAs?: readonly string[] }
  | { readonly exportDefault: string }
  | { readonly run: string }

/**
 * Module of generated code, printed as an ES module or as CommonJS. Imports map the names there
 * to those here.
 */
export type ModuleCode = readonly Statement[]

/** Prints an ES module. */
export const printEsModule = (code: ModuleCode): string =>
  `${code.map(printEsStatement).join('\n')}\n`

function printEsStatement(statement: Statement): string {
  if ('import' in statement) {
    const names = Object.entries(statement.import).map(([there, here]) =>
      there === here ? here : `${there} as ${here}`,
    )
    return `import { ${names.join(', ')} } from ${stringLiteral(statement.from)}`
  }
  if ('importDefault' in statement) {
    return `import ${statement.importDefault} from ${stringLiteral(statement.from)}`
  }
  if ('importAll' in statement) {
    return `import * as ${statement.importAll} from ${stringLiteral(statement.from)}`
  }
  if ('exportAll' in statement) {
    const as = statement.as === undefined ? '' : ` as ${statement.as}`
    return `export *${as} from ${stringLiteral(statement.exportAll)}`
  }
  if ('exportDefault' in statement) return `export default ${statement.exportDefault}`
  if ('run' in statement) return statement.run
  const { constant, value, exportedAs = [] } = statement
  const keyword = exportedAs.includes(constant) ? 'export const' : 'const'
  return [
    `${keyword} ${constant} = ${value}`,
    ...exportedAs
      .filter((name) => name !== constant)
      .map(
        (name) => `export { ${constant} as ${isIdentifier(name) ? name : stringLiteral(name)} }`,
      ),
  ].join('\n')
}

/**
 * Prints CommonJS. The names of exports stay visible to Node, so that ES modules can import them
 * by name.
 *
 * @param requirePath Returns the path that CommonJS requires for a specifier.
 */
export function printCommonJs(
  code: ModuleCode,
  requirePath: (specifier: string) => string,
): string {
  const requireOf = (specifier: string): string =>
    `require(${JSON.stringify(requirePath(specifier))})`
  const names = code.flatMap((one) => ('constant' in one ? (one.exportedAs ?? []) : []))
  const lines = [
    // Otherwise `exports.__proto__ = …` would not be an export.
    ...(names.includes('__proto__') ? ['Object.setPrototypeOf(exports, null)'] : []),
    // Node recognizes the name, which TypeScript uses too.
    ...(code.some((one) => 'exportAll' in one && one.as === undefined)
      ? ['const __exportStar = (from, to) => Object.assign(to, from)']
      : []),
    ...code.map((statement) => printCommonJsStatement(statement, requireOf)),
  ]
  return `${lines.join('\n')}\n`
}

function printCommonJsStatement(
  statement: Statement,
  requireOf: (specifier: string) => string,
): string {
  if ('import' in statement) {
    const names = Object.entries(statement.import).map(([there, here]) =>
      there === here ? here : `${there}: ${here}`,
    )
    return `const { ${names.join(', ')} } = ${requireOf(statement.from)}`
  }
  if ('importDefault' in statement) {
    return `const ${statement.importDefault} = ${requireOf(statement.from)}`
  }
  if ('importAll' in statement) {
    return `const ${statement.importAll} = ${requireOf(statement.from)}`
  }
  if ('exportAll' in statement) {
    const required = requireOf(statement.exportAll)
    return statement.as === undefined
      ? `__exportStar(${required}, exports)`
      : `exports.${statement.as} = ${required}`
  }
  if ('exportDefault' in statement) return `module.exports = ${statement.exportDefault}`
  if ('run' in statement) return statement.run
  const { constant, value, exportedAs = [] } = statement
  return [
    `const ${constant} = ${value}`,
    ...exportedAs.map((name) =>
      isIdentifier(name)
        ? `exports.${name} = ${constant}`
        : `exports[${stringLiteral(name)}] = ${constant}`,
    ),
  ].join('\n')
}

/** Names of exports need no quotes if they are identifiers, reserved ones included. */
const isIdentifier = (name: string): boolean => /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name)
