import type { JSXOpeningElement, Node } from '@babel/types'
import { type FileEdit, type ManualEdit, replaceText } from './edits.ts'
import { addImport, parseModule } from './syntax.ts'

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
  const html = file && findElement(file.program, 'html')
  if (!html) {
    const lines = ["import { htmlAttributes } from '~uilm'", '<html {...htmlAttributes()}>']
    return { path, reason: 'it has no <html>', lines }
  }
  const lang = html.attributes.find(
    (one) =>
      one.type === 'JSXAttribute' && one.name.type === 'JSXIdentifier' && one.name.name === 'lang',
  )
  const [start, end] = lang ? [lang.start!, lang.end!] : [html.name.end!, html.name.end!]
  const attributes = `${lang ? '' : ' '}{...htmlAttributes()}`
  const after = text.slice(0, start) + attributes + text.slice(end)
  return replaceText(
    path,
    text,
    addImport(path, after, { names: '{ htmlAttributes }', from: '~uilm' }),
  )
}

function findElement(node: Node, name: string): JSXOpeningElement | undefined {
  if (node.type === 'JSXOpeningElement' && node.name.type === 'JSXIdentifier') {
    if (node.name.name === name) return node
  }
  for (const child of Object.values(node).flat()) {
    if (typeof child !== 'object' || child === null || !('type' in child)) continue
    const found = findElement(child as Node, name)
    if (found) return found
  }
  return undefined
}
