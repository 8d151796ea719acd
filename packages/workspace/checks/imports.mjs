import { builtinModules } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import ts from 'typescript'
import { below, installedFields, layers } from '../lib/packages.mjs'

/**
 * @typedef {object} Import
 * @property {string} specifier
 * @property {number} line from 1
 * @property {boolean} typeOnly gone after compilation
 *
 * @typedef {{ folder: string, name: string, path: string, manifest: Record<string, any> }} Imported
 */

/**
 * Every import of a source file, in whatever form: `import`, `export from`,
 * `import()`, `import type`, `typeof import('x')`, `require`.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Import[]}
 */
export function parseImports(path, text) {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind)
  /** @type {Import[]} */
  const found = []
  /** @param {ts.Node | undefined} specifier @param {boolean} typeOnly */
  const add = (specifier, typeOnly) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return
    const { line } = file.getLineAndCharacterOfPosition(specifier.getStart(file))
    found.push({ specifier: specifier.text, line: line + 1, typeOnly })
  }
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
    } else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true)
    } else if (ts.isExternalModuleReference(node)) add(node.expression, false)
    else if (ts.isCallExpression(node)) {
      const callee = node.expression
      const isImport = callee.kind === ts.SyntaxKind.ImportKeyword
      const isRequire = ts.isIdentifier(callee) && callee.text === 'require'
      if (isImport || isRequire) add(node.arguments[0], false)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Whether a file of a package is a test or there for tests alone. @param {string} path */
export const isTestFile = (path) => /(^|\/)test\/|\.(test|test-d|bench)\.[mc]?tsx?$/.test(path)

/** The package that a bare specifier names. @param {string} specifier */
function packageName(specifier) {
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

/** @param {string} specifier */
const isBare = (specifier) => !/^(\.|\/|#|~|node:|virtual:|\0)/.test(specifier)

/**
 * The imports of a package that run against the order of imports, reach into
 * another package's folder, or need a package that users would not have.
 *
 * @param {Imported} item
 * @param {readonly { path: string, text: string }[]} files paths within the package, with `/`
 * @param {readonly Imported[]} packages all of the repository
 * @param {Readonly<Record<string, readonly string[]>>} [order]
 * @returns {string[]} one line each
 */
export function findForbiddenImports(item, files, packages, order = layers) {
  const lower = below(item.folder, order)
  const installed = new Set([
    item.name,
    ...installedFields.flatMap((field) => Object.keys(item.manifest[field] ?? {})),
  ])
  return files.flatMap((file) =>
    parseImports(file.path, file.text).flatMap(({ specifier, line, typeOnly }) => {
      const problem = importProblem(specifier, typeOnly, file.path)
      return problem ? [`packages/${item.folder}/${file.path}:${line} ${problem}`] : []
    }),
  )

  /** @param {string} specifier @param {boolean} typeOnly @param {string} path */
  function importProblem(specifier, typeOnly, path) {
    if (specifier.startsWith('.')) {
      const target = resolve(item.path, dirname(path), specifier)
      const leaves = relative(item.path, target).startsWith('..')
      if (!leaves || isTestFile(path)) return
      return `imports '${specifier}', which lies outside of the package`
    }
    if (!isBare(specifier) || isTestFile(path)) return
    const name = packageName(specifier)
    const other = packages.find((candidate) => candidate.name === name)
    if (other && other.folder !== item.folder && !lower.has(other.folder)) {
      return `imports ${name}; ${item.folder} may import ${[...lower].sort().join(', ') || 'no package of the repository'}`
    }
    if (installed.has(name) || builtinModules.includes(name) || typeOnly) return
    return `imports ${name}, which package.json does not install with the package`
  }
}

/**
 * The dependencies in a package.json that run against the order of imports. Tests
 * need packages from above, so devDependencies may name any.
 *
 * @param {Imported} item
 * @param {readonly Imported[]} packages
 * @param {Readonly<Record<string, readonly string[]>>} [order]
 * @returns {string[]}
 */
export function findForbiddenDependencies(item, packages, order = layers) {
  if (!order[item.folder]) {
    return [`packages/${item.folder} has no place in the order of imports (lib/packages.mjs)`]
  }
  const lower = below(item.folder, order)
  return installedFields.flatMap((field) =>
    Object.keys(item.manifest[field] ?? {}).flatMap((name) => {
      const other = packages.find((candidate) => candidate.name === name)
      if (!other || lower.has(other.folder)) return []
      return [`packages/${item.folder}/package.json names ${name} in ${field}, against the order`]
    }),
  )
}
