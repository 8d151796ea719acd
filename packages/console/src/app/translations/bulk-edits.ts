import type { KeyRecord } from '../state/records.ts'
import { idOf, shownText, valueOf } from './key-values.ts'

/** Translation of a table or file that is imported. */
export interface ImportedTranslation {
  readonly module: string
  readonly key: string
  readonly language: string
  readonly value: string
}

/** Change of one translation, and the value that it replaces. */
export interface Edit extends Omit<ImportedTranslation, 'value'> {
  readonly value: string | null
  readonly expected: string | null
}

/** Changes of an import, and what it names that the project does not have. */
export interface ImportPlan {
  readonly edits: readonly Edit[]
  /** Keys with their module; they are not imported. */
  readonly unknownKeys: readonly string[]
  readonly unknownLanguages: readonly string[]
}

/**
 * Compares imported translations with the current ones. Empty texts change nothing, so that a
 * table in which a column was left out deletes no translation.
 */
export function planImport(
  rows: readonly KeyRecord[],
  languages: readonly string[],
  translations: readonly ImportedTranslation[],
): ImportPlan {
  const known = new Map(rows.map((row) => [idOf(row), row]))
  const edits = new Map<string, Edit>()
  const unknownKeys = new Set<string>()
  const unknownLanguages = new Set<string>()
  for (const text of translations) {
    const row = known.get(idOf(text))
    if (!row) unknownKeys.add(`${text.module}/${text.key}`)
    else if (!languages.includes(text.language)) unknownLanguages.add(text.language)
    else if (text.value !== '') {
      const expected = valueOf(row, text.language)
      const id = `${idOf(text)}\n${text.language}`
      // The last one wins if a file names a translation twice.
      edits.delete(id)
      if (text.value !== shownText(expected)) edits.set(id, { ...text, expected })
    }
  }
  return {
    edits: [...edits.values()],
    unknownKeys: [...unknownKeys],
    unknownLanguages: [...unknownLanguages],
  }
}

/** Replaces a text in the translations of some languages. */
export function planReplacement(
  rows: readonly KeyRecord[],
  languages: readonly string[],
  { find, replacement }: { readonly find: string; readonly replacement: string },
): readonly Edit[] {
  if (find === '') return []
  return rows.flatMap((row) =>
    languages.flatMap((language) => {
      const expected = valueOf(row, language)
      const value = shownText(expected).replaceAll(find, () => replacement)
      const { module, key } = row
      return value === shownText(expected) ? [] : [{ module, key, language, value, expected }]
    }),
  )
}

/** Places pasted cells from one cell on: rows downwards, columns towards the end. */
export const placeCells = (
  cells: readonly (readonly string[])[],
  rows: readonly KeyRecord[],
  languages: readonly string[],
): readonly ImportedTranslation[] =>
  cells.flatMap((line, index) => {
    const row = rows[index]
    if (!row) return []
    return line.flatMap((value, column) => {
      const language = languages[column]
      return language === undefined ? [] : [{ module: row.module, key: row.key, language, value }]
    })
  })

/** Copies translations from one language to others. */
export function planCopy(
  rows: readonly KeyRecord[],
  options: {
    readonly from: string
    readonly to: readonly string[]
    /** Leaves the translations that exist. */
    readonly isOnlyMissing: boolean
  },
): readonly Edit[] {
  return rows.flatMap((row) => {
    const { module, key } = row
    const value = shownText(valueOf(row, options.from))
    if (value === '' || row.isRemoved) return []
    return options.to.flatMap((language) => {
      const expected = valueOf(row, language)
      const current = shownText(expected)
      const isKept = current === value || (options.isOnlyMissing && current !== '')
      return isKept ? [] : [{ module, key, language, value, expected }]
    })
  })
}

/** Formats translations as cells of a spreadsheet: a line for each key. */
export const formatCells = (rows: readonly KeyRecord[], languages: readonly string[]): string =>
  rows
    .map((row) => languages.map((code) => quoteCell(shownText(valueOf(row, code)))).join('\t'))
    .join('\r\n')

const quoteCell = (text: string): string =>
  /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
