import { ts } from 'ts-morph'
import { expectedArguments, type MessageModel, type ModuleModel } from '../model.ts'
import { ordinalSuffix } from '../plural.ts'
import type { Found } from '../usage/usage.ts'
import type { ArgumentTypes } from './argument-types.ts'
import type { Component } from './component.ts'
import { convertArguments } from './conversions.ts'
import type { Edit } from './edits.ts'
import { proveTrans, type TransElement } from './trans.ts'

/** What surely means one message, and can be a call of it. */
export interface ProvenCall {
  /** A call of `t`, or a `<Trans>` element. */
  readonly from: ts.CallExpression | TransElement
  readonly module: ModuleModel
  readonly message: MessageModel
  /** Options that are said by the message itself: `ns` and `ordinal`. */
  readonly said: readonly ts.ObjectLiteralElementLike[]
  /** Edits of arguments whose types the parameters do not take. */
  readonly conversions: readonly Edit[]
  /** The package whose hook returned `t`. */
  readonly hookOf: string | undefined
}

/** What is known of the application beside the call. */
export interface Surroundings {
  /** What its framework says of the file, where it is a component of Vue or Svelte. */
  readonly component: Component | string | undefined
  /** Whether `$t` in templates of Vue is i18next's. */
  readonly hasGlobalT: boolean
  /** Names of the modules that have such a key. */
  readonly modulesWith: (key: string) => readonly string[]
  readonly types: ArgumentTypes
}

/** Reads whether a text that is asked for can be a call of its message; else says why not. */
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
 * Whether a call in a component is one of its template; else, where it is in no script
 * either or calls what the template itself declares, why it is left.
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

/** Why the module that has the key may not be the one that i18next would ask. */
function namespaceDoubt(
  modules: readonly string[] | undefined,
  found: string,
  modulesWith: () => readonly string[],
): string | undefined {
  if (modules === undefined) {
    const all = modulesWith()
    return all.length > 1 ? `the code does not say which of ${all.join(', ')} is asked` : undefined
  }
  // Of several namespaces a hook's t asks the first alone.
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

/** Whether a call asks for an ordinal, by the word `true`. */
const isSaidOrdinal = (call: ts.CallExpression | undefined): boolean =>
  call !== undefined &&
  optionsOf(call).some(
    (one) =>
      ts.isPropertyAssignment(one) &&
      isNamed(one.name, 'ordinal') &&
      one.initializer.kind === ts.SyntaxKind.TrueKeyword,
  )
