import { posix } from 'node:path'
import type { JSXElement, JSXFragment, Node } from '@babel/types'
import { sourceTypeOf } from '@servicekit/catalog'
import { replaceText, type FileEdit, type ManualEdit } from './edits.ts'
import {
  addImport,
  defaultExport,
  findDeclaration,
  parseModule,
  returnedBy,
  unwrap,
} from './syntax.ts'

/** Component to show on a page. */
export interface ComponentUse {
  readonly name: string
  /** Specifier of its module, as the page imports it. */
  readonly from: string
  /** `true` if the module exports it by default, as files of Vue and Svelte do. */
  readonly isDefault: boolean
}

/** Shows a component first on a page. */
export function addComponent(
  path: string,
  text: string,
  use: ComponentUse,
): FileEdit | ManualEdit | undefined {
  if (text.includes(use.from)) return undefined
  const type = sourceTypeOf(path)
  const after =
    type === 'vue'
      ? addToVue(text, use)
      : type === 'svelte'
        ? addToSvelte(text, use)
        : type === 'astro'
          ? addToAstro(text, use)
          : addToJsx(path, text, use)
  if (after !== undefined) return replaceText(path, text, after)
  return {
    path,
    reason: 'its structure is not known',
    lines: [importLine(use), `<${use.name} />`],
  }
}

const namesOf = ({ name, isDefault }: ComponentUse): string => (isDefault ? name : `{ ${name} }`)

const importLine = (use: ComponentUse, semicolon = ''): string =>
  `import ${namesOf(use)} from '${use.from}'${semicolon}`

function addToJsx(path: string, text: string, use: ComponentUse): string | undefined {
  const file = parseModule(path, text)
  if (!file) return undefined
  const exported = defaultExport(file)
  const name = exported?.type === 'Identifier' ? exported.name : componentName(path)
  const component =
    exported && exported.type !== 'Identifier' ? exported : findDeclaration(file, name)
  const returned = component && returnedBy(component)
  const element = returned && unwrap(returned)
  if (!element || !isJsx(element)) return undefined
  const shown = showIn(text, element, `<${use.name} />`)
  return addImport(path, shown, { names: namesOf(use), from: use.from })
}

/** Returns the usual name of the component in a file: `App` for `src/app.tsx`. */
const componentName = (path: string): string => {
  const name = posix.basename(path).replace(/\.\w+$/, '')
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

const isJsx = (node: Node): node is JSXElement | JSXFragment =>
  node.type === 'JSXElement' || node.type === 'JSXFragment'

function showIn(text: string, element: JSXElement | JSXFragment, tag: string): string {
  const opening = element.type === 'JSXElement' ? element.openingElement : element.openingFragment
  const outer = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', element.start!) + 1))![0]
  const inner = text.slice(element.start!, element.end!)
  if (!inner.includes('\n') || (opening.type === 'JSXOpeningElement' && opening.selfClosing)) {
    const wrapped = `(\n${outer}  <>\n${outer}    ${tag}\n${outer}    ${inner}\n${outer}  </>\n${outer})`
    const isParenthesized = /\(\s*$/.test(text.slice(0, element.start!))
    const value = isParenthesized ? wrapped.slice(1, -1).trim() : wrapped
    return text.slice(0, element.start!) + value + text.slice(element.end!)
  }
  const at = opening.end!
  return `${text.slice(0, at)}\n${outer}  ${tag}${text.slice(at)}`
}

function addToVue(text: string, use: ComponentUse): string | undefined {
  const template = /^<template>[^\S\n]*$/m.exec(text)
  if (!template) return undefined
  const at = template.index + template[0].length
  const shown = `${text.slice(0, at)}\n  <${use.name} />${text.slice(at)}`
  const script = /^<script\b[^>]*\bsetup\b[^>]*>/m.exec(shown)
  if (script) return afterOpening(shown, script, importLine(use))
  if (/^<script\b/m.test(shown)) return undefined
  return `<script setup lang="ts">\n${importLine(use)}\n</script>\n\n${shown}`
}

function addToSvelte(text: string, use: ComponentUse): string | undefined {
  const script = /^<script(?![^>]*\bmodule\b)[^>]*>/m.exec(text)
  const tag = `<${use.name} />`
  if (!script) return `<script>\n\t${importLine(use, ';')}\n</script>\n\n${tag}\n${text}`
  const end = text.indexOf('</script>', script.index)
  if (end === -1) return undefined
  const at = end + '</script>'.length
  const indent = /^[ \t]*/m.exec(text.slice(script.index + script[0].length + 1))![0]
  const shown = `${text.slice(0, at)}\n\n${tag}${text.slice(at)}`
  return afterOpening(shown, script, indent + importLine(use))
}

function addToAstro(text: string, use: ComponentUse): string | undefined {
  const body = /<(?:body|main)\b[^>]*>/.exec(text)
  if (!body) return undefined
  const at = body.index + body[0].length
  const shown = `${text.slice(0, at)}\n    <${use.name} />${text.slice(at)}`
  const line = importLine(use)
  return /^---\r?\n/.test(shown)
    ? shown.replace(/^---\r?\n/, `---\n${line}\n`)
    : `---\n${line}\n---\n${shown}`
}

function afterOpening(text: string, opening: RegExpExecArray, line: string): string {
  const at = opening.index + opening[0].length
  return `${text.slice(0, at)}\n${line}${text.slice(at)}`
}
