import { ts } from 'ts-morph'
import { bare } from './texts.ts'
import type { Argument, Context } from './value.ts'

/** A function whose body can be read. */
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

/** Expressions that a function may return, without those of functions inside it. */
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

/** Calls that a function itself makes; undefined where it does more than name what they return. */
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

/** Whether a function assigns to one of its parameters. */
export function isReassigned(parameter: ts.ParameterDeclaration): boolean {
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

/** Functions of React and others that return the function they are given. */
const memoizing = /^(?:useCallback|useEvent|useEffectEvent|useEventCallback|cache|memoize)$/

/** The argument that a call returns as it is, or calls: `useCallback(fn, [])`, `useMemo(fn, [])`. */
export function memoized(
  call: ts.CallExpression,
): { readonly node: ts.Expression; readonly isCalled: boolean } | undefined {
  const callee = bare(call.expression)
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee
  const [node] = call.arguments
  if (!node || !ts.isIdentifier(name)) return undefined
  if (memoizing.test(name.text)) return { node, isCalled: false }
  return name.text === 'useMemo' ? { node, isCalled: true } : undefined
}

/**
 * Whether every use of a function can be read: it is declared by name, or part of what
 * a function returns. A function that is passed to a call or an element is not.
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

/** Whether a function passes on all that it is given, as it is, on every way but for keys that there are not. */
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
      const inner = dotDotDotToken && ts.isSpreadElement(one) ? one.expression : bare(one)
      const isSpread = ts.isSpreadElement(one) === (dotDotDotToken !== undefined)
      return (
        isSpread &&
        !initializer &&
        ts.isIdentifier(name) &&
        ts.isIdentifier(inner) &&
        inner.text === name.text
      )
    })
  return isAll && returns.every((one) => bare(one) === call || isForMissingKey(one))
}

/** `if (!i18n.exists(key)) return …` */
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

/** The arguments of each parameter. */
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

/** The arguments of a call, those that a function only passes on being those it was given. */
export function argumentsOf(call: ts.CallExpression, context: Context): readonly Argument[] {
  return call.arguments.flatMap((node): readonly Argument[] => {
    const inner = ts.isSpreadElement(node) ? node.expression : bare(node)
    if (!ts.isIdentifier(inner)) return [{ node, context }]
    const binding = context.scopeOf(inner).find(inner.text)
    const parameter = binding?.kind === 'opaque' ? binding.parameter : undefined
    const given = parameter?.path.length === 0 ? context.given.get(parameter.node) : undefined
    if (!given || (given.length === 0 && !ts.isSpreadElement(node))) return [{ node, context }]
    return given
  })
}

/** The function whose parameter an expression is, as it was given or spread. */
export function functionOfParameter(
  node: ts.Expression | undefined,
  { scopeOf }: Pick<Context, 'scopeOf'>,
): FunctionNode | undefined {
  const inner = node && (ts.isSpreadElement(node) ? node.expression : bare(node))
  const binding = inner && ts.isIdentifier(inner) ? scopeOf(inner).find(inner.text) : undefined
  const parameter = binding?.kind === 'opaque' ? binding.parameter : undefined
  const parent = parameter?.path.length === 0 ? parameter.node.parent : undefined
  return parent && isFunctionNode(parent) ? parent : undefined
}
