import type { JSXOpeningElement, Node } from '@babel/types'
import { type FileEdit, type ManualEdit, replaceText } from './edits.ts'
import { addImport, findNode, parseModule } from './syntax.ts'

/**
 * Lets the messages set `lang` and `dir` of `<html>`, so that the browser hydrates the
 * attributes that the server rendered.
 */
export function addLanguageAttributes(
  path: string,
  text: string,
): FileEdit | ManualEdit | undefined {
  if (text.includes('htmlAttributes')) return undefined
  const file = parseModule(path, text)
  const html = file && findNode(file.program, isHtml)
  if (!html) {
    const lines = ["import { htmlAttributes } from '~uilm'", '<html {...htmlAttributes()}>']
    return { path, reason: 'it has no <html>', lines }
  }
  const [first, ...others] = html.attributes.filter(
    (one) =>
      one.type === 'JSXAttribute' &&
      one.name.type === 'JSXIdentifier' &&
      (one.name.name === 'lang' || one.name.name === 'dir'),
  )
  const spread = '{...htmlAttributes()}'
  const withoutOthers = others.toReversed().reduce(removeAttribute, text)
  const after = first
    ? withoutOthers.slice(0, first.start!) + spread + withoutOthers.slice(first.end!)
    : `${text.slice(0, html.name.end!)} ${spread}${text.slice(html.name.end!)}`
  return replaceText(
    path,
    text,
    addImport(path, after, { names: '{ htmlAttributes }', from: '~uilm' }),
  )
}

const removeAttribute = (text: string, { start, end }: Node): string =>
  text.slice(0, start!).trimEnd() + text.slice(end!)

const isHtml = (node: Node): node is JSXOpeningElement =>
  node.type === 'JSXOpeningElement' &&
  node.name.type === 'JSXIdentifier' &&
  node.name.name === 'html'
