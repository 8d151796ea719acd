import type { LocalPaths } from '../snapshot/local-paths.ts'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { byCodePoint } from '@servicekit/core'
import { readIfExists } from '@servicekit/core/node'
import type { Translations } from '../model/normalise.ts'
import { type FileChange, replaceFiles } from '../files/replace-files.ts'
import {
  type Lock,
  lockEntry,
  missingSnapshot,
  printLock,
  readLock,
  readLockedFile,
} from '../snapshot/snapshot.ts'
import { printTranslations, snapshotPath } from '../model/snapshot-text.ts'
import { fileChange, snapshotChange } from '../snapshot/snapshot-changes.ts'
import { withFolderLock } from '../snapshot/with-folder-lock.ts'
import { keyFileChange, keyFileOf, printKeyFile, readKeyFile } from '../snapshot/key-file.ts'
import { type KeyEntries } from '../model/key-draft.ts'
import type { KeyRename } from '../config/key-writer.ts'
import { modulesOf, withPending } from '../snapshot/pending-keys.ts'

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
  /** Reads a translation file, which is empty if the lock does not list it. */
  readonly read: (language: string, module: string) => Translations
}

/** Lock that an edit writes last, which allows the next one to complete it. */
const nextLockOf = ({ cacheDir }: LocalPaths): string => join(cacheDir, 'next.lock.json')

/**
 * Edits the entries of the key file, and updates the snapshot so that it contains every
 * pending key. Every file that it reads must be the one of the lock, or one that an interrupted
 * edit wrote.
 *
 * @returns the number of files that changed.
 * @throws ServicekitError SNAPSHOT_MISSING, SNAPSHOT_INVALID, SNAPSHOT_DRIFT, EMIT_FAILED
 */
export const editLocalKeys = (
  paths: LocalPaths,
  edit: (state: LocalState) => LocalEdit,
): Promise<number> => withFolderLock(paths.cacheDir, () => editUnderLock(paths, edit))

/**
 * Runs work with a snapshot that no other process edits meanwhile, after it has completed an
 * interrupted edit.
 *
 * @throws ServicekitError like {@link editLocalKeys}.
 */
export const withCompleteKeys = <T>(paths: LocalPaths, work: () => Promise<T>): Promise<T> =>
  withFolderLock(paths.cacheDir, async () => {
    if (await readIfExists(nextLockOf(paths))) await editUnderLock(paths, (state) => state)
    return work()
  })

async function editUnderLock(
  paths: LocalPaths,
  edit: (state: LocalState) => LocalEdit,
): Promise<number> {
  const { snapshotDir, lockFile } = paths
  const lock = await readLock(lockFile)
  if (!lock) throw missingSnapshot(lockFile)
  const nextLock = nextLockOf(paths)
  const interrupted = await readLock(nextLock)
  const keyFile = keyFileOf(paths.lockFile)
  const before = await readKeyFile(keyFile)
  const read: LocalState['read'] = (language, module) => {
    const path = snapshotPath(language, module)
    const expected = [lock.files[path], interrupted?.files[path]].filter((one) => one !== undefined)
    return expected.length === 0 ? new Map() : readLockedFile(snapshotDir, path, expected)
  }
  const { entries, renames = [] } = edit({ lock, entries: before, read })
  const { defaultLanguage } = lock
  const files: Record<string, string> = { ...lock.files }
  const changes: FileChange[] = []
  const edited = new Set([...modulesOf(entries), ...renames.map(({ module }) => module)])
  for (const module of edited) {
    for (const language of Object.keys(lock.languages)) {
      const path = snapshotPath(language, module)
      const translations = renamed(read(language, module), module, renames)
      const merged = withPending(translations, { language, module }, { entries, defaultLanguage })
      if (merged.size === 0) continue
      const text = printTranslations(merged)
      files[path] = lockEntry(text, merged.size)
      changes.push(...(await snapshotChange(snapshotDir, path, text)))
    }
  }
  const modules = [...new Set([...lock.modules, ...modulesOf(entries)])]
  const lockText = printLock({ ...lock, modules, files })
  const all: readonly FileChange[] = [
    ...(printKeyFile(before) === printKeyFile(entries) ? [] : [keyFileChange(keyFile, entries)]),
    ...changes,
    ...(await fileChange(lockFile, lockText)),
  ]
  if (all.length > 0) await replaceFiles([{ path: nextLock, text: lockText }, ...all])
  await rm(nextLock, { force: true })
  return all.length
}

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
