import type { localization } from '@servicekit/contract'
import type { Catalog } from './localization.ts'

type Rows = Catalog['languages']

/** Builds an array of language records (section 2.4). */
export const languageList = (rows: Rows, projectKey: string | null): localization.Language[] =>
  rows.map((row) => ({
    itemId: row.itemId,
    languageName: row.name,
    languageCode: row.code,
    isDefault: row.isDefault,
    projectKey,
  }))
