import { fileNameOf } from '@servicekit/core'
import { createLines, isJsonObject, type JsonObject } from '@servicekit/core'
import { byModule } from '../by-file.ts'
import type {
  EntryState,
  FileContent,
  FileEntry,
  OutputFile,
  SkippedValue,
  WriteInput,
} from '../entry.ts'
import { invalidFile } from '../format-errors.ts'
import { type Category, formKey, groupTexts, isCategory } from '../plural-keys.ts'
import { parseJsonObject } from './json.ts'

/**
 * Reads a string catalog of Xcode. A key without a text in the source language is its own text.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export function readXcstrings(text: string, path: string): FileContent {
  const root = parseJsonObject(text, path)
  const lineAt = createLines(text)
  const strings = objectIn(root, 'strings')
  const source = textIn(root, 'sourceLanguage')
  if (!strings || source === undefined) {
    throw invalidFile(path, 'it is not a string catalog: strings or sourceLanguage is missing', {
      line: 1,
      help: 'Choose a .xcstrings file of Xcode.',
    })
  }
  const entries: FileEntry[] = []
  const skipped: SkippedValue[] = []
  for (const [key, { node, offset }] of [...strings.repeated, ...strings.entries]) {
    if (!isJsonObject(node)) continue
    const line = lineAt(offset)
    const context = textIn(node, 'comment')
    const languages = objectIn(node, 'localizations')?.entries ?? new Map()
    for (const [language, { node: localization }] of languages) {
      if (!isJsonObject(localization)) continue
      const forms = formsOf(localization)
      if (!forms) {
        skipped.push({
          key,
          line,
          reason: `varies in ${language} by device, or by several numbers`,
        })
        continue
      }
      for (const [category, { value, state }] of forms) {
        const name = category === undefined ? key : formKey(key, category)
        entries.push({ key: name, value, line, language, state, context })
      }
    }
    if (!languages.has(source)) {
      entries.push({ key, value: key, line, language: source, isSource: true, context })
    }
  }
  return { entries, skipped }
}

interface Unit {
  readonly value: string
  readonly state: EntryState | undefined
}

/** Returns the texts by plural form, or the only one; undefined for other variations. */
function formsOf(
  localization: JsonObject,
): readonly (readonly [Category | undefined, Unit])[] | undefined {
  if (localization.entries.has('substitutions')) return undefined
  const variations = objectIn(localization, 'variations')
  if (!variations) {
    const unit = unitOf(localization)
    return unit ? [[undefined, unit]] : []
  }
  const plural = objectIn(variations, 'plural')
  if (!plural || variations.entries.size > 1) return undefined
  return [...plural.entries].flatMap(([category, { node }]) => {
    const unit = isJsonObject(node) ? unitOf(node) : undefined
    return unit && isCategory(category) ? [[category, unit] as const] : []
  })
}

function unitOf(parent: JsonObject): Unit | undefined {
  const unit = objectIn(parent, 'stringUnit')
  const value = unit && textIn(unit, 'value')
  if (value === undefined) return undefined
  const state = textIn(unit!, 'state')
  const known = { new: 'untranslated', needs_review: 'needs-review' } as const
  return { value, state: Object.hasOwn(known, state ?? '') ? known[state as 'new'] : undefined }
}

function objectIn({ entries }: JsonObject, name: string): JsonObject | undefined {
  const node = entries.get(name)?.node
  return node && isJsonObject(node) ? node : undefined
}

function textIn({ entries }: JsonObject, name: string): string | undefined {
  const node = entries.get(name)?.node
  return node && !isJsonObject(node) && typeof node.value === 'string' ? node.value : undefined
}

/** Writes a catalog with all languages for each module. */
export const writeXcstrings = ({
  messages,
  languages,
  sourceLanguage,
}: WriteInput): readonly OutputFile[] =>
  [...byModule(messages)].map(([module, own]) => {
    const keys = [...own.keys()]
    const strings = new Map<string, Map<string, unknown>>()
    for (const language of new Set([sourceLanguage, ...languages])) {
      const texts = new Map<string, string>()
      for (const [key, { texts: all }] of own) {
        const text = all.get(language)
        if (text) texts.set(key, text)
      }
      for (const group of groupTexts(texts, keys)) {
        const localizations = strings.get(group.key) ?? new Map<string, unknown>()
        strings.set(group.key, localizations.set(language, localizationOf(group)))
      }
    }
    const lines = [...strings].map(([key, localizations]) => {
      // Without a text in the source language, the key would be taken for it.
      if (!localizations.has(sourceLanguage)) {
        localizations.set(sourceLanguage, unit('', 'new'))
      }
      const context = (own.get(key) ?? own.get(formKey(key, 'other')))?.context
      const value = {
        ...(context !== undefined && { comment: context }),
        extractionState: 'manual',
        localizations: Object.fromEntries(localizations),
      }
      return `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`
    })
    return {
      path: `${fileNameOf(module)}.xcstrings`,
      content: `{\n  "sourceLanguage": ${JSON.stringify(sourceLanguage)},\n  "strings": {\n${lines.join(',\n')}\n  },\n  "version": "1.0"\n}\n`,
    }
  })

const unit = (value: string, state = 'translated') => ({ stringUnit: { state, value } })

const localizationOf = (group: ReturnType<typeof groupTexts>[number]): unknown =>
  'text' in group
    ? unit(group.text)
    : {
        variations: {
          plural: Object.fromEntries([...group.forms].map(([name, text]) => [name, unit(text)])),
        },
      }
