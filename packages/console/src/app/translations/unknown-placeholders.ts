import { parametersOf, parseMessage } from '@servicekit/catalog/inspection'
import { formNames } from '@servicekit/core'
import type { KeyRecord } from '../state/records.ts'
import { type DraftChange, withChange } from './draft-changes.ts'
import { idOf, shownText, valueOf } from './key-values.ts'

/** Placeholders of a translation that its source text does not have: a page would show none. */
export interface UnknownPlaceholders {
  readonly key: string
  readonly language: string
  readonly names: readonly string[]
}

const form = new RegExp(`_(?:${formNames.join('|')})$`)
const parametersIn = (text: string): readonly string[] => parametersOf(parseMessage(text))

/** Returns the unknown placeholders of translations, in keys as they are after changes. */
export function unknownPlaceholders(
  rows: readonly KeyRecord[],
  changes: readonly DraftChange[],
  defaultLanguage: string,
): readonly UnknownPlaceholders[] {
  const after = new Map(rows.map((row) => [idOf(row), row]))
  for (const change of changes) {
    const row = after.get(idOf(change))
    if (row) after.set(idOf(row), withChange(row, change))
  }
  return changes.flatMap((change) => {
    if (!('language' in change) || change.language === defaultLanguage) return []
    const { module, key, language, value } = change
    // The forms of a plural have the same parameters, and a form may leave some out.
    const base = key.replace(form, '')
    const isForm = base !== key && after.has(idOf({ module, key: `${base}_other` }))
    const names = isForm ? formNames.map((name) => `${base}_${name}`) : [key]
    const sources = names.flatMap((name) => {
      const row = after.get(idOf({ module, key: name }))
      return row ? [shownText(valueOf(row, defaultLanguage))] : []
    })
    // Without a source text, nothing can be compared.
    if (sources.every((text) => text === '')) return []
    const known = new Set([...sources.flatMap(parametersIn), ...(isForm ? ['count'] : [])])
    const unknown = parametersIn(shownText(value)).filter((name) => !known.has(name))
    return unknown.length > 0 ? [{ key, language, names: [...new Set(unknown)] }] : []
  })
}
