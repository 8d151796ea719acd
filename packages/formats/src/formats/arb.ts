import { isJsonObject, type JsonObject } from '@servicekit/core'
import { byModuleAndLanguage } from '../by-file.ts'
import type { FileContent, FileEntry, OutputFile, SkippedValue, WriteInput } from '../entry.ts'
import { fileNameOf } from '@servicekit/core'
import { unsupportedMessage } from '../format-errors.ts'

/** Reads an Application Resource Bundle, the format of Flutter. */
export function readArb(
  { entries: properties, repeated }: JsonObject,
  lineAt: (offset: number) => number,
): FileContent {
  const textOf = (name: string, tree: JsonObject = { entries: properties, repeated }) => {
    const node = tree.entries.get(name)?.node
    return node && !isJsonObject(node) && typeof node.value === 'string' ? node.value : undefined
  }
  const language = textOf('@@locale')
  const entries: FileEntry[] = []
  const skipped: SkippedValue[] = []
  for (const [key, { node, offset }] of [...repeated, ...properties]) {
    if (key.startsWith('@')) continue
    const line = lineAt(offset)
    if (isJsonObject(node) || (typeof node.value !== 'string' && node.value !== null)) {
      skipped.push({ key, line, reason: 'is not a text' })
      continue
    }
    const metadata = properties.get(`@${key}`)?.node
    const context = metadata && isJsonObject(metadata) ? textOf('description', metadata) : undefined
    entries.push({ key, value: String(node.value ?? ''), line, language, context })
  }
  return { entries, skipped }
}

/**
 * Writes a file for each language and module.
 *
 * @throws ServicekitError EMIT_FAILED for a key that begins with `@`, as metadata does.
 */
export const writeArb = (input: WriteInput): readonly OutputFile[] =>
  byModuleAndLanguage(input).map(({ module, language, texts, messages }) => {
    const lines = [`  "@@locale": ${JSON.stringify(language)}`]
    for (const [key, text] of texts) {
      if (key.startsWith('@')) {
        throw unsupportedMessage('ARB', { module, key }, 'names that begin with @ are metadata')
      }
      lines.push(`  ${JSON.stringify(key)}: ${JSON.stringify(text)}`)
      const context = messages.get(key)?.context
      if (context && language === input.sourceLanguage) {
        lines.push(`  ${JSON.stringify(`@${key}`)}: { "description": ${JSON.stringify(context)} }`)
      }
    }
    return {
      path: `${fileNameOf(module)}_${fileNameOf(language.replaceAll('-', '_'))}.arb`,
      content: `{\n${lines.join(',\n')}\n}\n`,
    }
  })
