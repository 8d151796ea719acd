import { fileNameOf } from '@servicekit/core'
import { createItem, createPoFile, type PoItem, stringifyPo } from 'pofile-ts'
import { byModuleAndLanguage, type ModuleTexts } from '../by-file.ts'
import type { OutputFile, WriteInput } from '../entry.ts'
import { formKey, groupTexts, type TextGroup } from '../plural-keys.ts'
import { gettextForms, type GettextForms } from './plural-forms-header.ts'

/** Header that tells where the keys are. */
export const keyHeader = 'X-Servicekit-Key'
/** Header with the language of the message ids. */
export const sourceHeader = 'X-Source-Language'

/**
 * Writes a file for each language and module. The context of a message is its key, and its id the
 * source text, which translators see.
 */
export const writePo = (input: WriteInput): readonly OutputFile[] =>
  byModuleAndLanguage(input).map((texts) => {
    const { language, module, messages } = texts
    const forms = gettextForms(language)
    const file = createPoFile()
    Object.assign(file.headers, {
      Language: language.replaceAll('-', '_'),
      'MIME-Version': '1.0',
      'Content-Type': 'text/plain; charset=UTF-8',
      'Content-Transfer-Encoding': '8bit',
      'Plural-Forms': forms?.header ?? 'nplurals=1; plural=0;',
      [keyHeader]: 'msgctxt',
      [sourceHeader]: input.sourceLanguage,
    })
    const groups = groupTexts(texts.texts, [...messages.keys()])
    file.items = groups.flatMap((group) => itemsOf(group, texts, forms, input.sourceLanguage))
    return {
      path: `${fileNameOf(language)}/${fileNameOf(module)}.po`,
      content: `${stringifyPo(file).trimEnd()}\n`,
    }
  })

function itemsOf(
  group: TextGroup,
  { messages }: ModuleTexts,
  forms: GettextForms | undefined,
  sourceLanguage: string,
): readonly PoItem[] {
  const sourceOf = (key: string): string | undefined =>
    messages.get(key)?.texts.get(sourceLanguage) || undefined
  const itemOf = (key: string, text: string): PoItem =>
    Object.assign(createItem(), {
      msgctxt: key,
      msgid: idFor(key, sourceOf(key), [text]),
      msgstr: [text],
      extractedComments: messages.get(key)?.context?.split(/\r\n|\r|\n/) ?? [],
    })
  if ('text' in group) return [itemOf(group.key, group.text)]
  const { key, forms: texts } = group
  const categories = forms?.categories ?? []
  const last = categories.at(-1) ?? 'other'
  const isComplete =
    texts.size === categories.length + (categories.includes('other') ? 0 : 1) &&
    categories.every((category) => texts.has(category)) &&
    // A reader takes the last form for fractions.
    (categories.includes('other') || texts.get('other') === texts.get(last))
  const [one, other] = [sourceOf(formKey(key, 'one')), sourceOf(formKey(key, 'other'))]
  const hasSources = (one === undefined) === (other === undefined)
  const list = categories.map((category) => texts.get(category)!)
  // Forms that gettext does not have for the language are messages of their own.
  if (!isComplete || !hasSources || new Set(list.map(lineEnds)).size > 1) {
    return [...texts].map(([category, text]) => itemOf(formKey(key, category), text))
  }
  const context = messages.get(formKey(key, 'other'))?.context
  return [
    Object.assign(createItem(), {
      msgctxt: key,
      msgid: idFor(key, other === undefined ? undefined : one, [...list, other ?? list[0]!]),
      msgid_plural: idFor(key, one === undefined ? undefined : other, [...list, one ?? list[0]!]),
      msgstr: list,
      extractedComments: context?.split(/\r\n|\r|\n/) ?? [],
    }),
  ]
}

/** Returns whether a text begins and ends with a line break. */
const lineEnds = (text: string): string =>
  `${text.startsWith('\n') ? '\n' : ''}*${text.endsWith('\n') ? '\n' : ''}`

/**
 * Returns the id of a message: its source text, or its key. GNU gettext requires that an id begins
 * and ends with a line break if the texts do.
 */
function idFor(key: string, source: string | undefined, texts: readonly string[]): string {
  const isSame = source !== undefined && texts.every((text) => lineEnds(text) === lineEnds(source))
  return isSame ? source : lineEnds(texts[0]!).replace('*', () => key)
}

/** Returns whether an id is a key, as {@link writePo} writes it without a source text. */
export const isKeyId = (id: string, key: string): boolean => id.replaceAll(/^\n|\n$/g, '') === key
