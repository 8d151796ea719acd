import { ts } from 'ts-morph'
import { type Binding, propertyName } from './scopes.ts'
import type { Context } from './value.ts'

/** Possible string values of an expression. */
export interface PossibleStrings {
  readonly exact: ReadonlySet<string>
  /** Prefixes and suffixes of strings whose middle is only known at run time. */
  readonly patterns: readonly { readonly start: string; readonly end: string }[]
  /** `true` if any string is possible. */
  readonly any: boolean
}

/** Maximum depth, which stops circular references. */
export const maxDepth = 30
export const anyString: PossibleStrings = { exact: new Set(), patterns: [], any: true }
/** Missing argument. */
const noString: PossibleStrings = { exact: new Set(), patterns: [], any: false }
export const exactly = (...strings: readonly string[]): PossibleStrings => ({
  exact: new Set(strings),
  patterns: [],
  any: false,
})

/** Returns the possible values of any of several expressions. */
export const union = (all: readonly PossibleStrings[]): PossibleStrings => ({
  exact: new Set(all.flatMap(({ exact }) => [...exact])),
  patterns: all.flatMap(({ patterns }) => patterns),
  any: all.some(({ any }) => any),
})

/** Removes syntax that does not change a value: parentheses, type assertions, `!`. */
export function unwrap(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node)
    ? unwrap(node.expression)
    : node
}

/** Returns the value of a literal property. */
export function property(
  object: ts.ObjectLiteralExpression,
  name: string,
): ts.Expression | undefined {
  for (const one of object.properties) {
    if (ts.isPropertyAssignment(one) && propertyName(one.name) === name) return one.initializer
    if (ts.isShorthandPropertyAssignment(one) && one.name.text === name) return one.name
  }
  return undefined
}

/** Returns the possible string values of an expression, from literals and literal types. */
export function stringsOf(node: ts.Expression, context: Context, depth = 0): PossibleStrings {
  if (depth > maxDepth) return anyString
  const next = (one: ts.Expression): PossibleStrings => stringsOf(one, context, depth + 1)
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    const inner = next(node.expression)
    return inner.any ? (typeStrings(node.type) ?? inner) : inner
  }
  const expression = unwrap(node)
  if (expression !== node) return next(expression)
  if (ts.isStringLiteralLike(expression)) return exactly(expression.text)
  if (ts.isConditionalExpression(expression)) {
    return union([next(expression.whenTrue), next(expression.whenFalse)])
  }
  if (ts.isTemplateExpression(expression)) {
    return expression.templateSpans.reduce(
      (before, span) =>
        concatenated(concatenated(before, next(span.expression)), exactly(span.literal.text)),
      exactly(expression.head.text),
    )
  }
  if (ts.isBinaryExpression(expression)) {
    const { left, right, operatorToken } = expression
    if (operatorToken.kind === ts.SyntaxKind.PlusToken) return concatenated(next(left), next(right))
    const isEither =
      operatorToken.kind === ts.SyntaxKind.BarBarToken ||
      operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken
    return isEither ? union([next(left), next(right)]) : anyString
  }
  if (ts.isIdentifier(expression)) {
    const binding = context.scopeOf(expression).find(expression.text)
    return binding ? bindingStrings(binding, context, depth + 1) : anyString
  }
  if (ts.isPropertyAccessExpression(expression) || ts.isElementAccessExpression(expression)) {
    return memberStrings(expression, context, depth + 1)
  }
  return anyString
}

/**
 * Concatenates possible strings. If a part is open, only prefixes and suffixes are known.
 */
function concatenated(first: PossibleStrings, second: PossibleStrings): PossibleStrings {
  const closed =
    !first.any && first.patterns.length === 0 && !second.any && second.patterns.length === 0
  if (closed && first.exact.size * second.exact.size <= 200) {
    return exactly(...[...first.exact].flatMap((a) => [...second.exact].map((b) => a + b)))
  }
  const starts = [
    ...first.exact,
    ...first.patterns.map(({ start }) => start),
    ...(first.any ? [''] : []),
  ]
  const ends = [
    ...second.exact,
    ...second.patterns.map(({ end }) => end),
    ...(second.any ? [''] : []),
  ]
  const patterns = starts.flatMap((start) => ends.map((end) => ({ start, end })))
  return { exact: new Set(), patterns, any: false }
}

function bindingStrings(binding: Binding, context: Context, depth: number): PossibleStrings {
  if (binding.kind === 'opaque') {
    const given = argumentStrings(binding, context, depth)
    return given ?? (binding.type && typeStrings(binding.type)) ?? anyString
  }
  if (binding.kind === 'element') return elementStrings(binding.list, context, depth)
  if (binding.kind !== 'value') return anyString
  if (binding.path.length === 0) return stringsOf(binding.init, context, depth + 1)
  const object = literalOf(binding.init, context)
  const [name] = binding.path
  if (binding.path.length !== 1 || name === undefined || !object) return anyString
  if (!ts.isObjectLiteralExpression(object)) return anyString
  const value = property(object, name)
  return value ? stringsOf(value, context, depth + 1) : anyString
}

/** Returns the values of a parameter in the function call that is being followed. */
function argumentStrings(
  { parameter }: Binding & { readonly kind: 'opaque' },
  context: Context,
  depth: number,
): PossibleStrings | undefined {
  const given = parameter && context.given.get(parameter.node)
  if (!given || !parameter || parameter.node.dotDotDotToken) return undefined
  const [one] = given
  if (parameter.path.length > 0) {
    const object = one && literalOf(one.node, one.context)
    const [name] = parameter.path
    if (!object || !ts.isObjectLiteralExpression(object) || name === undefined) return undefined
    const value = parameter.path.length === 1 ? property(object, name) : undefined
    return value && stringsOf(value, one.context, depth + 1)
  }
  if (one) return stringsOf(one.node, one.context, depth + 1)
  const { initializer } = parameter.node
  return initializer ? stringsOf(initializer, context, depth + 1) : noString
}

/** Returns the object or list literal of an expression, directly or through a constant. */
function literalOf(
  node: ts.Expression,
  context: Context,
): ts.ObjectLiteralExpression | ts.ArrayLiteralExpression | undefined {
  const expression = unwrap(node)
  if (ts.isObjectLiteralExpression(expression) || ts.isArrayLiteralExpression(expression)) {
    return expression
  }
  if (!ts.isIdentifier(expression)) return undefined
  const binding = context.scopeOf(expression).find(expression.text)
  if (binding?.kind !== 'value' || binding.path.length > 0) return undefined
  const init = unwrap(binding.init)
  return ts.isObjectLiteralExpression(init) || ts.isArrayLiteralExpression(init) ? init : undefined
}

function elementStrings(list: ts.Expression, context: Context, depth: number): PossibleStrings {
  const literal = literalOf(list, context)
  return literal && ts.isArrayLiteralExpression(literal)
    ? union(literal.elements.map((one) => stringsOf(one, context, depth + 1)))
    : anyString
}

/**
 * Returns the values of `labels.save`, `labels[x]` or `list[0]` for literals in the same
 * file.
 */
function memberStrings(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  context: Context,
  depth: number,
): PossibleStrings {
  const literal = literalOf(node.expression, context)
  if (!literal) return anyString
  if (ts.isArrayLiteralExpression(literal)) return elementStrings(literal, context, depth)
  const names = ts.isPropertyAccessExpression(node)
    ? exactly(node.name.text)
    : stringsOf(node.argumentExpression, context, depth + 1)
  if (!names.any && names.patterns.length === 0) {
    const values = [...names.exact].map((name) => property(literal, name))
    return union(values.map((one) => (one ? stringsOf(one, context, depth + 1) : anyString)))
  }
  const values = literal.properties.map((one) =>
    ts.isPropertyAssignment(one) ? stringsOf(one.initializer, context, depth + 1) : anyString,
  )
  return union(values)
}

/** Returns the values of a type such as `'A' | 'B'`; undefined for other types. */
function typeStrings(type: ts.TypeNode): PossibleStrings | undefined {
  if (ts.isParenthesizedTypeNode(type)) return typeStrings(type.type)
  if (ts.isUnionTypeNode(type)) {
    const all = type.types.map(typeStrings)
    return all.every((one) => one !== undefined) ? union(all) : undefined
  }
  return ts.isLiteralTypeNode(type) && ts.isStringLiteralLike(type.literal)
    ? exactly(type.literal.text)
    : undefined
}
