import { isEntryName } from '@servicekit/catalog'
import { findClosest } from '@servicekit/core'
import {
  importedName,
  createMessageCalls,
  messagesFor,
  moduleOf,
  type MessageReference,
} from './message-calls.ts'
import { docsOf, locationOf, type Node, type Rule, type RuleContext, type Visitor } from './rule.ts'
import type { Snapshots } from './snapshot.ts'
import { visitTemplates } from './template.ts'

/** Reports keys and modules that the committed translations lack. */
export const noUnknownKey = (snapshots: Snapshots): Rule => ({
  meta: {
    type: 'problem',
    docs: {
      description: 'Disallow keys and modules that do not exist',
      ...docsOf('no-unknown-key'),
    },
    messages: {
      key: 'Key {{key}} does not exist in the module {{module}}.{{hint}} Add it with "servicekit add" or "servicekit push".',
      pattern: 'No key of the module {{module}} matches {{key}}.',
      module: 'Module {{module}} does not exist.{{hint}} If it is new, run "servicekit pull".',
      snapshot:
        'No committed translations found. Run "servicekit pull", or set settings.servicekit.root to the folder of uilm.lock.json, or settings.servicekit.from to your own folder.',
    },
    schema: [],
  },
  create: (context) => create(context, snapshots),
})

function create(context: RuleContext, snapshots: Snapshots): Visitor {
  const model = snapshots.modelFor(context)
  const calls = createMessageCalls(context, snapshots)
  let hasReported = false

  const report = (node: Node, messageId: string, data: Readonly<Record<string, string>>): void =>
    context.report({ loc: locationOf(context.sourceCode, node.range), messageId, data })

  const onReference = (reference: MessageReference | undefined): void => {
    if (!reference?.keys || !model) return
    const module = moduleOf(reference, model)
    if (!module) return
    for (const key of reference.keys) {
      if (messagesFor(module, key).length > 0) continue
      const data = { key: String(key), module: module.name }
      if (typeof key !== 'string') report(reference.node, 'pattern', data)
      else
        report(reference.node, 'key', {
          ...data,
          hint: hintFor(
            key,
            module.messages.map((one) => one.key),
          ),
        })
    }
  }

  const onImport = (node: Node): void => {
    const written = node['source']?.['value'] as unknown
    if (typeof written !== 'string') return
    const specifier = snapshots.messageSpecifier(context, written)
    if (!specifier?.startsWith('~uilm/')) return
    const name = specifier.slice('~uilm/'.length)
    if (isEntryName(name) || isTypeOnly(node)) return
    if (!model) {
      if (!hasReported) report(node['source'] as Node, 'snapshot', {})
      hasReported = true
      return
    }
    if (moduleOf({ specifier, by: 'lookup' }, model)) return
    const module = moduleOf({ specifier, by: 'import' }, model)
    if (!module) {
      const names = model.modules.map((one) => one.name)
      return report(node['source'] as Node, 'module', { module: name, hint: hintFor(name, names) })
    }
    for (const one of (node['specifiers'] ?? []) as Node[]) {
      const isNamed = one.type === 'ImportSpecifier' && one['importKind'] !== 'type'
      if (isNamed) onReference({ specifier, by: 'import', keys: [importedName(one)], node: one })
    }
  }

  const script: Visitor = {
    ImportDeclaration: onImport,
    ImportExpression: onImport,
    MemberExpression: (node) => onReference(calls.referenceOf(node)),
    CallExpression(node) {
      const reference = calls.calledBy(node)
      if (reference?.by === 'i18next') onReference(reference)
    },
  }
  return visitTemplates(context, () => {}, script)
}

const isTypeOnly = (node: Node): boolean => node['importKind'] === 'type'

/** Returns ` Did you mean SIGN_IN?` if a name is similar. */
function hintFor(name: string, names: readonly string[]): string {
  const closest = findClosest(name, names)
  return closest === undefined ? '' : ` Did you mean ${closest}?`
}
