import {
  expectedArguments,
  type MessageModel,
  type ModuleModel,
  ordinalSuffix,
} from '@servicekit/catalog'
import { ts } from 'ts-morph'
import type { Found } from '../usage/usage.ts'
import type { ArgumentTypes } from './argument-types.ts'
import type { Component } from './component.ts'
import { convertArguments } from './conversions.ts'
import type { Edit } from './edits.ts'
import { proveTrans, type TransElement } from './trans.ts'

/**
 * Call or element that refers to exactly one message and can be replaced by a call of it.
 */
export interface ProvenCall {
  /** Call of `t`, or a `<Trans>` element. */
  readonly from: ts.CallExpression | TransElement
  readonly module: ModuleModel
  readonly message: MessageModel
  /** Options that the message already implies: `ns` and `ordinal`. */
  readonly said: readonly ts.ObjectLiteralElementLike[]
  /** Edits that convert arguments to the types of their parameters. */
  readonly conversions: readonly Edit[]
  /** Package of the hook that returned `t`. */
  readonly hookOf: string | undefined
}

/** Details about the application beyond the call itself. */
export interface Surroundings {
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
export function prove(found: Found, surroundings: Surroundings): ProvenCall | string {
  const { sighting, messages } = found
  const { call, texts, args, options } = sighting
  const { component } = surroundings
  if (typeof component === 'string') return component
  const inTemplate = component && call ? isInTemplate(call, found, component) : false
  if (typeof inTemplate === 'string') return inTemplate
  const isGlobalT = inTemplate && surroundings.hasGlobalT && isNamed(call!.expression, '$t')
  if (!sighting.certain && !isGlobalT) return 'what t is cannot be told here'
  if (sighting.doubt !== undefined) return sighting.doubt
  const isOrdinal = isSaidOrdinal(call)
  const other = options.filter((name) => name !== 'ns' && !(isOrdinal && name === 'ordinal'))
  if (other.length > 0) return `it uses ${other.join(', ')}`
  if (texts.any || texts.patterns.length > 0) return 'the key is known at run time alone'
  if (texts.exact.size !== 1) return 'it asks for one of several keys'
  const [match] = messages
  if (!match) return 'there is no such key'
  const { module, message } = match
  const [key] = texts.exact
  const isNamespaced = key!.startsWith(`${module.name}:`)
  const asked = isNamespaced ? key!.slice(module.name.length + 1) : sighting.prefix + key!
  if (isOrdinal !== message.ordinal) return 'the text has other forms than it asks for'
  if (asked + (isOrdinal ? ordinalSuffix : '') !== message.key) {
    return 'it asks for one form of a plural by name'
  }
  if (!isNamespaced && !options.includes('ns')) {
    const doubt = namespaceDoubt(sighting.modules, module.name, () =>
      surroundings.modulesWith(message.key),
    )
    if (doubt !== undefined) return doubt
  }
  if (nestsOthers(module, message)) return 'the text holds others by $t(…)'
  const trans = call ? undefined : proveTrans(found, module, message)
  if (typeof trans === 'string') return trans
  const given = trans ? trans.given : args
  if (!given) return 'its arguments are not written out'
  const expected = expectedArguments(message, given)
  const lacks = expected.filter((name) => !given.includes(name))
  if (lacks.length > 0) return `it does not give ${lacks.join(', ')}`
  const more = given.filter((name) => !expected.includes(name))
  if (more.length > 0) return `it gives ${more.join(', ')}, which the text does not show`
  if (call && call.arguments.length > 2) return 'it has more arguments than a text takes'
  const said = call ? optionsOf(call).filter(isSaid) : []
  const values = trans ? (trans.values?.properties ?? []) : optionsOf(call!)
  const conversions = convertArguments(
    found,
    values.filter((one) => !said.includes(one)),
    message,
    surroundings.types,
  )
  if (typeof conversions === 'string') return conversions
  return { from: trans ?? call!, module, message, said, conversions, hookOf: sighting.hookOf }
}

const isNamed = (node: ts.Node, name: string): boolean =>
  ts.isIdentifier(node) && node.text === name

/**
 * Returns whether a call in a component belongs to its template. Returns a reason to keep
 * the call if it belongs to neither script nor template, or calls a name declared in the
 * template.
 */
function isInTemplate(
  call: ts.CallExpression,
  { read: { source } }: Found,
  component: Component,
): boolean | string {
  const range = { start: call.getStart(source), end: call.getEnd() }
  if (component.scripts.some(({ start, end }) => start <= range.start && range.end <= end)) {
    return false
  }
  if (!component.isInTemplate(range)) return 'the template has no script whose names it sees'
  const [root] = call.expression.getText(source).split(/[.[?]/)
  return component.names.has(root!) ? 'what t is is declared in the template' : true
}

/** Returns the reason why i18next may look up the key in another module. */
function namespaceDoubt(
  modules: readonly string[] | undefined,
  found: string,
  modulesWith: () => readonly string[],
): string | undefined {
  if (modules === undefined) {
    const all = modulesWith()
    return all.length > 1 ? `the code does not say which of ${all.join(', ')} is asked` : undefined
  }
  // With several namespaces, `t` of a hook looks up only the first.
  return modules[0] === found ? undefined : `${modules[0]} is asked, and has no such key`
}

const nestsOthers = ({ source }: ModuleModel, { key, group }: MessageModel): boolean =>
  [...source.texts.values()].some((texts) =>
    [key, ...(group.plural?.values() ?? [])].some((one) => texts.get(one)?.includes('$t(')),
  )

const optionsOf = (call: ts.CallExpression): readonly ts.ObjectLiteralElementLike[] => {
  const [, options] = call.arguments
  return options && ts.isObjectLiteralExpression(options) ? options.properties : []
}

const isSaid = ({ name }: ts.ObjectLiteralElementLike): boolean =>
  name !== undefined && ts.isIdentifier(name) && /^(?:ns|ordinal)$/.test(name.text)

/** Returns whether a call sets the `ordinal` option to the literal `true`. */
const isSaidOrdinal = (call: ts.CallExpression | undefined): boolean =>
  call !== undefined &&
  optionsOf(call).some(
    (one) =>
      ts.isPropertyAssignment(one) &&
      isNamed(one.name, 'ordinal') &&
      one.initializer.kind === ts.SyntaxKind.TrueKeyword,
  )
