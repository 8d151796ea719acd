import { parsePo, type PoItem } from 'pofile-ts'
import type { FileContent, FileEntry } from '../entry.ts'
import { invalidFile, parseFile } from '../format-errors.ts'
import { namesOfPath } from '../path-names.ts'
import { type Category, formKey } from '../plural-keys.ts'
import { categoriesOf } from './plural-forms-header.ts'
import { isKeyId, keyHeader, sourceHeader } from './write-po.ts'

const string = String.raw`"(?:[^"\\]|\\.)*"`
const linePattern = new RegExp(
  String.raw`^(?:#.*|(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)\s*${string}|${string})?$`,
)

/**
 * Reads a PO file of GNU gettext. The key is the message id after its context, or the context alone
 * in a file of `servicekit export`. If the ids are no identifiers, they are the source texts.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export function readPo(text: string, path: string): FileContent {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    // Obsolete messages are not used.
    .map((line) => (line.startsWith('#~') ? '' : line.trim()))
  const wrong = lines.findIndex((line) => !linePattern.test(line))
  if (wrong >= 0) {
    throw invalidFile(path, `${JSON.stringify(lines[wrong]!.slice(0, 60))} is not a line of PO`, {
      line: wrong + 1,
      help: 'Correct this line, or check the file with msgfmt -c.',
    })
  }
  const { headers, items } = parsePo(lines.join('\n'))
  const lineOf = linesOfItems(lines)
  const isOwn = headers[keyHeader as keyof typeof headers] === 'msgctxt'
  const source = headers[sourceHeader as keyof typeof headers] || undefined
  const language = headers.Language || namesOfPath(path).language
  const hasSourceIds = !isOwn && items.some(({ msgid }) => !/^[\w.:/-]+$/.test(msgid))
  const entries = items.flatMap((item, index): readonly FileEntry[] => {
    const { msgid, msgctxt, msgid_plural: plural, msgstr, flags, extractedComments } = item
    const key = isOwn ? (msgctxt ?? msgid) : msgctxt === null ? msgid : `${msgctxt}.${msgid}`
    const line = lineOf(index)
    const shared = { line, context: extractedComments.join('\n') || undefined }
    const categories =
      plural === null ? undefined : formsOf(item, { path, line, language, headers })
    const sources =
      hasSourceIds || (isOwn && !isKeyId(msgid, key) && !isKeyId(plural ?? '', key))
        ? sourcesOf(item, key).map((one) => ({
            ...shared,
            ...one,
            isSource: true,
            language: source,
          }))
        : []
    const state = flags['fuzzy'] ? ('needs-review' as const) : undefined
    const own = { ...shared, language, state }
    if (!categories) return [...sources, { ...own, key, value: msgstr[0] ?? '' }]
    const texts = categories.map((category, form) => [category, msgstr[form] ?? ''] as const)
    // Every plural message has this form; gettext has none for fractions.
    if (!categories.includes('other')) texts.push(['other', msgstr[categories.length - 1] ?? ''])
    return [
      ...sources,
      ...texts.map(([category, value]) => ({ ...own, key: formKey(key, category), value })),
    ]
  })
  return { entries, skipped: [] }
}

const sourcesOf = ({ msgid, msgid_plural: plural }: PoItem, key: string) =>
  plural === null
    ? [{ key, value: msgid }]
    : [
        { key: formKey(key, 'one'), value: msgid },
        { key: formKey(key, 'other'), value: plural },
      ]

function formsOf(
  { msgid }: PoItem,
  {
    path,
    line,
    language,
    headers,
  }: {
    readonly path: string
    readonly line: number | undefined
    readonly language: string | undefined
    readonly headers: Readonly<Record<string, string | undefined>>
  },
): readonly Category[] {
  const header = headers['Plural-Forms'] || 'nplurals=2; plural=(n != 1);'
  const fail = (problem: string, help: string): never => {
    throw invalidFile(path, problem, { line, help })
  }
  const categories = parseFile(path, header, () => {
    try {
      return categoriesOf(header, language)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return fail(error.message, 'Correct the header Plural-Forms.')
    }
  })
  return (
    categories ??
    fail(
      `Plural-Forms of the message ${JSON.stringify(msgid)} do not fit the language ${language ?? 'of the file, which it does not tell'}`,
      'Set the headers Language and Plural-Forms as GNU gettext lists them for the language.',
    )
  )
}

/** Returns a function that returns the line of a message by its index. */
function linesOfItems(lines: readonly string[]): (index: number) => number | undefined {
  const found = lines.flatMap((line, index) => (/^msgid\s*"/.test(line) ? [index + 1] : []))
  const isHeader = (line: number): boolean =>
    /^msgid\s*""$/.test(lines[line - 1]!) &&
    (lines[line] ?? '').startsWith('msgstr') &&
    !(lines[line - 2] ?? '').startsWith('msgctxt')
  const items = found.filter((line) => !isHeader(line))
  return (index) => items[index]
}
