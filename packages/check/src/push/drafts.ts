import { keyId, type KeyDetails, type KeyDraft, type Model } from '@servicekit/catalog'
import type { SourceTexts, WantedKey } from './wanted-keys.ts'

/** Keys of the target by id. */
export type ListedKeys = ReadonlyMap<string, KeyDraft>

/**
 * Returns the keys of the snapshot that the source does not serve yet, with the texts of the
 * target if it has them: it may have been edited there.
 */
export function pendingDrafts({ catalog }: Model, listed: ListedKeys): readonly KeyDraft[] {
  return [...(catalog.details ?? [])].flatMap(([module, keys]) =>
    [...keys].flatMap(([key, { text, language = catalog.defaultLanguage, ...details }]) => {
      if (text === undefined || language !== catalog.defaultLanguage) return []
      const known = listed.get(keyId({ module, key }))
      return [{ module, key, ...details, text: known?.text || text }]
    }),
  )
}

/**
 * Returns the drafts of a wanted key, several for the forms of a plural; none without a text.
 */
export function draftsOf(
  { file: _, line: __, column: ___, text, ...wanted }: WantedKey,
  { texts = {}, listed }: { readonly texts: SourceTexts | undefined; readonly listed: ListedKeys },
): readonly KeyDraft[] {
  const { module, key } = wanted
  const given = Object.entries(texts[module] ?? {}).filter(([name]) => isForm(name, key))
  if (given.length > 0) {
    return given.map(([name, one]) => ({ ...wanted, key: name, ...asDetails(one) }))
  }
  if (text !== undefined) return [{ ...wanted, text }]
  const known = [...listed.values()].filter(
    (one) => one.module === module && isForm(one.key, key) && one.text !== '',
  )
  return known.map((one) => ({ ...wanted, ...one }))
}

const asDetails = (
  given: string | (KeyDetails & { readonly text: string }),
): KeyDetails & { readonly text: string } => (typeof given === 'string' ? { text: given } : given)

/** Returns whether a name is a key or one of its plural forms. */
const isForm = (name: string, key: string): boolean =>
  name === key ||
  (name.startsWith(`${key}_`) &&
    /^(?:ordinal_)?(?:zero|one|two|few|many|other)$/.test(name.slice(key.length + 1)))
