import { createLines, isJsonObject, type JsonObject, parseJsonTree } from '@servicekit/core'
import { fileNameOf } from '@servicekit/core'
import { byModuleAndLanguage } from '../by-file.ts'
import type { FileContent, OutputFile, WriteInput } from '../entry.ts'
import { invalidFile, parseFile } from '../format-errors.ts'
import { nestTexts, type TextTree } from './nest-texts.ts'
import { entriesOfTree } from './tree-entries.ts'
import { readArb } from './arb.ts'

/**
 * Reads JSON with flat or nested keys, or with languages at the top, and ARB.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export function readJson(text: string, path: string): FileContent {
  const root = parseJsonObject(text, path)
  const lineAt = createLines(text)
  const isArb = path.toLowerCase().endsWith('.arb') || root.entries.has('@@locale')
  return isArb ? readArb(root, lineAt) : entriesOfTree(root, { path, lineAt })
}

/** Parses a JSON file that must be an object. @throws ServicekitError CATALOG_INVALID */
export function parseJsonObject(text: string, path: string): JsonObject {
  const root = parseFile(path, text, () => parseJsonTree(text))
  if (isJsonObject(root)) return root
  throw invalidFile(path, 'it is not an object of keys and texts', {
    line: 1,
    help: 'Write {"KEY": "text"}, or export the file again as JSON.',
  })
}

/** Writes a file of flat keys for each language and module. */
export const writeJson = (input: WriteInput): readonly OutputFile[] =>
  byModuleAndLanguage(input).map(({ module, language, texts }) => ({
    path: `${fileNameOf(language)}/${fileNameOf(module)}.json`,
    content: `${printTree(texts)}\n`,
  }))

/**
 * Writes a file of nested keys for each language and module.
 *
 * @throws ServicekitError EMIT_FAILED for a key that another one continues.
 */
export const writeNestedJson = (input: WriteInput): readonly OutputFile[] =>
  byModuleAndLanguage(input).map(({ module, language, texts }) => ({
    path: `${fileNameOf(language)}/${fileNameOf(module)}.json`,
    content: `${printTree(nestTexts(texts, { module, format: 'Nested JSON' }))}\n`,
  }))

/** Prints a tree as JSON. An object would reorder numeric names and lose `__proto__`. */
export function printTree(tree: TextTree, indent = ''): string {
  const lines = [...tree].map(([name, value]) => {
    const printed =
      typeof value === 'string' ? JSON.stringify(value) : printTree(value, `${indent}  `)
    return `${indent}  ${JSON.stringify(name)}: ${printed}`
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`
}
