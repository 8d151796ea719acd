import { ts } from 'ts-morph'
import {
  argumentsOf,
  callsOf,
  functionOfParameter,
  type FunctionNode,
  givenTo,
  isAsync,
  isPassedOn,
  memoized,
  returnsOf,
} from './functions.ts'
import { externalHook, fixed, intlPackage, listOf, typedT } from './hooks.ts'
import { type Binding, propertyName } from './scopes.ts'
import { unwrap, maxDepth, stringsOf } from './possible-strings.ts'
import type { Argument, Context, Forward, FunctionValue, Value } from './value.ts'

/** Any `t` does for a function that nothing calls. */
const uncalledT: Value = { kind: 't', modules: undefined, prefix: '', isUncalled: true }

/** Returns whether a name is the parameter `t` of a function that nothing calls. */
function isOfUnused(
  { parameter }: Binding & { readonly kind: 'opaque' },
  context: Context,
): boolean {
  if (!parameter || parameter.path.length > 0 || parameter.node.name.getText() !== 't') return false
  const { parent: owner } = parameter.node
  // Others may be called by a framework, or as a callback.
  const name = ts.isFunctionDeclaration(owner)
    ? owner.name
    : ts.isVariableDeclaration(owner.parent)
      ? owner.parent.name
      : undefined
  return name !== undefined && ts.isIdentifier(name) && context.isUnused(name.text)
}

export function valueOf(node: ts.Expression, context: Context, depth = 0): Value | undefined {
  if (depth > maxDepth) return undefined
  const expression = unwrap(node)
  if (ts.isIdentifier(expression)) {
    const scope = context.scopeOf(expression)
    // In Svelte, `$store` is the value of the store.
    const binding =
      scope.find(expression.text) ??
      (expression.text.startsWith('$') ? scope.find(expression.text.slice(1)) : undefined)
    if (binding?.kind === 'opaque') {
      const passed = binding.parameter && context.passedTo(binding.parameter)
      return passed ?? typedT(binding) ?? (isOfUnused(binding, context) ? uncalledT : undefined)
    }
    return binding && bindingValue(binding, context, depth + 1)
  }
  if (ts.isAwaitExpression(expression)) {
    const value = valueOf(expression.expression, context, depth + 1)
    return value?.kind === 'promise' ? value.of : value
  }
  if (ts.isPropertyAccessExpression(expression)) {
    const value = valueOf(expression.expression, context, depth + 1)
    return value && memberOf(value, expression.name.text, context)
  }
  if (ts.isElementAccessExpression(expression)) {
    const value = valueOf(expression.expression, context, depth + 1)
    const strings = value && stringsOf(expression.argumentExpression, context, depth + 1)
    return strings && !strings.any && strings.exact.size === 1
      ? memberOf(value!, [...strings.exact][0]!, context)
      : undefined
  }
  if (ts.isCallExpression(expression)) return callValue(expression, context, depth + 1)
  if (ts.isArrowFunction(expression) || ts.isFunctionExpression(expression)) {
    return functionValue(expression, context)
  }
  if (ts.isObjectLiteralExpression(expression)) {
    return { kind: 'object', member: (name) => propertyValue(expression, name, context, depth + 1) }
  }
  if (ts.isArrayLiteralExpression(expression)) {
    const elementOf = (index: number) => expression.elements[index]
    return {
      kind: 'object',
      member: (name) => {
        const element = elementOf(Number(name))
        return element && valueOf(element, context, depth + 1)
      },
    }
  }
  if (ts.isConditionalExpression(expression)) {
    const all = [expression.whenTrue, expression.whenFalse].map((one) =>
      valueOf(one, context, depth + 1),
    )
    // Messages are recorded where they are written, so they are not needed here.
    return all.find((one) => one?.kind === 'i18n' || one?.kind === 't' || one?.kind === 'function')
  }
  if (ts.isBinaryExpression(expression)) {
    const { kind } = expression.operatorToken
    const isEither =
      kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken
    return isEither ? valueOf(expression.left, context, depth + 1) : undefined
  }
  return undefined
}

function bindingValue(binding: Binding, context: Context, depth: number): Value | undefined {
  if (binding.kind === 'opaque' || binding.kind === 'element') return undefined
  if (binding.kind === 'function') return functionValue(binding.node, context)
  const known = context.known.get(binding)
  if (known) return known.value
  // A circular definition has no value.
  context.known.set(binding, { value: undefined })
  const value = readBinding(binding, context, depth)
  context.known.set(binding, { value })
  return value
}

function readBinding(
  binding: Binding & { readonly kind: 'import' | 'value' },
  context: Context,
  depth: number,
): Value | undefined {
  if (depth > maxDepth) return undefined
  if (binding.kind === 'import') return context.imported(binding.specifier, binding.name)
  let value = valueOf(binding.init, context, depth + 1)
  if (binding.awaited && value?.kind === 'promise') value = value.of
  for (const name of binding.path) {
    if (!value) return undefined
    // react-i18next also returns `[t, i18n]`.
    if (value.kind === 'i18n' && (name === '0' || name === '1')) {
      value = name === '0' ? { ...value, kind: 't' } : { ...value, kind: 'i18n' }
    } else value = name === undefined ? value : memberOf(value, name, context)
  }
  return value
}

export function memberOf(value: Value, name: string, context: Context): Value | undefined {
  switch (value.kind) {
    case 'module':
      return { kind: 'message', module: value.module, name }
    case 'file':
      return context.member(value.file, name)
    case 'object':
      return value.member(name)
    case 'i18n':
      if (name === 't' || name === '$t') return { ...value, kind: 't' }
      return name === 'i18n' || name === 'global' || name === 'getFixedT' ? value : undefined
    case 't':
      return name === 'rich' && value.from === intlPackage ? value : undefined
    default:
      return undefined
  }
}

/** Returns the value of a property of an object literal. */
function propertyValue(
  object: ts.ObjectLiteralExpression,
  name: string,
  context: Context,
  depth: number,
): Value | undefined {
  // The last property of a name wins.
  for (const one of [...object.properties].reverse()) {
    if (ts.isSpreadAssignment(one)) {
      const value = valueOf(one.expression, context, depth)
      const found = value && memberOf(value, name, context)
      if (found) return found
    } else if (propertyName(one.name) === name) {
      if (ts.isPropertyAssignment(one)) return valueOf(one.initializer, context, depth)
      if (ts.isShorthandPropertyAssignment(one)) return valueOf(one.name, context, depth)
      return ts.isMethodDeclaration(one) ? functionValue(one, context) : undefined
    }
  }
  return undefined
}

/**
 * Returns the value of a function of the application. Its results are read at each call.
 */
export function functionValue(node: FunctionNode, context: Context): FunctionValue {
  const within = (given: readonly Argument[]): Context => ({
    ...context,
    known: new WeakMap(),
    given: new Map([...context.given, ...givenTo(node, given)]),
  })
  const read = (inner: Context, depth: number): Value | undefined => {
    for (const one of returnsOf(node)) {
      const value = valueOf(one, inner, depth)
      if (value) return isAsync(node) ? { kind: 'promise', of: value } : value
    }
    return undefined
  }
  return {
    kind: 'function',
    node,
    call(given, depth) {
      // Most functions return nothing relevant, whatever their arguments.
      let known = context.functions.get(node)
      if (!known) {
        // A recursive call has no value.
        context.functions.set(node, { value: undefined })
        known = { value: read(within([]), depth + 1) }
        context.functions.set(node, known)
      }
      const isFixed = node.parameters.length === 0 && context.given.size === 0
      return isFixed || !known.value ? known.value : read(within(given), depth + 1)
    },
    isPlain: (depth) =>
      depth < maxDepth &&
      callsOf(node)?.every((call) => {
        if (memoized(call)) return true
        const callee = valueOf(call.expression, context, depth + 1)
        return callee?.kind === 'function' && callee.isPlain(depth + 1)
      }) === true,
    forward(given, depth) {
      const returns = returnsOf(node)
      for (const one of returns) {
        const found = forwardOf(one, within(given), depth + 1)
        if (!found) continue
        // Other keys are recorded where they are written.
        if (functionOfParameter(found.call.arguments[0], context) !== node) continue
        return { ...found, isSame: found.isSame && isPassedOn(node, found.call, returns) }
      }
      return undefined
    },
  }
}

/** Returns the call of `t` whose result an expression is. */
function forwardOf(node: ts.Expression, context: Context, depth: number): Forward | undefined {
  if (depth > maxDepth) return undefined
  const expression = unwrap(node)
  if (ts.isIdentifier(expression)) {
    const binding = context.scopeOf(expression).find(expression.text)
    const isPlain = binding?.kind === 'value' && binding.path.length === 0 && !binding.awaited
    const found = isPlain ? forwardOf(binding.init, context, depth + 1) : undefined
    return found && { ...found, isSame: false }
  }
  if (ts.isBinaryExpression(expression) || ts.isConditionalExpression(expression)) {
    const parts = ts.isBinaryExpression(expression)
      ? [expression.left]
      : [expression.whenTrue, expression.whenFalse]
    for (const part of parts) {
      const found = forwardOf(part, context, depth + 1)
      if (found) return { ...found, isSame: false }
    }
    return undefined
  }
  if (!ts.isCallExpression(expression)) return undefined
  const t = valueOf(expression.expression, context, depth + 1)
  const given = argumentsOf(expression, context)
  if (t?.kind === 'function') {
    const inner = t.forward(given, depth + 1)
    return inner && { ...inner, call: expression, isSame: inner.isSame }
  }
  const [first] = expression.arguments
  if (t?.kind !== 't' || !first) return undefined
  return { call: expression, t, key: given[0] ?? { node: first, context }, isSame: true }
}

function callValue(call: ts.CallExpression, context: Context, depth: number): Value | undefined {
  const callee = unwrap(call.expression)
  const [first] = call.arguments
  const isImport = callee.kind === ts.SyntaxKind.ImportKeyword
  const isRequire = ts.isIdentifier(callee) && callee.text === 'require'
  if ((isImport || isRequire) && first && ts.isStringLiteralLike(first)) {
    const value = context.imported(first.text, '*')
    return value && isImport ? { kind: 'promise', of: value } : value
  }
  const kept = memoized(call)
  if (kept) {
    const value = valueOf(kept.node, context, depth + 1)
    if (!kept.isCalled) return value
    return value?.kind === 'function' ? value.call([], depth + 1) : undefined
  }
  const own = valueOf(callee, context, depth + 1)
  const given = argumentsOf(call, context)
  const result = own?.kind === 'function' ? own.call(given, depth + 1) : undefined
  if (result) return result
  const unread = externalHook(callee, context)
  if (unread) return unread.call(given, depth + 1)
  if (!ts.isPropertyAccessExpression(callee)) return undefined
  const value = valueOf(callee.expression, context, depth + 1)
  if (callee.name.text === 'bind') return call.arguments.length === 1 ? value : undefined
  if (value?.kind !== 'i18n') return undefined
  if (/^(?:use|createInstance|cloneInstance)$/.test(callee.name.text)) return value
  if (callee.name.text !== 'getFixedT') return undefined
  const [language, modules, prefix] = given
  return {
    kind: 't',
    modules: modules ? listOf(modules, depth) : value.modules,
    prefix: prefix && ts.isStringLiteralLike(prefix.node) ? `${prefix.node.text}.` : '',
    ...(language && language.node.kind !== ts.SyntaxKind.NullKeyword ? fixed : {}),
  }
}
