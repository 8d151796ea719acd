import { join } from 'node:path'
import { byCodePoint } from '@servicekit/core'
import type { Translations } from '../normalise.ts'
import { type FileChange, replaceFiles } from '../replace-files.ts'
import {
  type Lock,
  lockEntry,
  missingSnapshot,
  parseTranslations,
  printLock,
  printTranslations,
  readLock,
  type SnapshotPaths,
  snapshotPath,
  withoutCarriageReturns,
} from '../snapshot.ts'
import { fileChange } from '../snapshot-changes.ts'
import { readText } from '../write.ts'
import { withFolderLock } from './with-folder-lock.ts'
import { type KeyEntries, keyFileChange, keyFileOf, printKeyFile, readKeyFile } from './key-file.ts'
import type { KeyRename } from './key-writer.ts'
import { modulesOf, withPending } from './pending-keys.ts'

/** Paths of a snapshot and of files that are not committed. */
export interface LocalPaths extends SnapshotPaths {
  readonly cacheDir: string
}

/** Returns the paths of a project. */
export const localPathsOf = ({
  outDir,
  ...paths
}: SnapshotPaths & { readonly outDir: string }): LocalPaths => ({
  ...paths,
  cacheDir: join(outDir, 'cache'),
})

/** Edit of the key file and the snapshot. */
export interface LocalEdit {
  readonly entries: KeyEntries
  /** Keys of the snapshot that get another name. */
  readonly renames?: readonly KeyRename[]
}

/** Snapshot that is being edited. */
export interface LocalState {
  readonly lock: Lock
  readonly entries: KeyEntries
  /** Reads a translation file, which is empty if it does not exist. */
  readonly read: (language: string, module: string) => Promise<Translations>
}

/**
 * Edits the entries of the key file, and updates the snapshot so that it contains every
 * pending key. Running it again completes an interrupted edit.
 *
 * @returns the number of files that changed.
 * @throws ServicekitError SNAPSHOT_MISSING, SNAPSHOT_INVALID, EMIT_FAILED
 */
export const editLocalKeys = (
  paths: LocalPaths,
  edit: (state: LocalState) => Promise<LocalEdit>,
): Promise<number> =>
  withFolderLock(paths.cacheDir, async () => {
    const { snapshotDir, lockFile } = paths
    const lock = await readLock(lockFile)
    if (!lock) throw missingSnapshot(lockFile)
    const keyFile = keyFileOf(paths.lockFile)
    const before = await readKeyFile(keyFile)
    const read: LocalState['read'] = async (language, module) => {
      const text = await readText(join(snapshotDir, snapshotPath(language, module)))
      return text === undefined ? new Map() : parseTranslations(withoutCarriageReturns(text))
    }
    const { entries, renames = [] } = await edit({ lock, entries: before, read })
    const { defaultLanguage } = lock
    const files: Record<string, string> = { ...lock.files }
    const changes: FileChange[] = []
    const edited = new Set([...modulesOf(entries), ...renames.map(({ module }) => module)])
    for (const module of edited) {
      for (const language of Object.keys(lock.languages)) {
        const path = snapshotPath(language, module)
        const translations = renamed(await read(language, module), module, renames)
        const merged = withPending(translations, { language, module }, { entries, defaultLanguage })
        if (merged.size === 0) continue
        const text = printTranslations(merged)
        files[path] = lockEntry(text, merged.size)
        changes.push(...(await fileChange(join(snapshotDir, path), text)))
      }
    }
    const modules = [...new Set([...lock.modules, ...modulesOf(entries)])]
    const replaced = await replaceFiles([
      // First, so that an interrupted edit is completed by the next one.
      ...(printKeyFile(before) === printKeyFile(entries) ? [] : [keyFileChange(keyFile, entries)]),
      ...changes,
      ...(await fileChange(lockFile, printLock({ ...lock, modules, files }))),
    ])
    return replaced.size
  })

/** Returns the translations with renamed keys. */
function renamed(
  translations: Translations,
  module: string,
  renames: readonly KeyRename[],
): Translations {
  const result = new Map(translations)
  for (const { module: own, from, to } of renames) {
    const text = result.get(from)
    if (own !== module || text === undefined) continue
    result.delete(from)
    if (!result.has(to)) result.set(to, text)
  }
  return new Map([...result].sort(([a], [b]) => byCodePoint(a, b)))
}
