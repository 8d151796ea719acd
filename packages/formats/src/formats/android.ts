import { fileNameOf } from '@servicekit/core'
import { XmlComment } from '@rgrove/parse-xml'
import { byModuleAndLanguage, type ModuleTexts } from '../by-file.ts'
import type { FileContent, FileEntry, OutputFile, SkippedValue, WriteInput } from '../entry.ts'
import { unsupportedMessage } from '../format-errors.ts'
import { formKey, groupTexts, isCategory } from '../plural-keys.ts'
import {
  attribute,
  childrenOf,
  escapeAttribute,
  escapeText,
  localName,
  parseXmlFile,
  XmlElement,
  XmlText,
} from '../xml.ts'
import { escapeAndroid, unescapeAndroid } from './android-text.ts'

/**
 * Reads string resources of Android: strings, plurals and lists of strings.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export function readAndroid(text: string, path: string): FileContent {
  const file = parseXmlFile(path, text)
  if (localName(file.root) !== 'resources') {
    throw file.error(
      file.root,
      `its root is ${file.root.name}, and not resources`,
      'Choose a strings.xml of Android, or XLIFF.',
    )
  }
  const entries: FileEntry[] = []
  const skipped: SkippedValue[] = []
  let context: string | undefined
  for (const element of file.root.children) {
    if (element instanceof XmlComment) context = element.content.trim() || undefined
    if (!(element instanceof XmlElement)) continue
    const line = file.lineOf(element)
    const name = attribute(element, 'name')
    const add = (key: string, source: XmlElement): void => {
      const raw = markupOf(source)
      if (/^@(?:string|android:string)\//.test(raw.trim())) {
        skipped.push({ key, line, reason: 'refers to another resource' })
      } else entries.push({ key, value: unescapeAndroid(raw), line: file.lineOf(source), context })
    }
    if (name === undefined) throw file.error(element, `${element.name} has no name`)
    const items = childrenOf(element, 'item')
    if (element.name === 'string') add(name, element)
    else if (element.name === 'string-array') {
      for (const [index, item] of items.entries()) add(`${name}.${index}`, item)
    } else if (element.name === 'plurals') {
      for (const item of items) {
        const quantity = attribute(item, 'quantity') ?? ''
        if (!isCategory(quantity)) {
          throw file.error(item, `its quantity is ${JSON.stringify(quantity)}`, 'Use one or other.')
        }
        add(formKey(name, quantity), item)
      }
    } else skipped.push({ key: name, line, reason: `is a resource of the kind ${element.name}` })
    context = undefined
  }
  return { entries, skipped }
}

/** Returns the text of an element, with the tags inside it as text. */
function markupOf(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (child instanceof XmlText) return child.text
      if (!(child instanceof XmlElement)) return ''
      // Marks a part that is not translated.
      if (localName(child) === 'g') return markupOf(child)
      const attributes = Object.entries(child.attributes)
        .map(([name, value]) => ` ${name}=\\"${value}\\"`)
        .join('')
      const inner = markupOf(child)
      return inner === '' && child.children.length === 0
        ? `<${child.name}${attributes}/>`
        : `<${child.name}${attributes}>${inner}</${child.name}>`
    })
    .join('')
}

/**
 * Writes a file for each language and module. The source language is in `values`.
 *
 * @throws ServicekitError EMIT_FAILED for a name that Android does not accept.
 */
export const writeAndroid = (input: WriteInput): readonly OutputFile[] =>
  byModuleAndLanguage(input).map((texts) => {
    const { language, module } = texts
    if (!/^[a-z\d_]+$/.test(module)) {
      const [key = ''] = texts.texts.keys()
      throw unsupportedMessage(
        'Android',
        { module, key },
        `the name of its module ${JSON.stringify(module)} cannot be that of a file of resources`,
        'Use modules of small letters, digits and underscores, or export in another format.',
      )
    }
    const qualifier = `-b+${fileNameOf(language).replaceAll(/[-_]/g, '+')}`
    const folder = language === input.sourceLanguage ? 'values' : `values${qualifier}`
    return { path: `${folder}/${module}.xml`, content: printResources(texts) }
  })

/** Android refuses several placeholders without numbers, unless a text is no format. */
const hasUnordered = (text: string): boolean =>
  (text.replaceAll('%%', '').match(/%(?!\d+\$)/g)?.length ?? 0) > 1

function printResources({ texts, module, messages }: ModuleTexts): string {
  const print = (text: string): string => escapeText(escapeAndroid(text))
  const lines = groupTexts(texts, [...messages.keys()]).flatMap((group) => {
    const { key } = group
    if (!/^[A-Za-z_][\w.]*$/.test(key)) {
      const reason = 'names of resources have letters, digits, underscores and dots only'
      throw unsupportedMessage('Android', { module, key }, reason)
    }
    const name = escapeAttribute(key)
    if ('text' in group) {
      const attributes = hasUnordered(group.text) ? ' formatted="false"' : ''
      return [`    <string name="${name}"${attributes}>${print(group.text)}</string>`]
    }
    return [
      `    <plurals name="${name}">`,
      ...[...group.forms].map(
        ([category, text]) => `        <item quantity="${category}">${print(text)}</item>`,
      ),
      '    </plurals>',
    ]
  })
  const head = '<?xml version="1.0" encoding="utf-8"?>\n<resources>\n'
  return `${head}${lines.join('\n')}\n</resources>\n`
}
