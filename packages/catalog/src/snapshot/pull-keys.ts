import type { FetchedFile } from './fetch-file.ts'
import { lockEntry } from './snapshot.ts'
import { printTranslations, snapshotPath } from '../model/snapshot-text.ts'
import type { KeyEntries } from '../model/key-draft.ts'
import { modulesOf, settle, withPending } from './pending-keys.ts'

/** Fetched files with the keys that the source does not serve yet. */
export interface PulledKeys {
  readonly files: readonly FetchedFile[]
  /** Entries whose keys are not served yet. */
  readonly entries: KeyEntries
}

/** Adds the pending keys to the fetched files, and files for modules that are not served yet. */
export function addPendingKeys(
  fetched: readonly FetchedFile[],
  entries: KeyEntries,
  catalog: {
    readonly defaultLanguage: string
    readonly languages: readonly string[]
    /** Modules whose files were not fetched and stay as they are. */
    readonly kept: ReadonlySet<string>
  },
): PulledKeys {
  if (modulesOf(entries).length === 0) return { files: fetched, entries }
  const served = new Map<string, Set<string>>()
  for (const { module, translations } of fetched) {
    const keys = served.get(module) ?? new Set()
    for (const key of translations.keys()) keys.add(key)
    served.set(module, keys)
  }
  const left = settle(entries, (module, key) => served.get(module)?.has(key) ?? false)
  const { defaultLanguage } = catalog
  const merge = (file: FetchedFile): FetchedFile => {
    const translations = withPending(file.translations, file, { entries: left, defaultLanguage })
    if (translations === file.translations) return file
    // Without an ETag, the next pull fetches the file as it is served.
    const content = printTranslations(translations)
    const hash = lockEntry(content, translations.size)
    return { ...file, translations, content, hash, etag: undefined, unchanged: false }
  }
  const files = fetched.map(merge)
  for (const module of modulesOf(left)) {
    if (catalog.kept.has(module)) continue
    for (const language of catalog.languages) {
      if (files.some((file) => file.module === module && file.language === language)) continue
      const path = snapshotPath(language, module)
      const empty = { language, module, path, translations: new Map(), content: '', hash: '' }
      const file = merge({ ...empty, etag: undefined, unchanged: false })
      if (file.translations.size > 0) files.push(file)
    }
  }
  return { files, entries: left }
}
