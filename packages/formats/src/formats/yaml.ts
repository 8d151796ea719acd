import { fileNameOf } from '@servicekit/core'
import { createLines, isJsonObject, parseYamlTree } from '@servicekit/core'
import * as yaml from 'yaml'
import { byModuleAndLanguage } from '../by-file.ts'
import type { FileContent, OutputFile, WriteInput } from '../entry.ts'
import { invalidFile, parseFile, unsupportedMessage } from '../format-errors.ts'
import { formKey, groupTexts } from '../plural-keys.ts'
import { nestTexts, type TextTree } from './nest-texts.ts'
import { entriesOfTree, languageRoots } from './tree-entries.ts'

/**
 * Reads YAML with flat or nested keys, or with languages at the top as in Rails.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export function readYaml(text: string, path: string): FileContent {
  const root = parseFile(path, text, () => parseYamlTree(text, yaml))
  if (!isJsonObject(root)) {
    throw invalidFile(path, 'it is not a map of keys and texts', {
      line: 1,
      help: 'Write one key and its text per line, such as `KEY: text`.',
    })
  }
  const isRails = languageRoots(root, path) !== undefined
  return entriesOfTree(root, { path, lineAt: createLines(text), hasPluralObjects: isRails })
}

/** Writes a file of flat keys for each language and module. */
export const writeYaml = (input: WriteInput): readonly OutputFile[] =>
  byModuleAndLanguage(input).map(({ module, language, texts }) => ({
    path: `${fileNameOf(language)}/${fileNameOf(module)}.yml`,
    content: printYaml(texts),
  }))

/**
 * Writes a file of nested keys for each language and module.
 *
 * @throws ServicekitError EMIT_FAILED for a key that another one continues.
 */
export const writeNestedYaml = (input: WriteInput): readonly OutputFile[] =>
  byModuleAndLanguage(input).map(({ module, language, texts }) => ({
    path: `${fileNameOf(language)}/${fileNameOf(module)}.yml`,
    content: printYaml(nestTexts(texts, { module, format: 'Nested YAML' })),
  }))

/**
 * Writes a file as Rails reads it for each language and module: nested keys below the language.
 *
 * @throws ServicekitError EMIT_FAILED for a key that another one continues, or that Rails would take
 * for a plural form.
 */
export const writeRailsYaml = (input: WriteInput): readonly OutputFile[] =>
  byModuleAndLanguage(input).map(({ module, language, texts, messages }) => {
    const named = new Map<string, string>()
    const plurals = new Set<string>()
    const place = { module, format: 'YAML of Rails' }
    for (const group of groupTexts(texts, [...messages.keys()])) {
      if ('text' in group) named.set(group.key, group.text)
      // An object with one form would be read as a message.
      else if (group.forms.size < 2 || !group.forms.has('other')) {
        for (const [category, text] of group.forms) named.set(formKey(group.key, category), text)
      } else {
        plurals.add(group.key)
        for (const [category, text] of group.forms) named.set(`${group.key}.${category}`, text)
      }
    }
    const tree = nestTexts(named, place)
    rejectAccidentalPlurals(tree, plurals, place)
    return {
      path: `${fileNameOf(module)}.${fileNameOf(language)}.yml`,
      content: printYaml(new Map([[language, tree]])),
    }
  })

/** @throws ServicekitError EMIT_FAILED */
function rejectAccidentalPlurals(
  tree: TextTree,
  plurals: ReadonlySet<string>,
  { module, format }: { readonly module: string; readonly format: string },
  prefix = '',
): void {
  for (const [name, value] of tree) {
    if (typeof value === 'string') continue
    const key = prefix + name
    const parts = [...value]
    const looksPlural =
      parts.length > 1 &&
      value.has('other') &&
      parts.every(
        ([part, text]) =>
          typeof text === 'string' && /^(?:zero|one|two|few|many|other)$/.test(part),
      )
    if (looksPlural && !plurals.has(key)) {
      throw unsupportedMessage(
        format,
        { module, key: `${key}.other` },
        'its name would be a plural form',
        'Export with flat keys instead.',
      )
    }
    rejectAccidentalPlurals(value, plurals, { module, format }, `${key}.`)
  }
}

const printYaml = (tree: TextTree): string =>
  new yaml.Document(tree).toString({
    lineWidth: 0,
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
  })
