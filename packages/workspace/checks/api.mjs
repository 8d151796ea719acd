import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { entryPoints } from '../lib/packages.mjs'
import { readJson } from '../lib/root.mjs'

/** @typedef {{ name: string, path: string, manifest: Record<string, any> }} Described */

/**
 * Describes the public interface of a built package as text: the exports of each entry in
 * code-point order with their declarations, followed by the declarations that they
 * reference without exporting them. Comments, the order of source files and chunk names are
 * left out, so that the text changes only if a user could notice.
 *
 * API Extractor describes one entry at a time, and tsnapi prints only the name of anything
 * in a chunk that two entries share; here each type is shown once.
 *
 * @param {Described} item with its `dist` folder built
 * @returns {string}
 */
export function describeApi(item) {
  const names = entryPoints(item.manifest).sort(compare)
  const entries = names.map((entry) => ({
    name: entry.replace('.', item.name),
    types: join(item.path, item.manifest.exports[entry].default.replace(/\.js$/, '.d.ts')),
  }))
  const missing = entries.find(({ types }) => !existsSync(types))
  if (missing) throw new Error(`${missing.name} has no built types at ${missing.types}`)
  const program = ts.createProgram(
    entries.map(({ types }) => types),
    {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      types: [],
      // Declarations are printed as they are written, without the standard library.
      noLib: true,
    },
  )
  const print = createPrinter(program.getTypeChecker(), item.path)
  const sections = entries.map(({ name, types }) => {
    const file = program.getSourceFile(types)
    if (!file) throw new Error(`${types} could not be read`)
    return [`// ${name}`, ...print.exportsOf(file)].join('\n\n')
  })
  const mentioned = print.mentioned()
  if (mentioned.length > 0) sections.push(['// mentioned, not exported', ...mentioned].join('\n\n'))
  return `${sections.join('\n\n')}\n`
}

/**
 * @param {ts.TypeChecker} checker
 * @param {string} packagePath declarations outside of it are named but not printed
 */
function createPrinter(checker, packagePath) {
  const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed })
  /** @type {Set<ts.Node>} */
  const printed = new Set()
  /** @type {Set<ts.Node>} referenced declarations */
  const waiting = new Set()

  /** @param {ts.Node} node */
  const isOwn = (node) => {
    const path = relative(packagePath, node.getSourceFile().fileName)
    return !path.startsWith('..') && !path.includes('node_modules')
  }

  /** @param {ts.Symbol} symbol */
  const target = (symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

  /** @param {ts.Node} declaration the whole statement, for a variable */
  const statement = (declaration) =>
    ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration

  /** @param {ts.Node} node */
  const queueMentioned = (node) => {
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node)
      for (const declaration of (symbol && target(symbol).declarations) ?? []) {
        const whole = statement(declaration)
        const { parent } = whole
        if (parent && ts.isSourceFile(parent) && isOwn(whole)) waiting.add(whole)
      }
    }
    ts.forEachChild(node, queueMentioned)
  }

  /** @param {ts.Node} node */
  const text = (node) => {
    printed.add(node)
    queueMentioned(node)
    return printer
      .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
      .replace(/^(export )?(declare )?/, '')
  }

  /** @param {ts.Symbol} exported @returns {string} */
  const describe = (exported) => {
    const symbol = target(exported)
    const declarations = symbol.declarations ?? []
    const nodes = [...new Set(declarations.map(statement))]
    const first = nodes[0]
    if (!first) return `export { ${exported.name} }`
    if (!isOwn(first)) return `export { ${exported.name} } from '${packageOf(first)}'`
    if (first.kind === ts.SyntaxKind.ModuleDeclaration) {
      for (const node of nodes) printed.add(node)
      const inner = sorted(checker.getExportsOfModule(symbol)).map(describe).join('\n\n')
      return `export namespace ${exported.name} {\n${inner.replace(/^(?=.)/gm, '    ')}\n}`
    }
    const renamed = symbol.name === exported.name ? '' : `${symbol.name} as `
    if (printed.has(first)) return `export { ${renamed}${exported.name} } // as above`
    if (renamed) return [`export { ${renamed}${exported.name} }`, ...nodes.map(text)].join('\n')
    return nodes.map((node) => `export ${text(node)}`).join('\n')
  }

  return {
    /** @param {ts.SourceFile} file */
    exportsOf: (file) => {
      const symbol = checker.getSymbolAtLocation(file)
      return symbol ? sorted(checker.getExportsOfModule(symbol)).map(describe) : []
    },
    mentioned: () => {
      /** @type {string[]} */
      const found = []
      // Declarations referenced by these are added to the Set during iteration.
      for (const node of waiting) if (!printed.has(node)) found.push(text(node))
      return found.sort(compare)
    },
  }
}

/** Returns the name of the package that contains a declaration. @param {ts.Node} node */
function packageOf(node) {
  let folder = dirname(node.getSourceFile().fileName)
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) {
    folder = dirname(folder)
  }
  return readJson(join(folder, 'package.json')).name
}

/** @param {string} a @param {string} b */
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

/** @param {readonly ts.Symbol[]} symbols */
const sorted = (symbols) => symbols.toSorted((a, b) => compare(a.name, b.name))

/**
 * Compares two descriptions. The compiler does not always print the members of an inferred
 * type in the same order, so the order within a declaration is ignored.
 *
 * @param {string} a
 * @param {string} b
 */
export const isSameApi = (a, b) => sortedLines(a) === sortedLines(b)

/** Sorts the lines of each declaration. @param {string} text */
const sortedLines = (text) =>
  text
    .split('\n\n')
    .map((declaration) => declaration.split('\n').sort(compare).join('\n'))
    .join('\n\n')
