import { ts } from 'ts-morph'
import { type Binding, propertyName } from './scopes.ts'
import type { Argument, Context } from './value.ts'

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

/** Methods of strings that are followed. */
const changes: Readonly<Record<string, ((text: string) => string) | undefined>> = {
  toLowerCase: (text) => text.toLowerCase(),
  toUpperCase: (text) => text.toUpperCase(),
  trim: (text) => text.trim(),
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
  if (ts.isCallExpression(expression) && expression.arguments.length === 0) {
    const { expression: callee } = expression
    const change = ts.isPropertyAccessExpression(callee) ? changes[callee.name.text] : undefined
    const before = change && next((callee as ts.PropertyAccessExpression).expression)
    if (!change || !before || before.any || before.patterns.length > 0) return anyString
    return exactly(...[...before.exact].map(change))
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
    return (
      given ?? (binding.type && typeStrings(binding.type)) ?? passedStrings(binding, context, depth)
    )
  }
  const values = bindingValues(binding, context, depth)
  return values ? stringsOfAll(values, depth) : anyString
}

/** Returns the values that all calls of a function pass for a parameter. */
function passedStrings(
  { parameter }: Binding & { readonly kind: 'opaque' },
  context: Context,
  depth: number,
): PossibleStrings {
  const given = parameter && !parameter.node.dotDotDotToken && context.argumentsOf(parameter)
  if (!given) return anyString
  const initial = defaultOf(parameter)
  return union([
    stringsOfAll(given, depth),
    initial ? stringsOf(initial, context, depth + 1) : noString,
  ])
}

/** Returns the default value of a parameter, or of a property that it destructures. */
function defaultOf({
  node,
  path: [name],
}: NonNullable<(Binding & { readonly kind: 'opaque' })['parameter']>): ts.Expression | undefined {
  if (name === undefined) return node.initializer
  const element = ts.isObjectBindingPattern(node.name)
    ? node.name.elements.find((one) => propertyName(one.propertyName ?? one.name) === name)
    : undefined
  return element?.initializer
}

const stringsOfAll = (values: readonly Argument[], depth: number): PossibleStrings =>
  union(values.map((one) => stringsOf(one.node, one.context, depth + 1)))

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
  const [value, ...more] = valuesOf(node, context, 0) ?? []
  return value && more.length === 0 && isLiteral(value.node) ? value.node : undefined
}

type Literal = ts.ObjectLiteralExpression | ts.ArrayLiteralExpression

const isLiteral = (node: ts.Node): node is Literal =>
  ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node)

/**
 * Returns all expressions whose value an expression may have, through constants, members of
 * literals and elements of lists; undefined if some are unknown. Others are returned as they are.
 */
function valuesOf(
  node: ts.Expression,
  context: Context,
  depth: number,
): readonly Argument[] | undefined {
  if (depth > maxDepth) return undefined
  const expression = unwrap(node)
  if (ts.isConditionalExpression(expression)) {
    return merged(
      [expression.whenTrue, expression.whenFalse].map((one) => valuesOf(one, context, depth + 1)),
    )
  }
  if (ts.isIdentifier(expression)) {
    const binding = context.scopeOf(expression).find(expression.text)
    if (!binding || context.isMutated(expression.text)) return undefined
    if (binding.kind !== 'opaque') return bindingValues(binding, context, depth + 1)
    const given = binding.parameter && context.argumentsOf(binding.parameter)
    return given && merged(given.map((one) => valuesOf(one.node, one.context, depth + 1)))
  }
  if (ts.isPropertyAccessExpression(expression)) {
    const objects = valuesOf(expression.expression, context, depth + 1)
    return objects && membersOf(objects, expression.name.text, depth + 1)
  }
  if (ts.isElementAccessExpression(expression)) {
    const objects = valuesOf(expression.expression, context, depth + 1)
    return objects && itemsOf(objects, depth + 1)
  }
  if (ts.isCallExpression(expression) && ts.isPropertyAccessExpression(expression.expression)) {
    const { name, expression: list } = expression.expression
    if (/^(?:filter|slice|toSorted|toReversed)$/.test(name.text)) {
      return valuesOf(list, context, depth + 1)
    }
  }
  return [{ node: expression, context }]
}

/** Returns the possible values of a name that is not a parameter. */
function bindingValues(
  binding: Exclude<Binding, { readonly kind: 'opaque' }>,
  context: Context,
  depth: number,
): readonly Argument[] | undefined {
  if (binding.kind === 'function' || (binding.kind === 'value' && binding.awaited)) return undefined
  if (binding.kind === 'import') {
    const constant = context.constant(binding.specifier, binding.name)
    if (!constant || context.isMutated(binding.name)) return undefined
    return valuesOf(constant.node, constant.context, depth + 1)
  }
  const source = binding.kind === 'element' ? binding.list : binding.init
  const whole = valuesOf(source, context, depth + 1)
  const values = binding.kind === 'element' ? whole && itemsOf(whole, depth + 1) : whole
  return binding.path.reduce<readonly Argument[] | undefined>(
    (all, name) => (name === undefined ? undefined : all && membersOf(all, name, depth + 1)),
    values,
  )
}

/** Returns the possible values of a member of literals. */
const membersOf = (
  objects: readonly Argument[],
  name: string,
  depth: number,
): readonly Argument[] | undefined =>
  merged(
    objects.map(({ node, context }) => {
      if (ts.isArrayLiteralExpression(node)) {
        const element = node.elements[Number(name)]
        return element && !node.elements.some(ts.isSpreadElement)
          ? valuesOf(element, context, depth + 1)
          : undefined
      }
      if (!ts.isObjectLiteralExpression(node)) return undefined
      const value = property(node, name)
      const last = node.properties.findLast(ts.isSpreadAssignment)
      return value && (!last || last.pos < value.pos)
        ? valuesOf(value, context, depth + 1)
        : undefined
    }),
  )

/** Returns the possible values of the elements of lists, or of the properties of objects. */
const itemsOf = (lists: readonly Argument[], depth: number): readonly Argument[] | undefined =>
  merged(
    lists.flatMap(({ node, context }) => {
      if (!isLiteral(node)) return [undefined]
      const items = ts.isArrayLiteralExpression(node) ? node.elements : node.properties
      return items.map((one: ts.Node) => {
        const value = ts.isPropertyAssignment(one) ? one.initializer : one
        if (ts.isSpreadElement(value)) {
          const inner = valuesOf(value.expression, context, depth + 1)
          return inner && itemsOf(inner, depth + 1)
        }
        return ts.isExpression(value) ? valuesOf(value, context, depth + 1) : undefined
      })
    }),
  )

const merged = (
  all: readonly (readonly Argument[] | undefined)[],
): readonly Argument[] | undefined =>
  all.every((one) => one !== undefined) ? all.flat() : undefined

/** Returns the values of `labels.save`, `labels[x]` or `list[0]` for literals. */
function memberStrings(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  context: Context,
  depth: number,
): PossibleStrings {
  const objects = valuesOf(node.expression, context, depth + 1)
  if (!objects) return anyString
  const names = ts.isPropertyAccessExpression(node)
    ? exactly(node.name.text)
    : stringsOf(node.argumentExpression, context, depth + 1)
  const isOpen = names.any || names.patterns.length > 0
  const values = merged(
    objects.map((one) =>
      isOpen || ts.isArrayLiteralExpression(one.node)
        ? itemsOf([one], depth + 1)
        : merged([...names.exact].map((name) => membersOf([one], name, depth + 1))),
    ),
  )
  return values ? stringsOfAll(values, depth) : anyString
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
