import { ts } from 'ts-morph'
import type { Reference } from './find-references.ts'
import { propertyName } from './scopes.ts'
import {
  exactly,
  type PossibleStrings,
  property,
  stringsOf,
  union,
  unwrap,
} from './possible-strings.ts'
import type { Context, Forward, Value } from './value.ts'
import { valueOf } from './evaluate.ts'
import { intlPackage, vuePackage } from './hooks.ts'

/**
 * Returns whether the callee is named like `t`: `t('KEY')`, `props.t('KEY')`,
 * `this.$t('KEY')`.
 */
export function isMaybeT(
  callee: ts.Expression,
  context: Context,
  value: Value | undefined,
): boolean {
  // A function of the application may use the key in a way that is not visible.
  if (value && value.kind !== 'function' && value.kind !== 'object') return false
  if (ts.isIdentifier(callee)) {
    if (callee.text === '$t' || callee.text === '$_') return true
    if (callee.text !== 't') return false
    const binding = context.scopeOf(callee).find('t')
    return binding === undefined || binding.kind !== 'import'
  }
  return (
    ts.isPropertyAccessExpression(callee) && (callee.name.text === 't' || callee.name.text === '$t')
  )
}

/** i18next options that change the selected translation or its rendering. */
const optionNames = new Set(
  'ns lng lngs defaultValue context ordinal returnObjects joinArrays keySeparator nsSeparator postProcess fallbackLng'.split(
    ' ',
  ),
)

/** Returns the usage of a call of `t`, or of a function that calls it. */
export function callReference(
  call: ts.CallExpression,
  value: Value | undefined,
  context: Context,
  forward?: Forward,
): Reference {
  const t = value?.kind === 't' || value?.kind === 'i18n' ? value : undefined
  const [first, ...rest] = call.arguments
  const options = rest.map(unwrap).find(ts.isObjectLiteralExpression)
  // All arguments of next-intl and vue-i18n are values.
  const hasOptions = t?.from !== intlPackage && t?.from !== vuePackage
  const i18nextOptions = hasOptions ? options : undefined
  const ns = i18nextOptions && property(i18nextOptions, 'ns')
  const contextOption = i18nextOptions && property(i18nextOptions, 'context')
  const keys = unwrap(first!)
  const list = ts.isArrayLiteralExpression(keys) ? keys.elements : [first!]
  const strings = forward
    ? stringsOf(forward.key.node, forward.key.context)
    : union(list.map((one) => stringsOf(one, context)))
  const named = options && argumentNames(options)
  const isOption = (name: string): boolean => hasOptions && optionNames.has(name)
  return {
    node: call,
    by: 'i18next',
    modules: ns ? [...stringsOf(ns, context).exact] : t?.modules,
    strings: withContext(strings, contextOption && stringsOf(contextOption, context)),
    prefix: t?.prefix ?? '',
    args: rest.length === 0 ? [] : named?.filter((name) => !isOption(name)),
    certain: t !== undefined,
    call,
    options: [
      ...(options?.properties.flatMap((one) => {
        const name = one.name && propertyName(one.name as ts.PropertyName)
        return name !== undefined && isOption(name) ? [name] : []
      }) ?? []),
      ...(rest.length > 0 && !options ? ['an argument that is not an object literal'] : []),
      ...(options && !named ? ['computed argument names'] : []),
      ...(list.length > 1 ? ['several keys'] : []),
    ],
    hookOf: t?.from,
    doubt: forward?.isSame === false ? 'the function around t does more than call it' : t?.doubt,
  }
}

/** Returns the text of `t('KEY', 'text')` or `t('KEY', { defaultValue: 'text' })`. */
export function defaultTextOf({ arguments: [, ...rest] }: ts.CallExpression): string | undefined {
  for (const one of rest.map(unwrap)) {
    const text = ts.isObjectLiteralExpression(one) ? property(one, 'defaultValue') : one
    if (text && ts.isStringLiteralLike(text)) return text.text
  }
  return undefined
}

/** With a context, i18next looks up `KEY_<context>` before `KEY`. */
function withContext(
  strings: PossibleStrings,
  context: PossibleStrings | undefined,
): PossibleStrings {
  if (!context) return strings
  const exact = new Set(strings.exact)
  for (const key of strings.exact) for (const one of context.exact) exact.add(`${key}_${one}`)
  const isOpen = context.any || context.patterns.length > 0
  const open = isOpen ? [...strings.exact].map((key) => ({ start: `${key}_`, end: '' })) : []
  return { ...strings, exact, patterns: [...strings.patterns, ...open] }
}

/** Returns the usage of `<Trans i18nKey="KEY" ns="auth">`. */
export function transReference(
  node: ts.JsxOpeningElement | ts.JsxSelfClosingElement,
  context: Context,
): Reference | undefined {
  const read = (name: string): ts.Expression | undefined => {
    for (const one of node.attributes.properties) {
      if (!ts.isJsxAttribute(one) || one.name.getText() !== name) continue
      const { initializer } = one
      if (initializer && ts.isStringLiteral(initializer)) return initializer
      if (initializer && ts.isJsxExpression(initializer)) return initializer.expression
    }
    return undefined
  }
  const key = read('i18nKey')
  if (!key) return undefined
  const [ns, t] = [read('ns'), read('t')]
  const value = t && valueOf(t, context)
  const modules = value?.kind === 't' ? value.modules : undefined
  return {
    node: key,
    by: 'i18next',
    modules: ns ? [...stringsOf(ns, context).exact] : modules,
    strings: stringsOf(key, context),
    prefix: value?.kind === 't' ? value.prefix : '',
    args: undefined,
    certain: true,
    call: undefined,
    options: [],
    hookOf: value?.kind === 't' ? value.from : undefined,
    doubt: value?.kind === 't' ? value.doubt : undefined,
  }
}

/** Returns whether a node is the attribute of `<i18n-t keypath="KEY">` in a component of Vue. */
export const isKeypath = (
  node: ts.Node,
): node is ts.BinaryExpression & { readonly right: ts.StringLiteral } =>
  ts.isBinaryExpression(node) &&
  ts.isIdentifier(node.left) &&
  node.left.text === 'i18nT' &&
  ts.isStringLiteral(node.right) &&
  ts.isParenthesizedExpression(node.parent) &&
  /\.vue\.\w+$/.test(node.getSourceFile().fileName)

/** Returns the usage of `<i18n-t keypath="KEY">`. */
export const keypathReference = (node: ts.StringLiteral): Reference => ({
  node,
  by: 'i18next',
  modules: undefined,
  strings: exactly(node.text),
  prefix: '',
  args: undefined,
  certain: true,
  call: undefined,
  options: [],
  hookOf: vuePackage,
  doubt: undefined,
})

/**
 * Returns the property names of an object literal; empty without an object, undefined if
 * a name is not literal.
 */
export function argumentNames(node: ts.Expression | undefined): readonly string[] | undefined {
  if (!node) return []
  const object = unwrap(node)
  if (!ts.isObjectLiteralExpression(object)) return undefined
  const names = object.properties.map((one) =>
    one.name ? propertyName(one.name as ts.PropertyName) : undefined,
  )
  return names.every((name) => name !== undefined) ? names : undefined
}
