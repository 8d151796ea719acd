import type { localization } from '@servicekit/contract'
import type { Project } from '../projects/project-directory.ts'
import type { Catalog } from './localization.ts'

type Rows = Catalog['languages']

/** Builds the response of `/uilm/v1`: an array of language records (section 2.4). */
export const uilmLanguages = (rows: Rows, projectKey: string | null): localization.Language[] =>
  rows.map((row) => ({
    itemId: row.itemId,
    languageName: row.name,
    languageCode: row.code,
    isDefault: row.isDefault,
    projectKey,
  }))

/** Builds the response of `/localization/v4` in the project's dialect. */
export function languageList(rows: Rows, { key, dialect }: Project): unknown {
  const list = uilmLanguages(rows, key).map(({ languageCode, ...rest }) => ({
    ...rest,
    [dialect.languageCode]: languageCode,
  }))
  return dialect.languageList === 'array' ? list : { [dialect.languageList]: list }
}
