import {
  expectedArguments,
  type MessageModel,
  type ModuleModel,
  ordinalSuffix,
  tagsOf,
} from '@servicekit/catalog'
import { ts } from 'ts-morph'
import type { ResolvedReference } from '../usage/usage.ts'
import type { ArgumentTypes } from './argument-types.ts'
import type { Component } from './component.ts'
import { convertArguments } from './conversions.ts'
import type { Edit } from './edits.ts'
import { readTrans, type TransElement } from './trans.ts'

/**
 * Call or element that refers to exactly one message and can be replaced by a call of it.
 */
export interface Replacement {
  /** Call of `t`, or a `<Trans>` element. */
  readonly from: ts.CallExpression | TransElement
  readonly module: ModuleModel
  readonly message: MessageModel
  /** Options that the message already implies: `ns` and `ordinal`. */
  readonly impliedOptions: readonly ts.ObjectLiteralElementLike[]
  /** Edits that convert arguments to the types of their parameters. */
  readonly conversions: readonly Edit[]
  /** Package of the hook that returned `t`. */
  readonly hookOf: string | undefined
}

/** Details about the application beyond the call itself. */
export interface ProjectInfo {
  /**
   * Parsed component, or the reason why it cannot be read, if the file is a Vue or Svelte
   * component.
   */
  readonly component: Component | string | undefined
  /** `true` if `$t` in Vue templates is that of i18next. */
  readonly hasGlobalT: boolean
  /** Returns the names of the modules that contain a key. */
  readonly modulesWith: (key: string) => readonly string[]
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
  const inTemplate = component && call ? isInTemplate(call, found, component) : false
  if (typeof inTemplate === 'string') return inTemplate
  const isGlobalT = inTemplate && projectInfo.hasGlobalT && isNamed(call!.expression, '$t')
  if (!reference.certain && !isGlobalT) return 'the origin of t is unknown'
  if (reference.doubt !== undefined) return reference.doubt
  const isOrdinal = isOrdinalCall(call)
  const other = options.filter((name) => name !== 'ns' && !(isOrdinal && name === 'ordinal'))
  if (other.length > 0) return `it uses ${other.join(', ')}`
  if (strings.any || strings.patterns.length > 0) return 'the key is known only at run time'
  if (strings.exact.size !== 1) return 'it may use one of several keys'
  const [match] = messages
  if (!match) return 'the key does not exist'
  const { module, message } = match
  const [key] = strings.exact
  const isNamespaced = key!.startsWith(`${module.name}:`)
  const requestedKey = isNamespaced ? key!.slice(module.name.length + 1) : reference.prefix + key!
  if (isOrdinal !== message.ordinal) return 'cardinal and ordinal forms do not match'
  if (requestedKey + (isOrdinal ? ordinalSuffix : '') !== message.key) {
    return 'it uses one plural form by name'
  }
  if (!isNamespaced && !options.includes('ns')) {
    const doubt = namespaceDoubt(reference.modules, module.name, () =>
      projectInfo.modulesWith(message.key),
    )
    if (doubt !== undefined) return doubt
  }
  if (nestsOthers(module, message)) return 'the translation nests other messages with $t(…)'
  const trans = call ? undefined : readTrans(found, module, message)
  if (typeof trans === 'string') return trans
  const given = trans ? trans.given : args
  if (!given) return 'its arguments are not an object literal'
  const expected = expectedArguments(message, given)
  const missing = expected.filter((name) => !given.includes(name))
  if (missing.length > 0) return `it omits the argument ${missing.join(', ')}`
  const more = given.filter((name) => !expected.includes(name))
  if (more.length > 0 && isRich(call) && tagsOf(message).size === 0) {
    return `the message has no tag ${more.join(', ')}, or the option markup: 'react' is missing`
  }
  if (more.length > 0) return `the message has no parameter ${more.join(', ')}`
  if (call && call.arguments.length > 2) return 'it has too many arguments'
  const impliedOptions = call ? optionsOf(call).filter(isImplied) : []
  const values = trans ? (trans.values?.properties ?? []) : optionsOf(call!)
  const conversions = convertArguments(
    found,
    values.filter((one) => !impliedOptions.includes(one)),
    message,
    projectInfo.types,
  )
  if (typeof conversions === 'string') return conversions
  return {
    from: trans ?? call!,
    module,
    message,
    impliedOptions,
    conversions,
    hookOf: reference.hookOf,
  }
}

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
  call: ts.CallExpression,
  { read: { source } }: ResolvedReference,
  component: Component,
): boolean | string {
  const range = { start: call.getStart(source), end: call.getEnd() }
  if (component.scripts.some(({ start, end }) => start <= range.start && range.end <= end)) {
    return false
  }
  if (!component.isInTemplate(range)) return 'the template cannot use names of its script'
  const [root] = call.expression.getText(source).split(/[.[?]/)
  return component.names.has(root!) ? 't is declared in the template' : true
}

/** Returns the reason why i18next may look up the key in another module. */
function namespaceDoubt(
  modules: readonly string[] | undefined,
  found: string,
  modulesWith: () => readonly string[],
): string | undefined {
  if (modules === undefined) {
    const all = modulesWith()
    return all.length > 1 ? `the namespace is unknown and may be ${all.join(', ')}` : undefined
  }
  // With several namespaces, `t` of a hook looks up only the first.
  return modules[0] === found ? undefined : `the namespace ${modules[0]} has no such key`
}

const nestsOthers = ({ source }: ModuleModel, { key, group }: MessageModel): boolean =>
  [...source.translations.values()].some((translations) =>
    [key, ...(group.plural?.values() ?? [])].some((one) => translations.get(one)?.includes('$t(')),
  )

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
