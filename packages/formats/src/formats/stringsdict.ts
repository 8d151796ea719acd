import type { FileContent, FileEntry, SkippedValue } from '../entry.ts'
import { unsupportedMessage } from '../format-errors.ts'
import { formKey, isCategory, type TextGroup } from '../plural-keys.ts'
import {
  childrenOf,
  escapeText,
  localName,
  parseXmlFile,
  unprintableIn,
  type XmlElement,
  type XmlFile,
} from '../xml.ts'

/**
 * Reads a .stringsdict file of Apple: messages with one plural each. The text around the plural is
 * added to each of its forms.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export function readStringsDict(text: string, path: string): FileContent {
  const file = parseXmlFile(path, text)
  const [dictionary] = childrenOf(file.root, 'dict')
  if (localName(file.root) !== 'plist' || !dictionary) {
    throw file.error(
      file.root,
      'it is not a property list with a dictionary',
      'Choose a .stringsdict file, or export it again.',
    )
  }
  const entries: FileEntry[] = []
  const skipped: SkippedValue[] = []
  for (const [key, element] of pairsOf(dictionary, file)) {
    const line = file.lineOf(element)
    const parts = pairsOf(element, file)
    const format = parts.get('NSStringLocalizedFormatKey')?.text ?? ''
    const variables = [...format.matchAll(/%(?:\d+\$)?#@([^@]*)@/g)]
    const [only] = variables
    if (variables.length !== 1 || !only) {
      skipped.push({ key, line, reason: 'combines several plurals, or has none' })
      continue
    }
    const [before, after] = [format.slice(0, only.index), format.slice(only.index + only[0].length)]
    const rule = parts.get(only[1]!)
    if (!rule) throw file.error(element, `the variable ${only[1]} of ${key} is missing`)
    for (const [category, form] of pairsOf(rule, file)) {
      if (!isCategory(category)) continue
      const value = `${before}${form.text}${after}`
      entries.push({ key: formKey(key, category), value, line: file.lineOf(form) })
    }
  }
  return { entries, skipped }
}

/** Returns the values of a dictionary by their keys. */
function pairsOf(dictionary: XmlElement, file: XmlFile): ReadonlyMap<string, XmlElement> {
  const children = childrenOf(dictionary)
  const pairs = new Map<string, XmlElement>()
  for (let index = 0; index < children.length; index += 2) {
    const [key, value] = [children[index]!, children[index + 1]]
    if (localName(key) !== 'key' || !value) {
      throw file.error(key, 'a dictionary has a value without a key', 'Write <key> before it.')
    }
    pairs.set(key.text, value)
  }
  return pairs
}

/**
 * Prints plural messages as a .stringsdict file.
 *
 * @throws ServicekitError EMIT_FAILED for a character that XML cannot contain.
 */
export function printStringsDict(
  groups: readonly TextGroup[],
  module: string,
  language: string,
): string {
  const print = (key: string, text: string): string => {
    const character = unprintableIn(text)
    if (character === undefined) return escapeText(text)
    throw unsupportedMessage(
      'Apple .stringsdict',
      { module, key, language },
      `XML has no form for the character ${character}`,
    )
  }
  const dictionaries = groups.flatMap((group) => {
    if ('text' in group) return []
    const { key, forms } = group
    const pairs = [...forms].map(
      ([category, text]) =>
        `            <key>${category}</key>\n            <string>${print(formKey(key, category), text)}</string>`,
    )
    return [
      `    <key>${print(key, key)}</key>`,
      '    <dict>',
      '        <key>NSStringLocalizedFormatKey</key>',
      '        <string>%#@count@</string>',
      '        <key>count</key>',
      '        <dict>',
      '            <key>NSStringFormatSpecTypeKey</key>',
      '            <string>NSStringPluralRuleType</string>',
      '            <key>NSStringFormatValueTypeKey</key>',
      '            <string>d</string>',
      ...pairs,
      '        </dict>',
      '    </dict>',
    ]
  })
  const head =
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
  return `${head}<plist version="1.0">\n<dict>\n${dictionaries.join('\n')}\n</dict>\n</plist>\n`
}
