import { expectedArguments, type MessageModel } from '@servicekit/catalog'
import type { ResolvedReference } from '../usage/usage.ts'
import type { Component, ElementAttribute, Range, TranslationElement } from './component.ts'
import type { Edit } from '../edit/edits.ts'
import { numberNames } from './vue-call.ts'
import { attributeKind, nodeKinds, type Property, rangeOf, type TemplateNode } from './vue-nodes.ts'

/** Attributes that `<i18n-t>` takes itself. */
const ownNames = new Set(['keypath', 'tag', 'plural', 'scope'])

/** Reads an element `<i18n-t>`. */
export function readTranslationElement(text: string, node: TemplateNode): TranslationElement {
  const { tag: tagName = '', props = [], children = [], isSelfClosing = false } = node
  const { start, end } = rangeOf(node)
  const own = new Map<string, ElementAttribute>()
  let doubt: string | undefined
  let hasOthers = false
  for (const one of props) {
    const name = attributeName(one)
    if (name !== undefined && ownNames.has(name)) {
      const isStatic = one.type === attributeKind
      const range = rangeOf(one)
      own.set(name, {
        ...range,
        spaceStart: text.slice(0, range.start).trimEnd().length,
        text: isStatic ? one.value?.content : undefined,
        code: isStatic ? undefined : one.exp?.content,
      })
    } else if (name === 'locale') doubt = 'it has a fixed language'
    else if (one.type === attributeKind || !structural.has(one.name)) hasOthers ||= name !== 'key'
  }
  const lastEnd = Math.max(start + 1 + tagName.length, ...props.map((one) => rangeOf(one).end))
  const slots = children.flatMap((child) => slotOf(child) ?? [])
  const others = children.filter((child) => slotOf(child) === undefined)
  const parts = partsOf(others)
  if (typeof parts === 'string') doubt ??= parts
  else if (parts.length > 0 && slots.length > 0) doubt ??= 'it has both slots and other content'
  return {
    start,
    end,
    tagName,
    own,
    hasOthers,
    openTail: { start: lastEnd, end: text.indexOf('>', lastEnd) + 1 },
    closeStart: isSelfClosing ? end : text.lastIndexOf('</', end - 1),
    slots,
    parts: typeof parts === 'string' ? [] : parts,
    doubt,
  }
}

/** Directives that decide whether and how often the element itself is rendered. */
const structural = new Set(['if', 'else', 'else-if', 'for'])

/** Returns the name of an attribute, also of `:name`; undefined for other directives. */
const attributeName = ({ type, name, arg }: Property): string | undefined =>
  type === attributeKind ? name : name === 'bind' && arg?.isStatic ? arg.content : undefined

/** Returns the name of `<template #name>` without parameters and other directives. */
function slotOf({ tag, props = [] }: TemplateNode): string | undefined {
  const [slot, ...others] = props
  if (tag !== 'template' || !slot || others.length > 0) return undefined
  const isPlain = slot.name === 'slot' && slot.arg?.isStatic === true && slot.exp === undefined
  return isPlain && slot.arg!.content !== 'default' ? slot.arg!.content : undefined
}

/** Returns what vue-i18n takes for the values of a list, or a reason if that is not visible. */
function partsOf(children: readonly TemplateNode[]): readonly Range[] | string {
  const parts: Range[] = []
  let isText = false
  for (const child of children) {
    const range = rangeOf(child)
    if (child.type === nodeKinds.text || child.type === nodeKinds.interpolation) {
      if (child.type === nodeKinds.text && String(child.content).trim() === '') {
        return 'its content has white space between elements of one line'
      }
      // Text and interpolations that follow each other are one value.
      const before = isText ? parts.pop() : undefined
      parts.push({ start: before?.start ?? range.start, end: range.end })
      isText = true
      continue
    }
    isText = false
    const directives = (child.props ?? []).filter(({ type }) => type !== attributeKind)
    if (
      child.type !== nodeKinds.element ||
      /^(?:template|slot)$/.test(child.tag ?? '') ||
      directives.some(({ name }) => structural.has(name) || name === 'slot')
    ) {
      return 'the number of the values in its content is not visible'
    }
    parts.push(range)
  }
  return parts
}

/** Element `<i18n-t>` that can be replaced by `<Markup>`. */
export interface ReplacedElement {
  readonly element: TranslationElement
  /** Names of the parameters that slots fill. */
  readonly slots: readonly string[]
  /** Name of the parameter with the number of the plural, and its code. */
  readonly number: { readonly name: string; readonly code: string } | undefined
}

/** Returns the element of a usage if it can be replaced, or the reason why it is kept. */
export function findReplacedElement(
  { reference, read: { source } }: ResolvedReference,
  component: Component,
  message: MessageModel,
): ReplacedElement | string {
  const at = reference.node.getStart(source)
  const element = component.translationElements.find(({ own }) => {
    const keypath = own.get('keypath')
    return keypath !== undefined && keypath.start <= at && at < keypath.end
  })
  if (!element) return 'it is not an element of the template'
  if (element.doubt !== undefined) return element.doubt
  const [tag, plural] = ['tag', 'plural'].map((name) => element.own.get(name))
  if (tag && !tag.text) return 'its tag is known only at run time'
  if (!tag && element.hasOthers) return 'it has attributes, but no tag'
  const slots = element.parts.length > 0 ? element.parts.map((_, at) => String(at)) : element.slots
  const expected = expectedArguments(message, ['count'])
  const formatted = slots.find((name) => (message.types.get(name) ?? 'value') !== 'value')
  if (formatted !== undefined) return `the parameter ${formatted} is not plain text`
  if (!plural) return { element, slots, number: undefined }
  const [name, ...more] = numberNames.filter((one) => expected.includes(one))
  const { code } = plural
  if (name === undefined || more.length > 0) return 'the message has no plural forms for its number'
  if (code === undefined || /["(]/.test(code)) return 'its number is not a name'
  return { element, slots, number: { name, code } }
}

/** Returns the edits that replace `<i18n-t>` by `<Markup>` inside the element of its tag. */
export function elementEdits(
  { element, slots, number }: ReplacedElement,
  local: string,
  markup: string,
): readonly Edit[] {
  const { start, end, own, tagName, openTail, closeStart, parts } = element
  const isSelfClosing = closeStart === end
  const tag = own.get('tag')?.text
  const names = slots.map((name) => (/^\d+$/.test(name) ? name : `'${name}'`))
  const attributes = [
    `:message="${local}"`,
    ...(names.length > 0 ? [`:slots="[${names.join(', ')}]"`] : []),
    ...(number ? [`:args="{ ${number.name}: ${number.code} }"`] : []),
  ].join(' ')
  const nameEnd = start + 1 + tagName.length
  const removed = [...own.entries()].map(([name, range]): Edit => {
    const isKept = tag === undefined && name === 'keypath'
    if (isKept) return { start: range.start, end: range.end, text: attributes }
    return { start: range.spaceStart, end: range.end, text: '' }
  })
  const head = [{ start: start + 1, end: nameEnd, text: tag ?? markup }, ...removed]
  if (isSelfClosing) {
    if (tag === undefined) return head
    return [...head, { ...openTail, text: `><${markup} ${attributes} /></${tag}>` }]
  }
  const opening = tag === undefined ? '' : `<${markup} ${attributes}>`
  const closing = tag === undefined ? `</${markup}>` : `</${markup}></${tag}>`
  return [
    ...head,
    { start: openTail.end, end: openTail.end, text: opening },
    ...parts.flatMap((part, at): readonly Edit[] => [
      { start: part.start, end: part.start, text: `<template #${at}>` },
      { start: part.end, end: part.end, text: '</template>' },
    ]),
    { start: closeStart, end, text: closing },
  ]
}
