import { ts } from 'ts-morph'
import { pathInCode } from './extract-script.ts'
import { readScopes, requiredBy, type Scope } from './scopes.ts'

/** Exports of a file. */
interface Exports {
  readonly named: ReadonlyMap<string, Exported>
  /** `export *`. */
  readonly stars: readonly { readonly specifier: string; readonly node: ts.Node }[]
}

type Exported =
  | { readonly specifier: string; readonly name: string; readonly node: ts.Node }
  | { readonly expression: ts.Expression }
  | { readonly declared: ts.FunctionDeclaration }

/** Parsed file. */
export interface ReadFile {
  readonly source: ts.SourceFile
  readonly scopeOf: (node: ts.Node) => Scope
  readonly exports: Exports
  /** Imported names by specifier, with their nodes, to report unknown ones. */
  readonly imports: readonly {
    readonly specifier: string
    readonly name: string
    readonly node: ts.Node
  }[]
  /** Strings of the code that are not specifiers of imports and exports, and may be paths. */
  readonly paths: readonly PathString[]
}

/** String that may be the specifier of a module, or begin with it. */
interface PathString {
  readonly node: ts.Node
  /** Text with `*` for each part that is only known at run time. */
  readonly text: string
  /**
   * - `loaded`: `import()` or `require` loads the module.
   * - `path`: any other string.
   * - `part`: an argument of `join` or `resolve`.
   * - `code`: a path within a longer string, such as the code of a worker.
   */
  readonly kind: 'loaded' | 'path' | 'part' | 'code'
}

export function readFile(source: ts.SourceFile): ReadFile {
  const scopes = readScopes(source)
  const scopeOf = (node: ts.Node): Scope => {
    for (let at: ts.Node | undefined = node; at; at = at.parent) {
      const scope = scopes.get(at)
      if (scope) return scope
    }
    throw new TypeError('The node is of another file')
  }
  const named = new Map<string, Exported>()
  const stars: { specifier: string; node: ts.Node }[] = []
  const imports: { specifier: string; name: string; node: ts.Node }[] = []
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) readImports(statement, imports)
    if (ts.isImportEqualsDeclaration(statement)) {
      const specifier = requiredBy(statement)
      if (specifier !== undefined) imports.push({ specifier, name: '*', node: statement })
    }
    if (ts.isExportAssignment(statement)) named.set('default', { expression: statement.expression })
    if (ts.isExportDeclaration(statement) && !statement.isTypeOnly) {
      readExports(statement, named, stars)
    }
    if (ts.isFunctionDeclaration(statement) && hasModifier(statement, exportKeyword)) {
      const isDefault = hasModifier(statement, ts.SyntaxKind.DefaultKeyword)
      const name = isDefault ? 'default' : statement.name?.text
      if (name !== undefined) named.set(name, { declared: statement })
    }
    if (ts.isVariableStatement(statement) && hasModifier(statement, exportKeyword)) {
      for (const { name } of statement.declarationList.declarations) {
        for (const id of identifiersIn(name)) named.set(id.text, { expression: id })
      }
    }
  }
  return { source, scopeOf, exports: { named, stars }, imports, paths: pathsIn(source) }
}

function pathsIn(source: ts.SourceFile): readonly PathString[] {
  const found: PathString[] = []
  const add = (node: ts.Node, text: string): void => {
    const { parent } = node
    const callee = ts.isCallExpression(parent) ? parent.expression : undefined
    const name = callee && ts.isIdentifier(callee) ? callee.text : ''
    const method = callee && ts.isPropertyAccessExpression(callee) ? callee.name.text : name
    // A mock replaces a module; it uses none of its messages.
    if (/mock$/i.test(method)) return
    if (/^(?:join|resolve)$/.test(method)) found.push({ node, text, kind: 'part' })
    const within = /["'`\s*]/.test(text) ? text.match(pathInCode) : null
    for (const one of within ?? []) if (one !== text) found.push({ node, text: one, kind: 'code' })
    if (!/^[\w.@#~$/-][^\s]*\/[^\s]*$|^~uilm$/.test(text) || text.length > 300) return
    const isLoaded =
      (callee?.kind === ts.SyntaxKind.ImportKeyword || name === 'require') &&
      ts.isCallExpression(parent) &&
      parent.arguments[0] === node
    found.push({ node, text, kind: isLoaded ? 'loaded' : 'path' })
  }
  const visit = (node: ts.Node): void => {
    const isDeclaration = ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
    if (isDeclaration || ts.isTypeNode(node) || ts.isExternalModuleReference(node)) return
    if (ts.isStringLiteralLike(node)) return add(node, node.text)
    if (ts.isTemplateExpression(node)) {
      add(
        node,
        [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('*'),
      )
    }
    const isSum = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken
    if (isSum && ts.isStringLiteralLike(node.left)) add(node, `${node.left.text}*`)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return found
}

function readImports(
  statement: ts.ImportDeclaration,
  imports: { specifier: string; name: string; node: ts.Node }[],
): void {
  const clause = statement.importClause
  const { moduleSpecifier: specifier } = statement
  if (!clause || clause.isTypeOnly || !ts.isStringLiteral(specifier)) return
  const bindings = clause.namedBindings
  if (clause.name) imports.push({ specifier: specifier.text, name: 'default', node: clause.name })
  if (!bindings || ts.isNamespaceImport(bindings)) {
    if (bindings) imports.push({ specifier: specifier.text, name: '*', node: bindings })
    return
  }
  for (const element of bindings.elements) {
    const { text: name } = element.propertyName ?? element.name
    if (!element.isTypeOnly) imports.push({ specifier: specifier.text, name, node: element })
  }
}

function readExports(
  statement: ts.ExportDeclaration,
  named: Map<string, Exported>,
  stars: { specifier: string; node: ts.Node }[],
): void {
  const { exportClause: clause, moduleSpecifier } = statement
  const specifier =
    moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined
  if (!clause) {
    if (specifier !== undefined) stars.push({ specifier, node: statement })
  } else if (ts.isNamespaceExport(clause)) {
    if (specifier !== undefined) named.set(clause.name.text, { specifier, name: '*', node: clause })
  } else {
    for (const element of clause.elements) {
      if (element.isTypeOnly) continue
      const local = element.propertyName ?? element.name
      const exported: Exported | undefined =
        specifier === undefined
          ? ts.isIdentifier(local)
            ? { expression: local }
            : undefined
          : { specifier, name: local.text, node: element }
      if (exported) named.set(element.name.text, exported)
    }
  }
}

const exportKeyword = ts.SyntaxKind.ExportKeyword

const hasModifier = (
  node: ts.VariableStatement | ts.FunctionDeclaration,
  modifier: ts.SyntaxKind,
): boolean => node.modifiers?.some(({ kind }) => kind === modifier) ?? false

function identifiersIn(name: ts.BindingName): readonly ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name]
  return name.elements.flatMap((one) =>
    ts.isOmittedExpression(one) ? [] : identifiersIn(one.name),
  )
}
