import { createMessageCalls } from './message-calls.ts'
import { docsOf, locationOf, type Node, type Rule, type RuleContext, type Visitor } from './rule.ts'
import type { Snapshots } from './snapshot.ts'
import { isText, readIgnored } from './text.ts'
import { type Part, type TemplateElement, visitTemplates } from './template.ts'
import { operandsOf, textOf } from './values.ts'

/** Reports sentences that are composed of messages and other values. */
export const noConcatenatedMessages = (snapshots: Snapshots): Rule => ({
  meta: {
    type: 'problem',
    docs: {
      description: 'Disallow sentences composed of messages',
      ...docsOf('no-concatenated-messages'),
    },
    messages: {
      concatenated:
        'Sentence composed of messages. Languages differ in word order and forms: use one message with parameters.',
      plural:
        'Plural chosen in code. Languages have up to six plural forms: use one message with the parameter count.',
    },
    schema: [],
  },
  create: (context) => create(context, snapshots),
})

const nothing = readIgnored([])

/** Elements that are part of a sentence. */
const inlineElements = new Set([
  'a',
  'abbr',
  'b',
  'em',
  'i',
  'mark',
  'small',
  'span',
  'strong',
  'u',
  'Link',
])

/** Separator between two values: `text` joins them to a sentence, `layout` places them. */
const isLayout = (text: string): boolean => /[:()[\]|/·•–—\-\n=→>"'«»„“”]/.test(text)

function create(context: RuleContext, snapshots: Snapshots): Visitor {
  const calls = createMessageCalls(context, snapshots)
  const reported = new Set<Node>()

  const isMessage = (node: Node): boolean => calls.calledBy(node) !== undefined
  const report = (node: Node, messageId: 'concatenated' | 'plural'): void => {
    if (reported.has(node)) return
    reported.add(node)
    context.report({ loc: locationOf(context.sourceCode, node.range), messageId })
  }

  /** Returns whether texts and values form a sentence with a message. */
  const isSentence = (pieces: readonly (string | Node)[]): boolean => {
    let before: Node | undefined
    let between = ''
    for (const piece of pieces) {
      if (typeof piece === 'string') {
        between += piece
        continue
      }
      const hasMessage = isMessage(piece) || (before !== undefined && isMessage(before))
      if (before && hasMessage && !isLayout(between)) return true
      before = piece
      between = ''
    }
    const hasWords = pieces.some(
      (one) => typeof one === 'string' && isText(one, 'visible', nothing),
    )
    return hasWords && pieces.some((one) => typeof one !== 'string' && isMessage(one))
  }

  const check = (node: Node, pieces: readonly (string | Node)[]): void => {
    if (pieces.length > 1 && isSentence(pieces) && !isForCode(node)) report(node, 'concatenated')
  }

  const onElement = ({ attributes, children }: TemplateElement): void => {
    for (const { parts } of attributes) {
      if (parts.length > 1) check(parts[0]!.node.parent!, parts.map(pieceOf))
    }
    checkChildren(children)
  }

  const checkChildren = (children: readonly Part[]): void => {
    const parts = children.filter(
      (one) => one.kind !== 'text' || one.text.trim() !== '' || one.text === '',
    )
    parts.forEach((part, index) => {
      if (part.kind !== 'expression') return
      const next = parts[index + 1]
      const isSpaced = next !== undefined && hasSpaceBetween(children, part, next)
      if (!isSpaced) return
      const after = parts[index + 2]
      if (next.kind === 'expression') {
        if (isMessage(part.expression) && isMessage(next.expression))
          report(part.node, 'concatenated')
        else if (isPluralOf(part.expression, next.expression)) report(part.node, 'plural')
      } else if (next.kind === 'element' && isInline(next.node) && isMessage(part.expression)) {
        const isSandwich = after?.kind === 'expression' && isMessage(after.expression)
        if (isSandwich) report(part.node, 'concatenated')
      }
    })
  }

  /** Returns whether only white space on one line separates two parts. */
  const hasSpaceBetween = (children: readonly Part[], part: Part, next: Part): boolean => {
    const between = children.slice(children.indexOf(part) + 1, children.indexOf(next))
    return (
      between.length > 0 &&
      between.every((one) => one.kind === 'text' && /^[^\S\n]+$/.test(one.text))
    )
  }

  /** Returns whether an expression selects messages by comparing a value with a number. */
  const isPluralOf = (value: Node, choice: Node): boolean => {
    if (choice.type !== 'ConditionalExpression') return false
    const { test, consequent, alternate } = choice as unknown as Record<
      'test' | 'consequent' | 'alternate',
      Node
    >
    const compared =
      test.type === 'BinaryExpression' && context.sourceCode.getText(test['left'] as Node)
    return (
      isMessage(consequent) &&
      isMessage(alternate) &&
      compared === context.sourceCode.getText(value)
    )
  }

  return visitTemplates(context, onElement, {
    BinaryExpression(node) {
      const isInner = node.parent?.type === 'BinaryExpression' && node.parent['operator'] === '+'
      if (node['operator'] === '+' && !isInner)
        check(
          node,
          operandsOf(node).map((one) => textOf(one) ?? one),
        )
    },
    TemplateLiteral(node) {
      const expressions = node['expressions'] as Node[]
      const pieces = (node['quasis'] as Node[]).flatMap((one, index) => {
        const expression = expressions[index]
        const text = one['value']['cooked'] as string
        return expression ? [text, expression] : [text]
      })
      if (node.parent?.type !== 'TaggedTemplateExpression') check(node, pieces)
    },
    CallExpression(node) {
      const callee = node['callee'] as Node
      if (callee.type !== 'MemberExpression' || callee['property']['name'] !== 'join') return
      if (callee['object'].type !== 'ArrayExpression') return
      const separator = textOf((node['arguments'] as Node[])[0]) ?? ','
      const elements = (callee['object']['elements'] as (Node | null)[]).filter(
        (one) => one !== null,
      )
      check(
        node,
        elements.flatMap((one, index) => (index === 0 ? [one] : [separator, one])),
      )
    },
  })
}

const pieceOf = (part: Part): string | Node =>
  part.kind === 'text' ? part.text : part.kind === 'expression' ? part.expression : part.node

function isInline(node: Node): boolean {
  const name = (node['openingElement']?.['name']?.['name'] ??
    node['rawName'] ??
    node['name']?.['name']) as string | undefined
  return name !== undefined && inlineElements.has(name)
}

/** Returns whether an expression is the value of an attribute such as `key`, `class` or `href`. */
function isForCode(node: Node): boolean {
  for (let at = node.parent; at; at = at.parent) {
    if (!at.type.endsWith('Attribute')) {
      if (
        /^(?:JSXElement|VElement|SvelteElement|Program)$/.test(at.type) ||
        at.type.endsWith('Statement')
      )
        return false
      continue
    }
    const key = at['name'] ?? at['key']?.['argument'] ?? at['key']
    return /^(?:key|id|class|className|href|src|to|style|name|data-.*)$/.test(
      String(key?.['name'] ?? ''),
    )
  }
  return false
}
