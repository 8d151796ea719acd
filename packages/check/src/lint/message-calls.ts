import {
  findByImportName,
  i18nextDefaultModule,
  lookupModuleOf,
  type MessageModel,
  type Model,
  type ModuleModel,
} from '@servicekit/catalog'
import { escapePattern } from '@servicekit/core'
import type { Node, RuleContext } from './rule.ts'
import { settingsOf, type Snapshots } from './snapshot.ts'
import { createValues, keyOf, operandsOf, textOf, type Values } from './values.ts'

/** Message that code refers to, before it is looked up. */
export interface MessageReference {
  /** Specifier such as `~uilm/auth`, or the name of an i18next namespace. */
  readonly specifier: string
  readonly by: 'import' | 'lookup' | 'i18next'
  /** Possible keys; undefined for keys known only at run time. */
  readonly keys: readonly KeyPattern[] | undefined
  /** Node to report. */
  readonly node: Node
}

/** Key, or the pattern of a composed key. */
export type KeyPattern = string | RegExp

export interface MessageCalls {
  /** Returns the message that an expression refers to: `SIGN_IN`, `auth.SIGN_IN`, `messages[code]`. */
  readonly referenceOf: (node: Node) => MessageReference | undefined
  /** Returns the message of a call: `SIGN_IN()`, `t('SIGN_IN')`. */
  readonly calledBy: (node: Node) => MessageReference | undefined
}

export function createMessageCalls(
  context: RuleContext,
  snapshots: Snapshots,
  values: Values = createValues(context),
): MessageCalls {
  const model = snapshots.modelFor(context)
  const defaultNamespace =
    settingsOf(context).defaultNamespace ?? (model ? i18nextDefaultModule(model) : '')

  const referenceOf = (node: Node): MessageReference | undefined => {
    if (node.type === 'ChainExpression') return referenceOf(node['expression'] as Node)
    if (node.type === 'Identifier') {
      const binding = importOf(node)
      return binding && binding.name !== '*' && !isLookup(binding)
        ? { specifier: binding.specifier, by: 'import', keys: [binding.name], node }
        : undefined
    }
    if (node.type !== 'MemberExpression' || node['object'].type !== 'Identifier') return undefined
    const binding = importOf(node['object'] as Node)
    if (!binding || (binding.name !== '*' && !isLookup(binding))) return undefined
    const property = node['property'] as Node
    const keys = node['computed'] ? keysOf(property) : [property['name'] as string]
    const by = isLookup(binding) ? 'lookup' : 'import'
    return { specifier: binding.specifier, by, keys, node: property }
  }

  const importOf = (id: Node): { specifier: string; name: string } | undefined => {
    const definition = values.variableOf(id)?.defs[0]
    if (definition?.type !== 'ImportBinding') return undefined
    const { node } = definition
    const written = node.parent?.['source']?.['value'] as unknown
    if (typeof written !== 'string') return undefined
    const specifier = snapshots.messageSpecifier(context, written)
    if (!specifier?.startsWith('~uilm/')) return undefined
    if (node.type === 'ImportNamespaceSpecifier') return { specifier, name: '*' }
    return node.type === 'ImportSpecifier' ? { specifier, name: importedName(node) } : undefined
  }

  /** Returns the keys that an expression may evaluate to. */
  const keysOf = (node: Node): readonly KeyPattern[] | undefined => {
    const found = values.of(node).map(patternOf)
    const isKnown = found.length > 0 && found.every((one) => one !== undefined)
    return isKnown ? found : undefined
  }

  const i18nextCall = (node: Node): MessageReference | undefined => {
    const callee = node['callee'] as Node
    const [key, options] = node['arguments'] as Node[]
    if (!key) return undefined
    const namespace = namespaceOf(callee)
    const isScoped = options?.type === 'ObjectExpression' && hasProperty(options, ['ns', 'context'])
    if (namespace === undefined || isScoped) return undefined
    const keys = keysOf(key)
    const split = keys?.map((one) => (typeof one === 'string' ? one.split(':') : undefined))
    const names = new Set(split?.map((one) => (one && one.length > 1 ? one[0]! : namespace)))
    const [specifier = namespace] = names
    if (names.size > 1 || specifier === '')
      return { specifier: '', by: 'i18next', keys: undefined, node: key }
    const plain = keys?.map((one) =>
      typeof one === 'string' ? one.slice(one.indexOf(':') + 1) : one,
    )
    return { specifier, by: 'i18next', keys: plain, node: key }
  }

  /** Returns the namespace of a `t`; undefined if the function is none. */
  const namespaceOf = (callee: Node): string | undefined => {
    if (callee.type === 'MemberExpression') {
      const isT = callee['property']['name'] === 't'
      const object = callee['object'] as Node
      if (!isT || object.type !== 'Identifier') return undefined
      const source = values.variableOf(object)?.defs[0]?.node.parent?.['source']?.['value']
      return source === 'i18next' ? defaultNamespace : undefined
    }
    if (callee.type !== 'Identifier') return undefined
    const definition = values.variableOf(callee)?.defs[0]
    const init = definition?.type === 'Variable' ? (definition.node['init'] as Node | null) : null
    if (init?.type !== 'CallExpression' || init['callee']['name'] !== 'useTranslation')
      return undefined
    const [namespace, options] = init['arguments'] as Node[]
    if (options && hasProperty(options, ['keyPrefix'])) return undefined
    const first =
      namespace?.type === 'ArrayExpression' ? (namespace['elements'][0] as Node) : namespace
    return first ? (textOf(first) ?? '') : defaultNamespace
  }

  return {
    referenceOf,
    calledBy(node) {
      if (node.type === 'ChainExpression') return this.calledBy(node['expression'] as Node)
      if (node.type !== 'CallExpression') return undefined
      return referenceOf(node['callee'] as Node) ?? i18nextCall(node)
    },
  }
}

const isLookup = ({ specifier, name }: { specifier: string; name: string }): boolean =>
  specifier.endsWith('/messages') && name === 'messages'

export const importedName = (specifier: Node): string => {
  const imported = specifier['imported'] as Node
  return imported.type === 'Literal' ? (imported['value'] as string) : (imported['name'] as string)
}

const hasProperty = (object: Node, names: readonly string[]): boolean =>
  object.type === 'ObjectExpression' &&
  (object['properties'] as Node[]).some(
    (one) => one.type === 'Property' && names.includes(keyOf(one) ?? ''),
  )

/** Returns the text of a literal, or a pattern of a template with expressions. */
function patternOf(node: Node): KeyPattern | undefined {
  const text = textOf(node)
  if (text !== undefined) return text
  const pieces = piecesOf(node)
  return pieces.some((one) => one !== '')
    ? new RegExp(`^${pieces.map(escapePattern).join('.*')}$`, 's')
    : undefined
}

/** Returns the fixed texts of a template or concatenation; those between are values. */
const piecesOf = (node: Node): readonly string[] =>
  operandsOf(node)
    .map((operand) => {
      if (operand.type !== 'TemplateLiteral') {
        const text = textOf(operand)
        return text === undefined ? ['', ''] : [text]
      }
      return (operand['quasis'] as Node[]).map((one) => one['value']['cooked'] as string)
    })
    .reduce((left, right) => [...left.slice(0, -1), left.at(-1)! + right[0]!, ...right.slice(1)])

/** Returns the module of a reference. */
export function moduleOf(
  { specifier, by }: Pick<MessageReference, 'specifier' | 'by'>,
  model: Model,
): ModuleModel | undefined {
  if (by === 'i18next') return model.modules.find(({ name }) => name === specifier)
  return by === 'lookup'
    ? lookupModuleOf(specifier, model)
    : findByImportName(model.modules, specifier.slice('~uilm/'.length))
}

/** Returns the messages of a module that fit a key or pattern. */
export function messagesFor(module: ModuleModel, key: KeyPattern): readonly MessageModel[] {
  const isMatch = (name: string): boolean =>
    typeof key === 'string' ? name === key : key.test(name)
  return module.messages.filter(
    ({ key, name, group }) =>
      isMatch(key) || isMatch(name) || [...(group.plural?.values() ?? [])].some(isMatch),
  )
}
