import { ts } from 'ts-morph'
import type { MessageModel, ModuleModel } from '../model.ts'
import type { Found } from '../usage/usage.ts'

/** A call that surely means one message, and can be one of it. */
export interface ProvenCall {
  readonly call: ts.CallExpression
  readonly module: ModuleModel
  readonly message: MessageModel
  /** The property `ns` among its options, which names the module no longer. */
  readonly ns: ts.ObjectLiteralElementLike | undefined
}

/** Reads whether a call can be replaced; else says why it is left. */
export function prove({ sighting, messages, path }: Found): ProvenCall | string {
  const { call, texts, args, options, certain } = sighting
  if (!certain) return 'what t is cannot be told here'
  if (!call) return 'a <Trans> element puts elements into its text'
  if (/\.(?:vue|svelte)$/.test(path)) return 'calls in components of Vue and Svelte are left to you'
  const other = options.filter((name) => name !== 'ns')
  if (other.length > 0) return `it uses ${other.join(', ')}`
  if (texts.any || texts.patterns.length > 0) return 'the key is known at run time alone'
  if (texts.exact.size !== 1) return 'it asks for one of several keys'
  const [found] = messages
  if (!found) return 'there is no such key'
  const { module, message } = found
  const [key] = texts.exact
  const asked = key!.startsWith(`${module.name}:`)
    ? key!.slice(module.name.length + 1)
    : sighting.prefix + key!
  if (asked !== message.key) return 'it asks for one form of a plural by name'
  if (nestsOthers(module, message)) return 'the text holds others by $t(…)'
  const expected = message.plural ? ['count', ...message.params] : message.params
  const lacks = expected.filter((name) => !args?.includes(name))
  if (!args) return 'its arguments are not written out'
  if (lacks.length > 0) return `it does not give ${lacks.join(', ')}`
  const more = args.filter((name) => !expected.includes(name))
  if (more.length > 0) return `it gives ${more.join(', ')}, which the text does not show`
  if (call.arguments.length > 2) return 'it has more arguments than a text takes'
  return { call, module, message, ns: nsOf(call) }
}

const nestsOthers = ({ source }: ModuleModel, { key, group }: MessageModel): boolean =>
  [...source.texts.values()].some((texts) =>
    [key, ...(group.plural?.values() ?? [])].some((one) => texts.get(one)?.includes('$t(')),
  )

function nsOf(call: ts.CallExpression): ts.ObjectLiteralElementLike | undefined {
  const [, options] = call.arguments
  if (!options || !ts.isObjectLiteralExpression(options)) return undefined
  return options.properties.find(({ name }) => name && ts.isIdentifier(name) && name.text === 'ns')
}
