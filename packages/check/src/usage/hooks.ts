import { ts } from 'ts-morph'
import { type Binding, propertyName } from './scopes.ts'
import { unwrap, property, stringsOf, union } from './possible-strings.ts'
import type { Argument, Context, FunctionValue, Value } from './value.ts'

/** i18next instance without known modules. */
export const i18n: Value = { kind: 'i18n', modules: undefined, prefix: '' }

const hooks = /^(?:useTranslation|useI18n|useI18next|getTranslation|getT|useT)$/
const intlHooks = /^(?:useTranslations|getTranslations)$/
const factories = /^(?:createI18n|createI18nStore|createInstance)$/

/**
 * Returns the value of a package function that returns `t`, an object containing it, or
 * an i18next instance.
 */
export function packageFunction(name: string, from: string, isExternal?: true): Value | undefined {
  const isIntl = /^(?:next|use)-intl(?:\/|$)/.test(from) && intlHooks.test(name)
  const call = (given: readonly Argument[], depth: number): Value | undefined => {
    if (isIntl) {
      const t: Value = { kind: 't', ...intlNamespaceOf(given, depth), from: intlPackage }
      return name === 'getTranslations' ? { kind: 'promise', of: t } : t
    }
    const isVue = isVuePackage(from)
    if (factories.test(name)) return isVue ? { ...vueI18n } : i18n
    const value: Value = {
      kind: 'i18n',
      ...(isVue ? vueScopeOf(given) : namespacesOf(given, depth)),
      from: isVue ? vuePackage : from,
      ...(isExternal ? { isExternal } : {}),
    }
    return /^(?:getTranslation|getT)$/.test(name) ? { kind: 'promise', of: value } : value
  }
  return isIntl || hooks.test(name) || factories.test(name)
    ? { kind: 'function', node: undefined, call, isPlain: () => true, forward: () => undefined }
    : undefined
}

/** Package of a `t` of vue-i18n, which has no namespaces. */
export const vuePackage = 'vue-i18n'
const isVuePackage = (specifier: string): boolean => /^(?:petite-)?vue-i18n(?:\/|$)/.test(specifier)
const vueI18n = { kind: 'i18n', modules: undefined, prefix: '', from: vuePackage } as const

/** Reads `useI18n({ messages })`. */
function vueScopeOf([first]: readonly Argument[]) {
  const options = first && unwrap(first.node)
  const isGlobal = !first || (isObject(options) && !property(options, 'messages'))
  return {
    modules: undefined,
    prefix: '',
    ...(isGlobal ? {} : { doubt: 't may have messages of its own' }),
  }
}

/** Returns a hook whose code is not available, by its exported name. */
export function externalHook(callee: ts.Expression, context: Context): FunctionValue | undefined {
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee
  if (!ts.isIdentifier(name)) return undefined
  const binding = name === callee ? context.scopeOf(name).find(name.text) : undefined
  const exported = binding?.kind === 'import' ? binding.name : undefined
  const isHook = [name.text, exported].some((one) => one !== undefined && context.isHook(one))
  const specifier = binding?.kind === 'import' ? binding.specifier : ''
  const known = isHook ? 'useTranslation' : exported === 'default' ? name.text : exported
  const value = known === undefined ? undefined : packageFunction(known, specifier, true)
  return value?.kind === 'function' ? value : undefined
}

/** For a `t` with a fixed language, independent of the current one. */
export const fixed = { doubt: 't has a fixed language' }

function namespacesOf([first, second]: readonly Argument[], depth: number) {
  const options = [second, first].map((one) => one && unwrap(one.node)).find(isObject)
  const prefix = options && property(options, 'keyPrefix')
  const isNamed = first !== undefined && !ts.isObjectLiteralExpression(first.node)
  return {
    modules: isNamed ? listOf(first, depth) : undefined,
    prefix: prefix && ts.isStringLiteralLike(prefix) ? `${prefix.text}.` : '',
    ...(options && property(options, 'lng') ? fixed : {}),
  }
}

/** Package of a `t` of next-intl or use-intl, whose arguments include no options. */
export const intlPackage = 'next-intl'

/** Reads `useTranslations('cart.form')` or `getTranslations({ namespace: 'cart', locale })`. */
function intlNamespaceOf([first]: readonly Argument[], depth: number) {
  const options = first && unwrap(first.node)
  const isOptions = isObject(options)
  const node = isOptions ? property(options, 'namespace') : first?.node
  const names = node && first ? listOf({ ...first, node }, depth) : undefined
  const [module, ...path] = names?.length === 1 ? names[0]!.split('.') : []
  return {
    modules: module === undefined ? undefined : [module],
    prefix: path.map((part) => `${part}.`).join(''),
    ...(isOptions && property(options, 'locale') ? fixed : {}),
  }
}

const isObject = (node: ts.Node | undefined): node is ts.ObjectLiteralExpression =>
  node !== undefined && ts.isObjectLiteralExpression(node)

/**
 * Returns the strings in a list, or a single string; undefined if they are only known at
 * run time.
 */
export function listOf({ node, context }: Argument, depth: number): readonly string[] | undefined {
  const expression = unwrap(node)
  const all = ts.isArrayLiteralExpression(expression) ? expression.elements : [expression]
  const strings = union(all.map((one) => stringsOf(one, context, depth + 1)))
  return strings.any || strings.exact.size === 0 ? undefined : [...strings.exact]
}

/** Returns the value of a parameter or variable of i18next's type `TFunction`. */
export function typedT({
  type,
  parameter,
}: Binding & { readonly kind: 'opaque' }): Value | undefined {
  const [name, ...more] = parameter?.path ?? []
  const whole = parameter?.node.type
  const member =
    name !== undefined && more.length === 0 && whole && ts.isTypeLiteralNode(whole)
      ? whole.members.find((one) => one.name && propertyName(one.name) === name)
      : undefined
  const own = member && ts.isPropertySignature(member) ? member.type : type
  if (!own || !ts.isTypeReferenceNode(own) || !ts.isIdentifier(own.typeName)) return undefined
  if (own.typeName.text !== 'TFunction') return undefined
  const doubt = 't is a parameter and may have a fixed language'
  return { kind: 't', modules: undefined, prefix: '', doubt }
}
