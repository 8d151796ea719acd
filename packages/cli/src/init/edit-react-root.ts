import type { CallExpression, JSXElement, Node } from '@babel/types'
import { type FileEdit, type ManualEdit, replaceText } from './edits.ts'
import { addImport, findNode, parseModule } from './syntax.ts'

/** Lines to add by hand. */
export const providerLines = [
  "import { LanguageProvider } from '~uilm/react'",
  '<LanguageProvider><App /></LanguageProvider>',
] as const

/** Renders an application in `<LanguageProvider>`: what its first file renders, or its routes. */
export function addLanguageProvider(path: string, text: string): FileEdit | ManualEdit | undefined {
  if (text.includes('LanguageProvider')) return undefined
  const file = parseModule(path, text)
  const render = file && findNode(file.program, isRender)
  const element = render?.arguments.find(isElement) ?? (file && findNode(file.program, isOutlet))
  if (!element) return { path, reason: 'it renders no element', lines: [...providerLines] }
  const after = text.slice(0, element.start!) + provided(text, element) + text.slice(element.end!)
  const use = { names: '{ LanguageProvider }', from: '~uilm/react' }
  return replaceText(path, text, addImport(path, after, use))
}

function provided(text: string, { start, end }: JSXElement): string {
  const inner = text.slice(start!, end!)
  const line = text.slice(text.lastIndexOf('\n', start!) + 1, start!)
  // An element that does not begin its line has no indentation of its own.
  if (line.trim() !== '' && !inner.includes('\n')) {
    return `<LanguageProvider>${inner}</LanguageProvider>`
  }
  const indent = /^[ \t]*/.exec(line)![0]
  const step = indent.includes('\t') ? '\t' : '  '
  const lines = inner.split('\n').map((one) => (one.trim() === '' ? one : step + one))
  return `<LanguageProvider>\n${indent}${lines.join('\n')}\n${indent}</LanguageProvider>`
}

/** Recognises `createRoot(…).render(…)`, `root.render(…)` and `hydrateRoot(…)`. */
const isRender = (node: Node): node is CallExpression => {
  if (node.type !== 'CallExpression') return false
  const { callee } = node
  const name = callee.type === 'MemberExpression' ? callee.property : callee
  if (name.type !== 'Identifier' || !['render', 'hydrateRoot'].includes(name.name)) return false
  return node.arguments.some(isElement)
}

const isElement = (node: Node): node is JSXElement => node.type === 'JSXElement'

const isOutlet = (node: Node): node is JSXElement =>
  isElement(node) &&
  node.openingElement.name.type === 'JSXIdentifier' &&
  node.openingElement.name.name === 'Outlet'
