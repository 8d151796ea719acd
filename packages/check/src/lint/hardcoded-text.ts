import { createExtractor, type Extracted, type Extraction, type Extractor } from './extract-text.ts'
import {
  docsOf,
  type Fixer,
  locationOf,
  type Node,
  type Report,
  type Rule,
  type RuleContext,
  type Visitor,
} from './rule.ts'
import type { Snapshots } from './snapshot.ts'
import { hole, isText, readIgnored } from './text.ts'
import { type Part, staticValue, type TemplateElement, visitTemplates } from './template.ts'
import { createValues, isFunction, keyOf, operandsOf, textOf } from './values.ts'
import {
  ignoredElements,
  isTextAttribute,
  isTextMeta,
  isTextProperty,
  textFunctions,
  textMembers,
} from './visible-names.ts'

interface Options {
  readonly ignore?: readonly string[]
  readonly attributes?: readonly string[]
  readonly properties?: readonly string[] | false
  readonly functions?: readonly string[]
  readonly ignoreElements?: readonly string[]
  readonly module?: string
  readonly fix?: boolean
}

const strings = { type: 'array', items: { type: 'string' }, uniqueItems: true }

/** Reports text for users that is written in the code instead of in a message. */
export const noHardcodedText = (snapshots: Snapshots): Rule => ({
  meta: {
    type: 'suggestion',
    docs: {
      description: 'Disallow text for users that is not a message',
      ...docsOf('no-hardcoded-text'),
    },
    fixable: 'code',
    hasSuggestions: true,
    messages: {
      text: 'Text "{{text}}" cannot be translated. Use a message, or add it to the option "ignore".',
      extract: 'Replace the text by the message {{key}} of the module {{module}}',
    },
    schema: [
      {
        type: 'object',
        additionalProperties: false,
        properties: {
          ignore: strings,
          attributes: strings,
          properties: { anyOf: [strings, { const: false }] },
          functions: strings,
          ignoreElements: strings,
          module: { type: 'string', minLength: 1 },
          fix: { type: 'boolean' },
        },
      },
    ],
  },
  create: (context) => create(context, snapshots),
})

function create(context: RuleContext, snapshots: Snapshots): Visitor {
  const options = (context.options[0] ?? {}) as Options
  const ignored = readIgnored(options.ignore ?? [])
  const skipped = new Set([...ignoredElements, ...(options.ignoreElements ?? [])])
  const attributes = new Set(options.attributes)
  const properties = new Set(options.properties === false ? [] : options.properties)
  const functions = [...textFunctions, ...(options.functions ?? [])].map(functionPattern)
  const values = createValues(context)
  const reported = new Set<Node>()
  let extractor: Extractor | undefined
  // One fix for all texts of a file: fixes with an import overlap, and of those only one is
  // applied in each pass. A disabled text must not be part of it.
  const fixesTogether = options.fix && !/\b(?:eslint|oxlint)-disable/.test(context.sourceCode.text)
  const fixable: { readonly report: Report; readonly extracted: Extracted }[] = []
  /** Elements in the order of the document, and whether their content is skipped. */
  const seen = new WeakMap<Node, boolean>()

  const onText = (node: Node, text: string, extraction?: Extraction): void => {
    if (reported.has(node)) return
    reported.add(node)
    extractor ??= createExtractor(context, { module: options.module, snapshots })
    const shown = text.replaceAll(/\s+/g, ' ').replaceAll(hole, '…').trim()
    const data = { text: shown.length > 60 ? `${shown.slice(0, 59)}…` : shown }
    const report = {
      loc: locationOf(context.sourceCode, node.range),
      messageId: 'text',
      data,
    }
    const extracted = extraction && extractor.extract(extraction)
    if (!extracted) return context.report(report)
    if (fixesTogether) return void fixable.push({ report, extracted })
    const fix = fixOf([extracted])
    if (options.fix) return context.report({ ...report, fix })
    const { key, module } = extracted
    context.report({ ...report, suggest: [{ messageId: 'extract', data: { key, module }, fix }] })
  }

  const fixOf = (texts: readonly Extracted[]) => (fixer: Fixer) =>
    extractor!.edits(texts).map(({ range, text }) => fixer.replaceTextRange(range, text))

  /** Reports the texts that are fixed together; the first one has the fix of all. */
  const finish = (): void => {
    fixable.sort((a, b) => a.extracted.call.range[0] - b.extracted.call.range[0])
    const texts: Extracted[] = []
    for (const { extracted } of fixable) {
      // A text within another one is fixed in the next pass.
      if (extracted.call.range[0] >= (texts.at(-1)?.call.range[1] ?? 0)) texts.push(extracted)
    }
    for (const [index, { report }] of fixable.entries()) {
      context.report(index === 0 ? { ...report, fix: fixOf(texts) } : report)
    }
  }
  const template = context.sourceCode.ast['templateBody'] as Node | undefined

  /** Reports the literals that an expression may evaluate to. */
  const reportExpression = (expression: Node): void => {
    for (const node of values.of(expression)) {
      const text = literalText(node)
      const isDirect = isWithin(node, expression)
      if (text === undefined || !isText(text, isDirect ? 'visible' : 'value', ignored)) continue
      onText(node, text, isDirect ? { kind: 'expression', node } : undefined)
    }
  }

  const reportParts = (
    parts: readonly Part[],
    location: Omit<Extraction & { kind: 'parts' }, 'kind' | 'parts'>,
  ): void => {
    const hasText = parts.some(({ kind }) => kind === 'text')
    for (const part of parts) {
      if (part.kind === 'expression') reportExpression(part.expression)
    }
    if (!hasText) return
    const text = parts.map((part) => (part.kind === 'text' ? part.text : hole)).join('')
    if (!isText(text, 'visible', ignored)) return
    const first = parts.find((part) => part.kind === 'text' && /\p{L}/u.test(part.text))
    if (first) onText(first.node, text, { kind: 'parts', parts, ...location })
  }

  const onElement = (element: TemplateElement): void => {
    const { name, node, attributes: all, children, isComponent } = element
    const isSkipped =
      skipped.has(name) ||
      staticValue(element, 'translate') === 'no' ||
      all.some((one) => one.name === 'v-pre') ||
      isInSkipped(node)
    seen.set(node, isSkipped)
    if (isSkipped) return
    reportParts(children, { location: 'children' })
    const isMeta =
      name === 'meta' &&
      isTextMeta(staticValue(element, 'name') ?? staticValue(element, 'property'))
    const isButton =
      name === 'input' && /^(?:submit|button|reset)$/.test(staticValue(element, 'type') ?? '')
    for (const attribute of all) {
      const isForText =
        attributes.has(attribute.name) ||
        attribute.name === 'v-text' ||
        attribute.name === 'v-html' ||
        isTextAttribute(attribute.name, isComponent) ||
        (isMeta && attribute.name === 'content') ||
        (isButton && attribute.name === 'value')
      if (isForText) reportParts(attribute.parts, { location: 'attribute', attribute })
      else if (isComponent) reportSentences(attribute.parts)
    }
  }

  const isInSkipped = (node: Node): boolean => {
    for (let at = node.parent; at; at = at.parent) {
      const isSkipped = seen.get(at)
      if (isSkipped !== undefined) return isSkipped
    }
    return false
  }

  /** Reports whole sentences in any other property of a component. */
  const reportSentences = (parts: readonly Part[]): void => {
    for (const part of parts) {
      if (part.kind !== 'text' || !isSentence(part.text)) continue
      if (isText(part.text, 'property', ignored)) onText(part.node, part.text)
    }
  }

  const isForText = (name: string | undefined): name is string =>
    name !== undefined &&
    options.properties !== false &&
    (isTextProperty(name) || properties.has(name))

  const onProperty = (node: Node): void => {
    const value = node['value'] as Node
    const isDefault = value.type === 'AssignmentPattern'
    if (node.parent?.type !== (isDefault ? 'ObjectPattern' : 'ObjectExpression')) return
    const key = keyOf(node)
    if (!isForText(key === 'default' ? ownerOf(node) : key)) return
    if (!isDefault && isForDevelopers(node)) return
    for (const literal of directLiterals(isDefault ? (value['right'] as Node) : value)) {
      const text = literalText(literal)
      if (text === undefined || reported.has(literal)) continue
      const isOption = key === 'label' && hasKey(node.parent!, 'value')
      if (isText(text, 'property', ignored) || (isOption && isOptionLabel(text))) {
        onText(literal, text, { kind: 'expression', node: literal })
      }
    }
  }

  const isOptionLabel = (text: string): boolean =>
    /^\p{Ll}{3,}$/u.test(text) && isText(text, 'value', ignored)

  return visitTemplates(context, onElement, {
    ...(template
      ? { 'VElement:exit': (node) => node === template && finish() }
      : { 'Program:exit': finish }),
    Property: onProperty,
    CallExpression(node) {
      const callee = context.sourceCode.getText(node['callee'] as Node)
      const [first, second] = node['arguments'] as Node[]
      const isText = callee.length < 100 && functions.some((one) => one.test(callee))
      if (isText && first) reportExpression(first)
      if (
        callee.endsWith('.setAttribute') &&
        isTextAttribute(textOf(first) ?? '', false) &&
        second
      ) {
        reportExpression(second)
      }
    },
    AssignmentExpression(node) {
      const { left, right } = node as unknown as { left: Node; right: Node }
      if (left.type !== 'MemberExpression' || left['computed']) return
      const member = left['property']['name'] as string
      const isTitle = member === 'title' && left['object']['name'] === 'document'
      if (isTitle || textMembers.has(member)) reportExpression(right)
    },
  })
}

/** Returns the text of a literal, a template or a concatenation, with holes for expressions. */
function literalText(node: Node): string | undefined {
  const texts = operandsOf(node).map((operand) =>
    operand.type === 'TemplateLiteral'
      ? (operand['quasis'] as Node[]).map((one) => one['value']['cooked'] as string).join(hole)
      : textOf(operand),
  )
  return texts.every((one) => one === undefined)
    ? undefined
    : texts.map((one) => one ?? hole).join('')
}

/** Returns the literals that are written in an expression itself. */
function directLiterals(node: Node): readonly Node[] {
  if (node.type === 'ConditionalExpression') {
    return [node['consequent'] as Node, node['alternate'] as Node].flatMap(directLiterals)
  }
  if (node.type === 'LogicalExpression') {
    return [node['left'] as Node, node['right'] as Node].flatMap(directLiterals)
  }
  return node.type.startsWith('TS') && node['expression']
    ? directLiterals(node['expression'] as Node)
    : [node]
}

const isWithin = (inner: Node, outer: Node): boolean =>
  inner.range[0] >= outer.range[0] && inner.range[1] <= outer.range[1]

const isSentence = (text: string): boolean => /^\p{Lu}\p{L}*(?:\s\S+){2,}[.!?…]$/u.test(text.trim())

/** `toast.*` matches every method of `toast`. */
const functionPattern = (name: string): RegExp =>
  new RegExp(`^${name.replaceAll(/[$.?+()[\]{}|^\\]/g, '\\$&').replaceAll('*', '\\w+')}$`)

const hasKey = (object: Node, key: string): boolean =>
  (object['properties'] as Node[]).some((one) => one.type === 'Property' && keyOf(one) === key)

/** Returns the key of the object that contains a property: `label` in `label: { default: '' }`. */
function ownerOf(property: Node): string | undefined {
  const owner = property.parent?.parent
  return owner?.type === 'Property' ? keyOf(owner) : undefined
}

/** Returns whether a property is part of an error, a response or a log entry. */
function isForDevelopers(property: Node): boolean {
  for (let at = property.parent; at && !isFunction(at); at = at.parent) {
    if (at.type === 'ThrowStatement') return true
    if (at.type.endsWith('Statement') || at.type.endsWith('Declaration')) return false
    if (at.type !== 'NewExpression' && at.type !== 'CallExpression') continue
    const callee = at['callee'] as Node
    const isMember = callee.type === 'MemberExpression'
    const name = (isMember ? callee['property']['name'] : callee['name']) as string | undefined
    if (at.type === 'NewExpression' && /Error$|Exception$/.test(name ?? '')) return true
    const object = (isMember ? (callee['object']['name'] ?? '') : '') as string
    if (/^(?:json|send)$/.test(name ?? '') || /^(?:JSON|console|log|logger)$/.test(object))
      return true
  }
  return false
}
