import { ts } from 'ts-morph'
import { readScopes, type Scope } from './scopes.ts'

/** Exports of a file. */
interface Exports {
  readonly named: ReadonlyMap<string, Exported>
  /** Specifiers of `export *`. */
  readonly stars: readonly string[]
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
  const stars: string[] = []
  const imports: { specifier: string; name: string; node: ts.Node }[] = []
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) readImports(statement, imports)
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
  return { source, scopeOf, exports: { named, stars }, imports }
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
  stars: string[],
): void {
  const { exportClause: clause, moduleSpecifier } = statement
  const specifier =
    moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined
  if (!clause) {
    if (specifier !== undefined) stars.push(specifier)
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
