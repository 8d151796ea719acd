import { ts } from 'ts-morph'
import type { Binding, Scope } from './scopes.ts'
import { bare, deepest, property, textsOf, union } from './texts.ts'

/** What an expression stands for, as far as usage is concerned. */
export type Value =
  /** A key module: `* as auth`. */
  | { readonly kind: 'module'; readonly module: string }
  | { readonly kind: 'message'; readonly module: string; readonly name: string }
  /** All exports of another file of the application. */
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'promise'; readonly of: Value }
  /** i18next, or what its hooks answer: an object with `t`. */
  | {
      readonly kind: 'i18n'
      readonly modules: readonly string[] | undefined
      readonly prefix: string
    }
  | { readonly kind: 't'; readonly modules: readonly string[] | undefined; readonly prefix: string }

/** What a file is looked at with. */
export interface Context {
  /** Value of an import of a specifier's export; `*` is all of it. */
  readonly imported: (specifier: string, name: string) => Value | undefined
  /** Value of an export of another file. */
  readonly member: (file: string, name: string) => Value | undefined
  readonly scopeOf: (node: ts.Node) => Scope
  /** Values that were read already: most names are asked for again and again. */
  readonly known: WeakMap<Binding, { readonly value: Value | undefined }>
}

/** An instance that says nothing of modules. */
export const i18n: Value = { kind: 'i18n', modules: undefined, prefix: '' }

export function valueOf(node: ts.Expression, context: Context, depth = 0): Value | undefined {
  if (depth > deepest) return undefined
  const expression = bare(node)
  if (ts.isIdentifier(expression)) {
    const scope = context.scopeOf(expression)
    // Svelte's `$store` is what the store holds.
    const binding =
      scope.find(expression.text) ??
      (expression.text.startsWith('$') ? scope.find(expression.text.slice(1)) : undefined)
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
    const texts = value && textsOf(expression.argumentExpression, context, depth + 1)
    return texts && !texts.any && texts.exact.size === 1
      ? memberOf(value!, [...texts.exact][0]!, context)
      : undefined
  }
  if (ts.isCallExpression(expression)) return callValue(expression, context, depth + 1)
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
  const known = context.known.get(binding)
  if (known) return known.value
  // What refers to itself is nothing.
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
  if (depth > deepest) return undefined
  if (binding.kind === 'import') return context.imported(binding.specifier, binding.name)
  let value = valueOf(binding.init, context, depth + 1)
  if (binding.awaited && value?.kind === 'promise') value = value.of
  for (const name of binding.path) {
    if (!value) return undefined
    // react-i18next also answers `[t, i18n]`.
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
    case 'i18n':
      if (name === 't' || name === '$t') return { ...value, kind: 't' }
      return name === 'i18n' || name === 'global' || name === 'getFixedT' ? value : undefined
    default:
      return undefined
  }
}

const hooks = /^(?:useTranslation|useI18n|useI18next|getTranslation|getT|useT)$/

function callValue(call: ts.CallExpression, context: Context, depth: number): Value | undefined {
  const callee = bare(call.expression)
  const [first] = call.arguments
  const isImport = callee.kind === ts.SyntaxKind.ImportKeyword
  const isRequire = ts.isIdentifier(callee) && callee.text === 'require'
  if ((isImport || isRequire) && first && ts.isStringLiteralLike(first)) {
    const value = context.imported(first.text, '*')
    return value && isImport ? { kind: 'promise', of: value } : value
  }
  if (ts.isIdentifier(callee) && hooks.test(callee.text)) {
    const binding = context.scopeOf(callee).find(callee.text)
    if (binding?.kind !== 'import') return undefined
    const value: Value = { kind: 'i18n', ...namespaceArguments(call, context, depth) }
    return /^(?:getTranslation|getT)$/.test(callee.text) ? { kind: 'promise', of: value } : value
  }
  if (
    ts.isIdentifier(callee) &&
    /^(?:createI18n|createI18nStore|createInstance)$/.test(callee.text)
  ) {
    return context.scopeOf(callee).find(callee.text)?.kind === 'import' ? i18n : undefined
  }
  if (
    ts.isPropertyAccessExpression(callee) &&
    /^(?:use|createInstance|cloneInstance)$/.test(callee.name.text)
  ) {
    const value = valueOf(callee.expression, context, depth + 1)
    return value?.kind === 'i18n' ? value : undefined
  }
  if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'getFixedT') {
    const value = valueOf(callee.expression, context, depth + 1)
    if (value?.kind !== 'i18n') return undefined
    const [, modules, prefix] = call.arguments
    return {
      kind: 't',
      modules: modules ? listOf(modules, context, depth) : value.modules,
      prefix: prefix && ts.isStringLiteralLike(prefix) ? `${prefix.text}.` : '',
    }
  }
  return undefined
}

function namespaceArguments(call: ts.CallExpression, context: Context, depth: number) {
  const [first, second] = call.arguments
  const options = [second, first].find((one) => one && ts.isObjectLiteralExpression(one))
  const prefix = options && property(options as ts.ObjectLiteralExpression, 'keyPrefix')
  const isNamed = first !== undefined && !ts.isObjectLiteralExpression(first)
  return {
    modules: isNamed ? listOf(first, context, depth) : undefined,
    prefix: prefix && ts.isStringLiteralLike(prefix) ? `${prefix.text}.` : '',
  }
}

/** The names of a list or a single one; undefined for those known at run time alone. */
function listOf(
  node: ts.Expression,
  context: Context,
  depth: number,
): readonly string[] | undefined {
  const expression = bare(node)
  const all = ts.isArrayLiteralExpression(expression) ? expression.elements : [expression]
  const texts = union(all.map((one) => textsOf(one, context, depth + 1)))
  return texts.any || texts.exact.size === 0 ? undefined : [...texts.exact]
}
