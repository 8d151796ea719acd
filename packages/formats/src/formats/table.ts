import type { FileContent, FileEntry, Message, SkippedValue, WriteInput } from '../entry.ts'
import { invalidFile } from '../format-errors.ts'
import { isLanguageName } from '../language-name.ts'
import { byModule } from '../by-file.ts'

/** Meaning of a column; a language is written as `language:de-DE`. */
type ColumnRole =
  | 'key'
  | 'module'
  | 'source'
  | 'text'
  | 'context'
  | 'maxLength'
  | `language:${string}`
  | 'ignored'

/** Meaning of columns by their header, which takes precedence over the meaning of their names. */
export type ColumnRoles = ReadonlyMap<string, ColumnRole>

/** Row of a table with its one-based line. */
export interface TableRow {
  readonly cells: readonly string[]
  readonly line: number
}

const namesByRole: Readonly<Record<string, RegExp>> = {
  key: /^(?:key|keys|key ?name|id|identifier|string ?id|message ?id|msgid|name|resname)$/,
  module: /^(?:module|namespace|file|file ?name|section|group|original)$/,
  source: /^(?:source|source ?(?:text|string|language)|original ?(?:text|string)|base)$/,
  text: /^(?:translation|translations|target|target ?text|text|value|msgstr)$/,
  context: /^(?:context|description|comment|comments|note|notes)$/,
  maxLength: /^(?:max ?length|limit|character ?limit|max ?chars)$/,
}

/** Returns the meaning of a column by its header: `key`, `de-DE`, `German (de-DE)`. */
function roleOf(header: string, languages: readonly string[]): ColumnRole {
  const plain = header.trim()
  const words = plain.toLowerCase().replaceAll(/[\s_-]+/g, ' ')
  const [role] = Object.entries(namesByRole).find(([, names]) => names.test(words)) ?? []
  if (role !== undefined) return role as ColumnRole
  const inParentheses = /\(([^()]+)\)\s*$/.exec(plain)?.[1]
  const code = [plain, inParentheses].find(
    (one) => one !== undefined && (languages.includes(one) || isLanguageName(one)),
  )
  return code === undefined ? 'ignored' : `language:${code}`
}

/**
 * Returns the entries of a table whose first row names its columns.
 *
 * @throws ServicekitError CATALOG_INVALID if no column has the keys, or none has texts.
 */
export function entriesOfTable(
  [header, ...rows]: readonly TableRow[],
  {
    path,
    languages,
    columns,
  }: {
    readonly path: string
    readonly languages: readonly string[]
    readonly columns: ColumnRoles
  },
): FileContent {
  const names = (header?.cells ?? []).map((name) => name.trim())
  const roles = names.map((name) => columns.get(name) ?? roleOf(name, languages))
  const fail = (what: string): never => {
    throw invalidFile(path, `no column has ${what}`, {
      line: header?.line ?? 1,
      help: `Name the columns key, module and by their languages, or say which is which. The columns are ${names.map((name) => JSON.stringify(name)).join(', ')}.`,
    })
  }
  const indexOf = (role: ColumnRole): number => roles.indexOf(role)
  if (indexOf('key') < 0) fail('the keys')
  const texts = roles.flatMap((role, index) =>
    role.startsWith('language:') || role === 'text' || role === 'source' ? [{ role, index }] : [],
  )
  if (texts.length === 0) fail('translations')
  const entries: FileEntry[] = []
  const skipped: SkippedValue[] = roles.flatMap((role, index) =>
    role === 'ignored' && names[index] !== '' && !columns.has(names[index]!)
      ? [{ key: names[index]!, line: header!.line, reason: 'is a column that is not known' }]
      : [],
  )
  for (const { cells, line } of rows) {
    if (cells.every((cell) => cell.trim() === '')) continue
    const cell = (role: ColumnRole): string | undefined => cells[indexOf(role)] || undefined
    const key = cells[indexOf('key')] ?? ''
    const maxLength = Number(cell('maxLength') ?? Number.NaN)
    for (const { role, index } of texts) {
      const value = cells[index] ?? ''
      entries.push({
        key,
        value,
        line,
        module: cell('module'),
        ...(role.startsWith('language:') && { language: role.slice('language:'.length) }),
        ...(role === 'source' && { isSource: true }),
        context: cell('context'),
        ...(Number.isInteger(maxLength) && maxLength > 0 && { maxLength }),
      })
    }
  }
  return { entries, skipped }
}

/** Returns the rows of a table with a row for each key, and a column for each language. */
export function tableOf({ messages, languages }: WriteInput): readonly (readonly string[])[] {
  const all = [...byModule(messages).values()].flatMap((own) => [...own.values()])
  const hasContext = all.some(({ context }) => context !== undefined)
  const hasLimit = all.some(({ maxLength }) => maxLength !== undefined)
  const row = ({ module, key, context, maxLength, texts }: Message): readonly string[] => [
    module,
    key,
    ...(hasContext ? [context ?? ''] : []),
    ...(hasLimit ? [String(maxLength ?? '')] : []),
    ...languages.map((language) => texts.get(language) ?? ''),
  ]
  const details = [...(hasContext ? ['context'] : []), ...(hasLimit ? ['max length'] : [])]
  return [['module', 'key', ...details, ...languages], ...all.map(row)]
}
