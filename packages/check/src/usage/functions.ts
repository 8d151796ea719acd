import { ts } from 'ts-morph'
import { unwrap } from './possible-strings.ts'
import type { Argument, Context } from './value.ts'

/** Function with a readable body. */
export type FunctionNode =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration

const isFunctionNode = (node: ts.Node): node is FunctionNode =>
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isArrowFunction(node) ||
  ts.isMethodDeclaration(node)

/**
 * Returns the expressions that a function may return, without those of nested functions.
 */
export function returnsOf({ body }: FunctionNode): readonly ts.Expression[] {
  if (!body) return []
  if (!ts.isBlock(body)) return [body]
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node)) {
      if (node.expression) found.push(node.expression)
    } else if (!ts.isFunctionLike(node) && !ts.isClassLike(node)) ts.forEachChild(node, visit)
  }
  visit(body)
  return found
}

/**
 * Returns the calls made by a function itself; undefined if it does more than naming and
 * returning their results.
 */
export function callsOf({ body }: FunctionNode): readonly ts.CallExpression[] | undefined {
  const found: ts.CallExpression[] = []
  const visit = (node: ts.Node): boolean => {
    if (ts.isCallExpression(node)) found.push(node)
    if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) return false
    return ts.isFunctionLike(node) || !ts.forEachChild(node, (child) => !visit(child))
  }
  return body && visit(body) ? found : undefined
}

const async = ts.SyntaxKind.AsyncKeyword

export const isAsync = (node: FunctionNode): boolean =>
  node.modifiers?.some(({ kind }) => kind === async) ?? false

/** Returns whether a function assigns to a parameter. */
function isReassigned(parameter: ts.ParameterDeclaration): boolean {
  const { name, parent } = parameter
  const { body } = parent as ts.FunctionLikeDeclaration
  if (!ts.isIdentifier(name) || !body) return false
  const visit = (node: ts.Node): boolean =>
    (ts.isBinaryExpression(node) &&
      ts.isIdentifier(node.left) &&
      node.left.text === name.text &&
      node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
      node.operatorToken.kind <= ts.SyntaxKind.LastAssignment) ||
    ts.forEachChild(node, (child) => visit(child) || undefined) === true
  return visit(body)
}

/** Functions of React and other libraries that return the function passed to them. */
const memoizing = /^(?:useCallback|useEvent|useEffectEvent|useEventCallback|cache|memoize)$/

/**
 * Returns the argument that a memoizing call returns or calls: `useCallback(fn, [])`,
 * `useMemo(fn, [])`.
 */
export function memoized(
  call: ts.CallExpression,
): { readonly node: ts.Expression; readonly isCalled: boolean } | undefined {
  const callee = unwrap(call.expression)
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee
  const [node] = call.arguments
  if (!node || !ts.isIdentifier(name)) return undefined
  if (memoizing.test(name.text)) return { node, isCalled: false }
  return name.text === 'useMemo' ? { node, isCalled: true } : undefined
}

/**
 * Returns whether all uses of a function can be found: it is declared by name, or part of
 * the result of another function. A function passed to a call or an element is not.
 */
export function isNamed(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node)) return true
  const { parent } = node
  if (ts.isVariableDeclaration(parent) || ts.isReturnStatement(parent)) return true
  if (ts.isExportAssignment(parent)) return true
  if (ts.isArrowFunction(parent)) return parent.body === node && isNamed(parent)
  if (ts.isCallExpression(parent)) return memoized(parent)?.node === node && isNamed(parent)
  return (
    (ts.isPropertyAssignment(parent) ||
      ts.isObjectLiteralExpression(parent) ||
      ts.isMethodDeclaration(node) ||
      ts.isParenthesizedExpression(parent) ||
      ts.isAsExpression(parent) ||
      ts.isSatisfiesExpression(parent)) &&
    isNamed(parent)
  )
}

/**
 * Returns whether a function passes on all its parameters unchanged in every return,
 * except for missing keys.
 */
export function isPassedOn(
  { parameters }: FunctionNode,
  call: ts.CallExpression,
  returns: readonly ts.Expression[],
): boolean {
  const { arguments: passed } = call
  const isAll =
    passed.length === parameters.length &&
    parameters.every(({ name, dotDotDotToken, initializer }, index) => {
      const one = passed[index]!
      const inner = dotDotDotToken && ts.isSpreadElement(one) ? one.expression : unwrap(one)
      const isSpread = ts.isSpreadElement(one) === (dotDotDotToken !== undefined)
      return (
        isSpread &&
        !initializer &&
        ts.isIdentifier(name) &&
        ts.isIdentifier(inner) &&
        inner.text === name.text
      )
    })
  return isAll && returns.every((one) => unwrap(one) === call || isForMissingKey(one))
}

/** Matches `if (!i18n.exists(key)) return …`. */
function isForMissingKey(node: ts.Expression): boolean {
  let statement: ts.Node = node.parent
  if (ts.isBlock(statement.parent)) statement = statement.parent
  const { parent } = statement
  if (!ts.isIfStatement(parent) || parent.thenStatement !== statement) return false
  const { expression: test } = parent
  if (!ts.isPrefixUnaryExpression(test) || !ts.isCallExpression(test.operand)) return false
  const { expression: callee } = test.operand
  return ts.isPropertyAccessExpression(callee) && callee.name.text === 'exists'
}

/** Returns the arguments of each parameter that is not reassigned. */
export function givenTo(
  { parameters }: FunctionNode,
  given: readonly Argument[],
): readonly (readonly [ts.ParameterDeclaration, readonly Argument[]])[] {
  return parameters
    .map((one, index) => {
      const own = one.dotDotDotToken ? given.slice(index) : given.slice(index, index + 1)
      return [one, own] as const
    })
    .filter(([one]) => !isReassigned(one))
}

/**
 * Returns the arguments of a call. Parameters of a followed function are replaced by
 * their arguments.
 */
export function argumentsOf(call: ts.CallExpression, context: Context): readonly Argument[] {
  return call.arguments.flatMap((node): readonly Argument[] => {
    const inner = ts.isSpreadElement(node) ? node.expression : unwrap(node)
    if (!ts.isIdentifier(inner)) return [{ node, context }]
    const binding = context.scopeOf(inner).find(inner.text)
    const parameter = binding?.kind === 'opaque' ? binding.parameter : undefined
    const given = parameter?.path.length === 0 ? context.given.get(parameter.node) : undefined
    if (!given || (given.length === 0 && !ts.isSpreadElement(node))) return [{ node, context }]
    return given
  })
}

/** Returns the function whose parameter an expression is, directly or spread. */
export function functionOfParameter(
  node: ts.Expression | undefined,
  { scopeOf }: Pick<Context, 'scopeOf'>,
): FunctionNode | undefined {
  const inner = node && (ts.isSpreadElement(node) ? node.expression : unwrap(node))
  const binding = inner && ts.isIdentifier(inner) ? scopeOf(inner).find(inner.text) : undefined
  const parameter = binding?.kind === 'opaque' ? binding.parameter : undefined
  const parent = parameter?.path.length === 0 ? parameter.node.parent : undefined
  return parent && isFunctionNode(parent) ? parent : undefined
}
