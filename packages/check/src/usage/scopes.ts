import { ts } from 'ts-morph'

/** Static meaning of a name in a file. */
export type Binding =
  | { readonly kind: 'import'; readonly specifier: string; readonly name: string }
  /** Constant, or a part of it: for `const { a: [b] } = init`, b has the path a, 0. */
  | {
      readonly kind: 'value'
      readonly init: ts.Expression
      readonly path: readonly (string | undefined)[]
      readonly scope: Scope
      /** `true` if the value is awaited first, like the parameter of a `then` callback. */
      readonly awaited?: boolean
    }
  /** Each element of a list in turn, or a part of it. */
  | {
      readonly kind: 'element'
      readonly list: ts.Expression
      readonly path: readonly (string | undefined)[]
      readonly scope: Scope
    }
  /** A function declaration. */
  | { readonly kind: 'function'; readonly node: ts.FunctionDeclaration | ts.FunctionExpression }
  | {
      readonly kind: 'opaque'
      readonly type: ts.TypeNode | undefined
      /** Parameter that declares the name, and the path to the name in its pattern. */
      readonly parameter?: {
        readonly node: ts.ParameterDeclaration
        readonly path: readonly (string | undefined)[]
      }
    }

/** Names of a block, function or file. */
export class Scope {
  readonly names = new Map<string, Binding>()
  readonly parent: Scope | undefined
  readonly isFunction: boolean

  constructor(parent: Scope | undefined, isFunction: boolean) {
    this.parent = parent
    this.isFunction = isFunction
  }

  find(name: string): Binding | undefined {
    return this.names.get(name) ?? this.parent?.find(name)
  }

  /** Returns the scope in which `var` declares names. */
  hoisted(): Scope {
    return this.isFunction || !this.parent ? this : this.parent.hoisted()
  }
}

/** Scope of each node that creates one. */
export type Scopes = ReadonlyMap<ts.Node, Scope>

/**
 * Collects the names declared in each scope of a file. Also sets the parent of each node,
 * which avoids a second traversal.
 */
export function readScopes(file: ts.SourceFile): Scopes {
  const scopes = new Map<ts.Node, Scope>()
  const open = (node: ts.Node, parent: Scope | undefined, isFunction: boolean): Scope => {
    const scope = new Scope(parent, isFunction)
    scopes.set(node, scope)
    return scope
  }
  const visitChildren = (parent: ts.Node, scope: Scope): void => {
    ts.forEachChild(parent, (child) => {
      ;(child as { parent: ts.Node }).parent = parent
      visit(child, scope)
    })
  }
  const visit = (node: ts.Node, outer: Scope): void => {
    // Tokens declare nothing and are most of a file.
    if (node.kind < ts.SyntaxKind.QualifiedName) return
    let scope = outer
    if (ts.isFunctionLike(node)) {
      scope = open(node, outer, true)
      if (ts.isFunctionExpression(node) && node.name) {
        scope.names.set(node.name.text, { kind: 'function', node })
      }
      const source =
        ts.isArrowFunction(node) || ts.isFunctionExpression(node) ? callbackSource(node) : undefined
      node.parameters.forEach((parameter, index) => {
        const binding = index === 0 && source ? { ...source, scope: outer } : undefined
        declarePattern(
          scope,
          parameter.name,
          binding ?? { kind: 'opaque', type: undefined, parameter: { node: parameter, path: [] } },
          parameter.type,
        )
      })
    } else if (blocks.has(node.kind)) {
      scope = open(node, outer, false)
    }
    if (ts.isVariableDeclaration(node)) {
      const list = ts.isVariableDeclarationList(node.parent) ? node.parent : undefined
      const isVar = list !== undefined && (list.flags & ts.NodeFlags.BlockScoped) === 0
      const target = isVar ? scope.hoisted() : scope
      const isConst = list !== undefined && (list.flags & ts.NodeFlags.Const) !== 0
      const loop = list?.parent
      if (loop && ts.isForOfStatement(loop)) {
        declarePattern(
          target,
          node.name,
          { kind: 'element', list: loop.expression, path: [], scope },
          node.type,
        )
      } else {
        const init = node.initializer
        // A reassignable variable is followed only if its initial value cannot be a
        // string.
        const binding: Binding | undefined =
          init && (isConst || isCall(init)) ? { kind: 'value', init, path: [], scope } : undefined
        declarePattern(target, node.name, binding, node.type)
      }
    } else if (ts.isFunctionDeclaration(node) && node.name) {
      outer.names.set(node.name.text, { kind: 'function', node })
    } else if (ts.isClassDeclaration(node) && node.name) {
      declareName(outer, node.name.text)
    } else if (ts.isImportEqualsDeclaration(node)) {
      const specifier = requiredBy(node)
      if (specifier === undefined) declareName(outer, node.name.text)
      else outer.names.set(node.name.text, { kind: 'import', specifier, name: '*' })
    } else if (ts.isEnumDeclaration(node)) {
      declareName(outer, node.name.text)
    } else if (ts.isImportDeclaration(node)) {
      declareImports(outer, node)
    }
    visitChildren(node, scope)
  }
  const top = open(file, undefined, true)
  visitChildren(file, top)
  return scopes
}

/** Returns the specifier of `import x = require('…')`. */
export const requiredBy = ({ moduleReference }: ts.ImportEqualsDeclaration): string | undefined =>
  ts.isExternalModuleReference(moduleReference) &&
  ts.isStringLiteralLike(moduleReference.expression)
    ? moduleReference.expression.text
    : undefined

const declareName = (scope: Scope, name: string): void => {
  scope.names.set(name, { kind: 'opaque', type: undefined })
}

const blocks: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.Block,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.CaseBlock,
  ts.SyntaxKind.CatchClause,
  ts.SyntaxKind.ModuleBlock,
  ts.SyntaxKind.ClassStaticBlockDeclaration,
])

const isCall = (node: ts.Expression): boolean =>
  ts.isCallExpression(node) || (ts.isAwaitExpression(node) && isCall(node.expression))

function declarePattern(
  scope: Scope,
  name: ts.BindingName,
  binding: Binding | undefined,
  type: ts.TypeNode | undefined,
): void {
  if (ts.isIdentifier(name)) {
    scope.names.set(
      name.text,
      binding?.kind === 'opaque' ? { ...binding, type } : (binding ?? { kind: 'opaque', type }),
    )
    return
  }
  name.elements.forEach((element, index) => {
    if (ts.isOmittedExpression(element)) return
    const key = ts.isArrayBindingPattern(name)
      ? String(index)
      : element.dotDotDotToken
        ? undefined
        : propertyName(element.propertyName ?? element.name)
    declarePattern(scope, element.name, binding && partOf(binding, key), undefined)
  })
}

/** Returns the part of a value or parameter that a pattern element selects. */
function partOf(binding: Binding, key: string | undefined): Binding | undefined {
  if (binding.kind === 'value' || binding.kind === 'element') {
    return { ...binding, path: [...binding.path, key] }
  }
  if (binding.kind !== 'opaque' || !binding.parameter) return undefined
  const { node, path } = binding.parameter
  return { kind: 'opaque', type: undefined, parameter: { node, path: [...path, key] } }
}

/** Returns the text of a literal property name; undefined for a computed one. */
export function propertyName(name: ts.PropertyName | ts.BindingName): string | undefined {
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) {
    return name.text
  }
  if (ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression)) {
    return name.expression.text
  }
  return undefined
}

function declareImports(scope: Scope, node: ts.ImportDeclaration): void {
  const clause = node.importClause
  if (!clause || clause.isTypeOnly || !ts.isStringLiteral(node.moduleSpecifier)) return
  const specifier = node.moduleSpecifier.text
  const add = (local: string, name: string): void => {
    scope.names.set(local, { kind: 'import', specifier, name })
  }
  if (clause.name) add(clause.name.text, 'default')
  const { namedBindings } = clause
  if (!namedBindings) return
  if (ts.isNamespaceImport(namedBindings)) return add(namedBindings.name.text, '*')
  for (const element of namedBindings.elements) {
    if (!element.isTypeOnly) add(element.name.text, (element.propertyName ?? element.name).text)
  }
}

/**
 * Returns the source of the first parameter of a callback: the result of a promise, or
 * the elements of a list.
 */
function callbackSource(node: ts.ArrowFunction | ts.FunctionExpression):
  | {
      readonly kind: 'value'
      readonly init: ts.Expression
      readonly path: readonly []
      readonly awaited: true
    }
  | { readonly kind: 'element'; readonly list: ts.Expression; readonly path: readonly [] }
  | undefined {
  const call = node.parent
  if (!ts.isCallExpression(call) || call.arguments[0] !== node) return undefined
  if (!ts.isPropertyAccessExpression(call.expression)) return undefined
  const { name, expression } = call.expression
  if (name.text === 'then') return { kind: 'value', init: expression, path: [], awaited: true }
  return /^(?:map|flatMap|forEach|filter|some|every|find)$/.test(name.text)
    ? { kind: 'element', list: expression, path: [] }
    : undefined
}
