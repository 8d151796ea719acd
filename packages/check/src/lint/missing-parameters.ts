import { expectedArguments } from '@servicekit/catalog'
import { createMessageCalls, messagesFor, moduleOf } from './message-calls.ts'
import { docsOf, locationOf, type Node, type Rule, type RuleContext, type Visitor } from './rule.ts'
import type { Snapshots } from './snapshot.ts'
import { visitTemplates } from './template.ts'
import { keyOf } from './values.ts'

/** Reports calls without a parameter that the message needs. */
export const noMissingParameters = (snapshots: Snapshots): Rule => ({
  meta: {
    type: 'problem',
    docs: {
      description: 'Require the parameters of messages',
      ...docsOf('no-missing-parameters'),
    },
    messages: {
      missing: 'Message {{key}} needs {{names}}. Pass {{example}}.',
    },
    schema: [],
  },
  create: (context) => create(context, snapshots),
})

function create(context: RuleContext, snapshots: Snapshots): Visitor {
  const model = snapshots.modelFor(context)
  const calls = createMessageCalls(context, snapshots)
  const onCall = (node: Node): void => {
    const reference = model && calls.calledBy(node)
    const module = reference && moduleOf(reference, model)
    if (!module || !reference.keys) return
    const all = node['arguments'] as Node[]
    const given = argumentNames(reference.by === 'i18next' ? all[1] : all[0])
    if (!given || all.some(({ type }) => type === 'SpreadElement')) return
    for (const key of reference.keys) {
      const [message] = typeof key === 'string' ? messagesFor(module, key) : []
      if (!message) continue
      const names = expectedArguments(message, given).filter((name) => !given.includes(name))
      if (names.length === 0) continue
      const loc = locationOf(context.sourceCode, node.range)
      const example = `{ ${names.join(', ')} }`
      const label = `${names.length > 1 ? 'the parameters' : 'the parameter'} ${names.join(', ')}`
      context.report({
        loc,
        messageId: 'missing',
        data: { key: message.key, names: label, example },
      })
    }
  }
  return visitTemplates(context, () => {}, { CallExpression: onCall })
}

/** Returns the names of an object literal; undefined if they are not all known. */
function argumentNames(node: Node | undefined): readonly string[] | undefined {
  if (!node || node.type === 'Literal') return []
  if (node.type !== 'ObjectExpression') return undefined
  const names = (node['properties'] as Node[]).map((one) =>
    one.type === 'Property' ? keyOf(one) : undefined,
  )
  return names.every((one) => one !== undefined) ? names : undefined
}
