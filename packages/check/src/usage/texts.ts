import { ts } from 'ts-morph'
import { type Binding, propertyName } from './scopes.ts'
import type { Context } from './value.ts'

/** Possible string values of an expression. */
export interface Texts {
  readonly exact: ReadonlySet<string>
  /** Prefixes and suffixes of strings whose middle is only known at run time. */
  readonly patterns: readonly { readonly start: string; readonly end: string }[]
  /** `true` if any string is possible. */
  readonly any: boolean
}

/** Maximum depth, which stops circular references. */
export const deepest = 30
const anything: Texts = { exact: new Set(), patterns: [], any: true }
/** Missing argument. */
const nothing: Texts = { exact: new Set(), patterns: [], any: false }
const exactly = (...texts: readonly string[]): Texts => ({
  exact: new Set(texts),
  patterns: [],
  any: false,
})

/** Returns the possible values of any of several expressions. */
export const union = (all: readonly Texts[]): Texts => ({
  exact: new Set(all.flatMap(({ exact }) => [...exact])),
  patterns: all.flatMap(({ patterns }) => patterns),
  any: all.some(({ any }) => any),
})

/** Removes syntax that does not change a value: parentheses, type assertions, `!`. */
export function bare(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node)
    ? bare(node.expression)
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
export function textsOf(node: ts.Expression, context: Context, depth = 0): Texts {
  if (depth > deepest) return anything
  const next = (one: ts.Expression): Texts => textsOf(one, context, depth + 1)
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    const inner = next(node.expression)
    return inner.any ? (typeTexts(node.type) ?? inner) : inner
  }
  const expression = bare(node)
  if (expression !== node) return next(expression)
  if (ts.isStringLiteralLike(expression)) return exactly(expression.text)
  if (ts.isConditionalExpression(expression)) {
    return union([next(expression.whenTrue), next(expression.whenFalse)])
  }
  if (ts.isTemplateExpression(expression)) {
    return expression.templateSpans.reduce(
      (before, span) => joined(joined(before, next(span.expression)), exactly(span.literal.text)),
      exactly(expression.head.text),
    )
  }
  if (ts.isBinaryExpression(expression)) {
    const { left, right, operatorToken } = expression
    if (operatorToken.kind === ts.SyntaxKind.PlusToken) return joined(next(left), next(right))
    const isEither =
      operatorToken.kind === ts.SyntaxKind.BarBarToken ||
      operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken
    return isEither ? union([next(left), next(right)]) : anything
  }
  if (ts.isIdentifier(expression)) {
    const binding = context.scopeOf(expression).find(expression.text)
    return binding ? bindingTexts(binding, context, depth + 1) : anything
  }
  if (ts.isPropertyAccessExpression(expression) || ts.isElementAccessExpression(expression)) {
    return memberTexts(expression, context, depth + 1)
  }
  return anything
}

/**
 * Concatenates possible strings. If a part is open, only prefixes and suffixes are known.
 */
function joined(first: Texts, second: Texts): Texts {
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

function bindingTexts(binding: Binding, context: Context, depth: number): Texts {
  if (binding.kind === 'opaque') {
    const given = givenTexts(binding, context, depth)
    return given ?? (binding.type && typeTexts(binding.type)) ?? anything
  }
  if (binding.kind === 'element') return elementTexts(binding.list, context, depth)
  if (binding.kind !== 'value') return anything
  if (binding.path.length === 0) return textsOf(binding.init, context, depth + 1)
  const object = literalOf(binding.init, context)
  const [name] = binding.path
  if (binding.path.length !== 1 || name === undefined || !object) return anything
  if (!ts.isObjectLiteralExpression(object)) return anything
  const value = property(object, name)
  return value ? textsOf(value, context, depth + 1) : anything
}

/** Returns the values of a parameter in the function call that is being followed. */
function givenTexts(
  { parameter }: Binding & { readonly kind: 'opaque' },
  context: Context,
  depth: number,
): Texts | undefined {
  const given = parameter && context.given.get(parameter.node)
  if (!given || !parameter || parameter.node.dotDotDotToken) return undefined
  const [one] = given
  if (parameter.path.length > 0) {
    const object = one && literalOf(one.node, one.context)
    const [name] = parameter.path
    if (!object || !ts.isObjectLiteralExpression(object) || name === undefined) return undefined
    const value = parameter.path.length === 1 ? property(object, name) : undefined
    return value && textsOf(value, one.context, depth + 1)
  }
  if (one) return textsOf(one.node, one.context, depth + 1)
  const { initializer } = parameter.node
  return initializer ? textsOf(initializer, context, depth + 1) : nothing
}

/** Returns the object or list literal of an expression, directly or through a constant. */
function literalOf(
  node: ts.Expression,
  context: Context,
): ts.ObjectLiteralExpression | ts.ArrayLiteralExpression | undefined {
  const expression = bare(node)
  if (ts.isObjectLiteralExpression(expression) || ts.isArrayLiteralExpression(expression)) {
    return expression
  }
  if (!ts.isIdentifier(expression)) return undefined
  const binding = context.scopeOf(expression).find(expression.text)
  if (binding?.kind !== 'value' || binding.path.length > 0) return undefined
  const init = bare(binding.init)
  return ts.isObjectLiteralExpression(init) || ts.isArrayLiteralExpression(init) ? init : undefined
}

function elementTexts(list: ts.Expression, context: Context, depth: number): Texts {
  const literal = literalOf(list, context)
  return literal && ts.isArrayLiteralExpression(literal)
    ? union(literal.elements.map((one) => textsOf(one, context, depth + 1)))
    : anything
}

/**
 * Returns the values of `labels.save`, `labels[x]` or `list[0]` for literals in the same
 * file.
 */
function memberTexts(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  context: Context,
  depth: number,
): Texts {
  const literal = literalOf(node.expression, context)
  if (!literal) return anything
  if (ts.isArrayLiteralExpression(literal)) return elementTexts(literal, context, depth)
  const names = ts.isPropertyAccessExpression(node)
    ? exactly(node.name.text)
    : textsOf(node.argumentExpression, context, depth + 1)
  if (!names.any && names.patterns.length === 0) {
    const values = [...names.exact].map((name) => property(literal, name))
    return union(values.map((one) => (one ? textsOf(one, context, depth + 1) : anything)))
  }
  const values = literal.properties.map((one) =>
    ts.isPropertyAssignment(one) ? textsOf(one.initializer, context, depth + 1) : anything,
  )
  return union(values)
}

/** Returns the values of a type such as `'A' | 'B'`; undefined for other types. */
function typeTexts(type: ts.TypeNode): Texts | undefined {
  if (ts.isParenthesizedTypeNode(type)) return typeTexts(type.type)
  if (ts.isUnionTypeNode(type)) {
    const all = type.types.map(typeTexts)
    return all.every((one) => one !== undefined) ? union(all) : undefined
  }
  return ts.isLiteralTypeNode(type) && ts.isStringLiteralLike(type.literal)
    ? exactly(type.literal.text)
    : undefined
}
