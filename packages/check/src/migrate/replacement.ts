import {
  expectedArguments,
  type MessageModel,
  type Model,
  type ModuleModel,
  ordinalSuffix,
  tagsOf,
} from '@servicekit/catalog'
import { ts } from 'ts-morph'
import type { ResolvedReference } from '../usage/usage.ts'
import type { ArgumentTypes } from './argument-types.ts'
import { vuePackage } from '../usage/hooks.ts'
import { separatorOf } from '../usage/resolve.ts'
import { findChoice } from './choice.ts'
import type { Component } from './component.ts'
import { convertArguments, givenIn } from './conversions.ts'
import type { Edit } from '../edit/edits.ts'
import { namespaceDoubt, nearestMatch } from './namespaces.ts'
import { readTrans, type TransElement } from './trans.ts'
import { findReplacedElement, type ReplacedElement } from './translation-element.ts'
import { isVisiblyNumber, readVueArguments, textsOf, type VueArguments } from './vue-call.ts'
import { readVueOptions } from './vue-options.ts'

/**
 * Call or element that refers to exactly one message and can be replaced by a call of it.
 */
export interface Replacement {
  /** Call of `t`, or a `<Trans>` or `<i18n-t>` element. */
  readonly from: ts.CallExpression | TransElement | ReplacedElement
  readonly module: ModuleModel
  readonly message: MessageModel
  /** Options that the message already implies: `ns` and `ordinal`. */
  readonly impliedOptions: readonly ts.ObjectLiteralElementLike[]
  /** Edits that convert arguments to the types of their parameters. */
  readonly conversions: readonly Edit[]
  /** Package of the hook that returned `t`. */
  readonly hookOf: string | undefined
  /** Messages by the keys between which the call chooses: `t(isNew ? 'ADD' : 'EDIT')`. */
  readonly choices: readonly (Chosen & { readonly literal: ts.StringLiteralLike })[]
  /** Messages by all keys that a computed key may be: `t(month.label)`. */
  readonly lookup: ReadonlyMap<string, Chosen> | undefined
  /** Arguments of a call of vue-i18n. */
  readonly vue: VueArguments | undefined
  /** `true` if `t` is a parameter. */
  readonly isPassed: boolean
  /** `true` if only the methods of the component lead from its template to the message. */
  readonly isMethod: boolean
}

/** Message of a key. */
export type Chosen = Pick<Replacement, 'module' | 'message'>

type Syntax = Model['options']['syntax']

/** Details about the application beyond the call itself. */
export interface ProjectInfo {
  /**
   * Parsed component, or the reason why it cannot be read, if the file is a Vue or Svelte
   * component.
   */
  readonly component: Component | string | undefined
  /** Library whose `t` every `$t` of Vue components is. */
  readonly globalT: 'i18next' | typeof vuePackage | undefined
  readonly syntax: Syntax
  /** Returns the modules that contain a key. */
  readonly modulesWith: (key: string) => readonly ModuleModel[]
  readonly types: ArgumentTypes
}

/** Returns the proven replacement of a usage, or the reason why it cannot be replaced. */
export function findReplacement(
  found: ResolvedReference,
  projectInfo: ProjectInfo,
): Replacement | string {
  const { reference, messages } = found
  const { call, strings, args, options } = reference
  const { component } = projectInfo
  if (typeof component === 'string') return component
  const inTemplate = component ? isInTemplate(call, found, component) : false
  if (typeof inTemplate === 'string') return inTemplate
  const isGlobalT = projectInfo.globalT !== undefined && isDollarT(call?.expression, inTemplate)
  if (!reference.certain && !isGlobalT) return 'the origin of t is unknown'
  const isVue = reference.hookOf === vuePackage || (isGlobalT && projectInfo.globalT === vuePackage)
  if (isVue && component?.hasOwnMessages) return 'the component has messages of its own'
  if (reference.doubt !== undefined) return reference.doubt
  const isOrdinal = isOrdinalCall(call)
  const other = options.filter(
    (name) =>
      name !== 'ns' &&
      !(isOrdinal && name === 'ordinal') &&
      // `readVueArguments` decides about the arguments of vue-i18n.
      !(isVue && name.includes(' argument ')),
  )
  if (other.length > 0) return `it uses ${other.join(', ')}`
  if (strings.any || strings.patterns.length > 0) return 'the key is known only at run time'
  if (strings.exact.size !== 1) return findChoice(found, projectInfo, findReplacement)
  const [match] = messages
  if (!match) return 'the key does not exist'
  const [key] = strings.exact
  const isOpen =
    reference.modules === undefined &&
    !options.includes('ns') &&
    !key!.startsWith(match.module.name + separatorOf(projectInfo.syntax))
  const { module, message } = isOpen
    ? nearestMatch(match, found.path, projectInfo.modulesWith(match.message.key))
    : match
  const isNamespaced =
    key!.startsWith(module.name + separatorOf(projectInfo.syntax)) && key !== message.key
  const requestedKey = isNamespaced ? key!.slice(module.name.length + 1) : reference.prefix + key!
  if (isOrdinal !== message.ordinal) return 'cardinal and ordinal forms do not match'
  if (requestedKey + (isOrdinal ? ordinalSuffix : '') !== message.key) {
    return 'it uses one plural form by name'
  }
  if (!isNamespaced && !options.includes('ns')) {
    const doubt = namespaceDoubt(
      reference.modules,
      module.name,
      () => projectInfo.modulesWith(message.key),
      message.key,
    )
    if (doubt !== undefined) return doubt
  }
  const link = linkedIn(textsOf(module.source.translations, message), isVue, projectInfo.syntax)
  if (link !== undefined) return link
  const element =
    component && !call && isVue ? findReplacedElement(found, component, message) : undefined
  if (typeof element === 'string') return element
  const trans = call || element ? undefined : readTrans(found, module, message)
  if (typeof trans === 'string') return trans
  const isNumber = (node: ts.Expression): boolean =>
    isVisiblyNumber(node) ||
    projectInfo.types.isNumber(found.path, {
      start: node.getStart(found.read.source),
      end: node.getEnd(),
    })
  const vue =
    isVue && call
      ? readVueArguments(call, expectedArguments(message, ['count']), isNumber)
      : undefined
  if (typeof vue === 'string') return vue
  const given = element
    ? [...element.slots, ...(element.number ? [element.number.name] : [])]
    : trans
      ? trans.given
      : (vue?.names ?? args)
  if (!given) return 'its arguments are not an object literal'
  const expected = expectedArguments(message, given)
  const missing = expected.filter((name) => !given.includes(name))
  if (missing.length > 0) return `it omits the argument ${missing.join(', ')}`
  const more = given.filter((name) => !expected.includes(name))
  if (more.length > 0 && isRich(call) && tagsOf(message).size === 0) {
    return `the message has no tag ${more.join(', ')}, or the option markup: 'react' is missing`
  }
  if (more.length > 0) return `the message has no parameter ${more.join(', ')}`
  if (call && !vue && call.arguments.length > 2) return 'it has too many arguments'
  const impliedOptions = call ? optionsOf(call).filter(isImplied) : []
  const values = call ? optionsOf(call) : (trans?.values?.properties ?? [])
  const conversions = convertArguments(
    found,
    [
      ...givenIn(values.filter((one) => !impliedOptions.includes(one))),
      ...(vue?.list ?? []).flatMap((one) =>
        one.kind === 'value' ? [{ name: one.name, value: one.node, isShort: false }] : [],
      ),
    ],
    message,
    projectInfo.types,
  )
  if (typeof conversions === 'string') return conversions
  return {
    from: element ?? trans ?? call!,
    module,
    message,
    impliedOptions,
    conversions,
    hookOf: reference.hookOf,
    choices: [],
    lookup: undefined,
    vue,
    isPassed: isParameter(call?.expression, found),
    isMethod: inTemplate && component?.showsImports === false && component.scripts.length > 0,
  }
}

const isParameter = (
  callee: ts.Expression | undefined,
  { read: { scopeOf } }: ResolvedReference,
): boolean =>
  callee !== undefined &&
  ts.isIdentifier(callee) &&
  scopeOf(callee).find(callee.text)?.kind === 'opaque'

/** Returns whether a callee is the `$t` of a template, or that of a component: `this.$t`. */
const isDollarT = (callee: ts.Expression | undefined, inTemplate: boolean): boolean =>
  callee !== undefined &&
  (ts.isPropertyAccessExpression(callee)
    ? isNamed(callee.name, '$t')
    : inTemplate && isNamed(callee, '$t'))

/** Returns whether a call is `t.rich(…)` of next-intl. */
const isRich = (call: ts.CallExpression | undefined): boolean =>
  call !== undefined &&
  ts.isPropertyAccessExpression(call.expression) &&
  call.expression.name.text === 'rich'

const isNamed = (node: ts.Node, name: string): boolean =>
  ts.isIdentifier(node) && node.text === name

/**
 * Returns whether a call in a component belongs to its template. Returns a reason to keep
 * the call if it belongs to neither script nor template, or calls a name declared in the
 * template.
 */
function isInTemplate(
  call: ts.CallExpression | undefined,
  { reference, read: { source } }: ResolvedReference,
  component: Component,
): boolean | string {
  const { node } = reference
  const range = { start: node.getStart(source), end: node.getEnd() }
  if (component.scripts.some(({ start, end }) => start <= range.start && range.end <= end)) {
    return false
  }
  if (call && !component.isInTemplate(range)) return 'the template cannot use names of its script'
  if (call && !component.showsImports && !isDollarT(call.expression, true)) {
    return 'the template cannot use names of its script'
  }
  if (!component.showsImports && component.scripts.length > 0) {
    const options = readVueOptions(source)
    if (typeof options === 'string') return options
  }
  const [root] = !call ? [''] : call.expression.getText(source).split(/[.[?]/)
  return component.names.has(root!) ? 't is declared in the template' : true
}

/** Returns the reason why the library shows a text other than that of the message. */
function linkedIn(texts: readonly string[], isVue: boolean, syntax: Syntax): string | undefined {
  if (!isVue) {
    const isNested = texts.some((text) => text.includes('$t('))
    return isNested ? 'the translation nests other messages with $t(…)' : undefined
  }
  if (texts.some((text) => /@(?:\.\w+)?:\S/.test(text))) {
    return 'the translation links another message with @:'
  }
  const isRead = syntax === 'vue-i18n' || !texts.some((text) => /[|{}]/.test(text))
  return isRead ? undefined : "the translation needs the option syntax: 'vue-i18n'"
}

const optionsOf = (call: ts.CallExpression): readonly ts.ObjectLiteralElementLike[] => {
  const [, options] = call.arguments
  return options && ts.isObjectLiteralExpression(options) ? options.properties : []
}

const isImplied = ({ name }: ts.ObjectLiteralElementLike): boolean =>
  name !== undefined && ts.isIdentifier(name) && /^(?:ns|ordinal)$/.test(name.text)

/** Returns whether a call sets the `ordinal` option to the literal `true`. */
const isOrdinalCall = (call: ts.CallExpression | undefined): boolean =>
  call !== undefined &&
  optionsOf(call).some(
    (one) =>
      ts.isPropertyAssignment(one) &&
      isNamed(one.name, 'ordinal') &&
      one.initializer.kind === ts.SyntaxKind.TrueKeyword,
  )
