import { join } from 'node:path'
import ts from 'typescript'
import { entryPoints } from '../lib/packages.mjs'

/** @typedef {{ name: string, path: string, manifest: Record<string, any> }} Documented */

/**
 * Source files of a package's entries, by what they are imported as. Entries that
 * have none, such as `./package.json`, are left out.
 *
 * @param {Documented} item
 * @returns {{ name: string, file: string }[]}
 */
export function entrySources(item) {
  return entryPoints(item.manifest).flatMap((entry) => {
    const { source } = item.manifest.exports[entry]
    const file = typeof source === 'object' ? source.default : source
    return file ? [{ name: entry.replace('.', item.name), file: join(item.path, file) }] : []
  })
}

/**
 * Public names without a comment, and operations whose comment does not say in
 * which section of the interface they are. A function that names a route of the
 * contract is an operation.
 *
 * @param {Documented} item
 * @returns {string[]}
 */
export function undocumentedNames(item) {
  const entries = entrySources(item)
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      customConditions: ['source'],
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    },
  )
  const checker = program.getTypeChecker()
  /** @type {Set<string>} */
  const found = new Set()
  for (const { name, file } of entries) {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} exports nothing`)
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol =
        exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      const problem = problemOf(symbol, checker)
      if (problem) found.add(`${name}: ${exported.name} ${problem}`)
    }
  }
  return [...found].sort()
}

/** @param {ts.Symbol} symbol @param {ts.TypeChecker} checker */
function problemOf(symbol, checker) {
  const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  if (comment.trim() === '') return 'has no comment'
  const isOperation = (symbol.declarations ?? []).some(
    (node) =>
      /\broutes\.\w+/.test(node.getText()) &&
      (ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node)),
  )
  const tags = symbol.getJsDocTags(checker).map(({ text }) => ts.displayPartsToString(text))
  const says = [comment, ...tags].some((text) => /\bsection \d/i.test(text))
  return isOperation && !says ? 'sends an operation, and names no section' : undefined
}
