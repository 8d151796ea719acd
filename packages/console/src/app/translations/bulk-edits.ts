import type { KeyRecord } from '../state/records.ts'
import { idOf, shownText, valueOf } from './key-values.ts'

/** Translation that was pasted. */
export interface PastedTranslation {
  readonly module: string
  readonly key: string
  readonly language: string
  readonly value: string
}

/** Change of one translation, and the value that it replaces. */
export interface Edit extends Omit<PastedTranslation, 'value'> {
  readonly value: string | null
  readonly expected: string | null
}

/** Compares pasted translations with the current ones. Empty cells change nothing. */
export function planPaste(
  rows: readonly KeyRecord[],
  translations: readonly PastedTranslation[],
): readonly Edit[] {
  const known = new Map(rows.map((row) => [idOf(row), row]))
  return translations.flatMap((text) => {
    const row = known.get(idOf(text))
    const expected = row ? valueOf(row, text.language) : null
    const isSame = text.value === '' || text.value === shownText(expected)
    return !row || isSame ? [] : [{ ...text, expected }]
  })
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
): readonly PastedTranslation[] =>
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
