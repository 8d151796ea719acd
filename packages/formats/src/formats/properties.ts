import { fileNameOf } from '@servicekit/core'
import { createLines } from '@servicekit/core'
import { Properties } from 'properties-file/parser'
import { escapeKey, escapeValue } from 'properties-file/escape'
import { byModuleAndLanguage } from '../by-file.ts'
import type { FileContent, FileEntry, OutputFile, WriteInput } from '../entry.ts'
import { invalidFile } from '../format-errors.ts'

/**
 * Reads a file of Java properties. Comments above a key are notes for translators.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export function readProperties(text: string, path: string): FileContent {
  const entries: FileEntry[] = []
  let comments: string[] = []
  for (const node of nodesOf(text, path)) {
    if (node.type === 'comment') comments.push(node.body.trim())
    else if (node.type === 'blank') comments = []
    else {
      const context = comments.join('\n') || undefined
      entries.push({ key: node.key, value: node.value, line: node.startingLineNumber, context })
      comments = []
    }
  }
  return { entries, skipped: [] }
}

/** The only error of the parser, which does not tell its place. */
const malformed = /\\u(?![\dA-Fa-f]{4})/

function nodesOf(text: string, path: string) {
  try {
    return new Properties(text).nodes
  } catch (cause) {
    const problem = (cause as Error).message
    throw invalidFile(path, `it is not a valid properties file: ${problem}`, {
      line: createLines(text)(text.search(malformed)),
      help: 'Write Unicode escapes with four hexadecimal digits, and a backslash as two.',
      cause,
    })
  }
}

/** Writes a file in ASCII, which every version of Java reads, for each language and module. */
export const writeProperties = (input: WriteInput): readonly OutputFile[] =>
  byModuleAndLanguage(input).map(({ module, language, texts }) => ({
    path: `${fileNameOf(module)}_${fileNameOf(language.replaceAll('-', '_'))}.properties`,
    content: [...texts]
      .map(([key, text]) => `${escapeKey(key, true)}=${escapeValue(text, true)}\n`)
      .join(''),
  }))
