import type { PullProgress, Source } from '../sources/source.ts'
import type { ChangedFile } from '../model/model-of.ts'
import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ServicekitError } from '@servicekit/client'
import { byCodePoint } from '@servicekit/core'
import pLimit from 'p-limit'
import type { Catalog } from '../model/catalog.ts'
import { etagsFile, type KnownEtag, readEtags } from './etags.ts'
import { fetchFile, type FetchResult, type SnapshotFile } from './fetch-file.ts'
import { keyFileChange, keyFileOf, readKeyFile } from './key-file.ts'
import { pendingOf } from './pending-keys.ts'
import { addPendingKeys } from './pull-keys.ts'
import { withFolderLock } from './with-folder-lock.ts'
import type { Model } from '../model/model.ts'
import type { Problem } from '../model/problem.ts'
import { type Clock, createRateLimiter } from '../sources/rate-limiter.ts'
import { type FileChange, replaceFiles } from '../files/replace-files.ts'
import { selectListing, type SelectedListing } from '../sources/select-listing.ts'
import type { SharedCache } from './shared-cache.ts'
import { catalogOf, type Lock, printLock, readLock, type SnapshotPaths } from './snapshot.ts'
import { snapshotPath } from '../model/snapshot-text.ts'
import { fileChange, removedPaths, shapeOf, snapshotChanges } from './snapshot-changes.ts'
import type { WriteReport } from '../files/write.ts'

export interface PullOptions extends SnapshotPaths {
  readonly source: Source
  /** Folder of files that are not committed, such as the ETags of the last responses. */
  readonly cacheDir: string
  readonly languages: readonly string[] | undefined
  readonly defaultLanguage: string | undefined
  readonly concurrency: number
  readonly requestsPerMinute: number
  readonly clock: Clock
  /** Shared cache of files fetched by other machines. */
  readonly shared?: SharedCache
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: PullProgress) => void
  /**
   * Id of the module that changed. Files of other modules are neither fetched nor read, and
   * keep their lock entries. If the source does not know the id, or has no ids, everything is
   * fetched.
   */
  readonly moduleId?: string
  /**
   * Called with the fetched catalog before anything is written. Returns generated files to
   * write or remove together with the snapshot. If it throws, the pull fails and no file is
   * changed. The catalog does not contain the translations of files that were not read (see `moduleId`).
   *
   * @param changed Names of the modules with changed files.
   */
  readonly emit?: (catalog: Catalog, changed: ReadonlySet<string>) => Promise<readonly FileChange[]>
}

export interface PullReport {
  readonly languages: number
  readonly modules: number
  readonly files: number
  /** Number of files that the source reported as unchanged (304). */
  readonly unchanged: number
  /** Number of files written or removed, including the lock file. */
  readonly written: number
  /** Number of files removed because their language or module is no longer pulled. */
  readonly removed: number
  /** Report of the declarations, if they were requested. */
  readonly types?: WriteReport
  /** Model of the translations, if the declarations were requested. */
  readonly model?: Model
  /** Size of the fetched files. */
  readonly bytes: number
  readonly changed: readonly ChangedFile[]
  /**
   * `true` if languages or modules were added or removed. The catalog must then be read
   * again.
   */
  readonly reshaped: boolean
  /**
   * Text of the lock file of these translations. The file may already have another one, written
   * by another program since.
   */
  readonly lockText: string
  readonly problems: readonly Problem[]
}

/**
 * Updates the snapshot to the current state of the source. Everything is fetched and
 * checked before anything is written, and all files are replaced together. A failed pull
 * changes no file.
 *
 * @throws RequestError, ResponseShapeError with project, language and module
 * @throws ServicekitError EMIT_FAILED if a file cannot be written.
 */
export async function pull(options: PullOptions): Promise<PullReport> {
  const controller = new AbortController()
  const signal = options.signal
    ? AbortSignal.any([options.signal, controller.signal])
    : controller.signal
  // Every concurrent request adds a listener. Node warns about a leak above ten.
  setMaxListeners(0, signal)
  const listing = await options.source.list(signal)
  const { languages, defaultLanguage, modules } = selectListing(listing, {
    ...options,
    sourceName: options.source.name,
  })
  const previous = await readLock(options.lockFile).catch(undefinedIfInvalid)
  const etags = await readEtags(options.cacheDir, options.source.name)
  const pending = await readKeyFile(keyFileOf(options.lockFile))

  const snapshotFiles = languages.flatMap(({ code: language }) =>
    modules.map((module) => ({ language, module, path: snapshotPath(language, module) })),
  )
  const only = options.moduleId && listing.moduleIds?.get(options.moduleId)
  const isKept = ({ module, path }: SnapshotFile): boolean =>
    Boolean(only) &&
    module !== only &&
    pendingOf(pending, module).length === 0 &&
    previous?.files[path] !== undefined &&
    existsSync(join(options.snapshotDir, path))
  const [kept, requested] = partition(snapshotFiles, isKept)
  const limit = pLimit(options.concurrency)
  const rateLimit = createRateLimiter(options.requestsPerMinute, options.clock)
  let done = 0
  const total = requested.length
  options.onProgress?.({ done, total })
  const fetched = await Promise.all(
    requested.map((id) =>
      limit(async () => {
        signal.throwIfAborted()
        const result = await fetchFile(id, {
          ...options,
          expected: previous?.files[id.path],
          etag: etags.get(id.path),
          pendingKeys: pendingOf(pending, id.module).length,
          rateLimit,
          signal,
        })
        const { language, module } = id
        const state = result.file ? (result.file.unchanged ? 'unchanged' : 'fetched') : 'empty'
        const file = { language, module, state } as const
        options.onProgress?.({ done: ++done, total, file })
        return result
      }),
    ),
  ).catch((error: unknown) => {
    controller.abort(error)
    throw error
  })

  // `add` and `rename` change the same files.
  return withFolderLock(options.cacheDir, () =>
    storeFiles(options, {
      signal,
      previous,
      etags,
      languages,
      defaultLanguage,
      modules,
      problems: [...(listing.problems ?? []), ...fetched.flatMap(({ problems }) => problems)],
      fetched,
      kept,
    }),
  )
}

interface Fetched {
  readonly signal: AbortSignal
  readonly previous: Lock | undefined
  readonly languages: SelectedListing['languages']
  readonly defaultLanguage: string
  readonly modules: readonly string[]
  readonly problems: readonly Problem[]
  readonly fetched: readonly FetchResult[]
  readonly etags: ReadonlyMap<string, KnownEtag>
  /** Files that were not fetched and stay as they are. */
  readonly kept: readonly SnapshotFile[]
}

/** Replaces the snapshot and the generated files by those of the fetched files. */
async function storeFiles(
  options: PullOptions,
  {
    signal,
    previous,
    etags,
    languages,
    defaultLanguage,
    modules: listed,
    problems,
    fetched,
    kept,
  }: Fetched,
): Promise<PullReport> {
  const keyFile = keyFileOf(options.lockFile)
  const pending = await readKeyFile(keyFile)
  const codes = languages.map(({ code }) => code)
  const served = fetched.flatMap(({ file }) => file ?? [])
  const { files, entries } = addPendingKeys(served, pending, {
    defaultLanguage,
    languages: codes,
    kept: new Set(kept.map(({ module }) => module)),
  })
  const modules = [...new Set([...listed, ...files.map(({ module }) => module)])].sort(byCodePoint)
  const lock: Lock = {
    version: 1,
    defaultLanguage,
    languages: Object.fromEntries(languages.map(({ code, name }) => [code, name])),
    modules,
    files: Object.fromEntries([
      ...kept.map(({ path }) => [path, previous!.files[path]!] as const),
      ...files.map(({ path, hash }) => [path, hash] as const),
    ]),
  }
  const lockText = printLock(lock)
  const changed = files.filter((file) => previous?.files[file.path] !== lock.files[file.path])
  const translations = new Map(files.map((file) => [file.path, file.translations]))
  const generated =
    (await options.emit?.(
      catalogOf(lock, (_id, path) => translations.get(path), entries),
      new Set(changed.map(({ module }) => module)),
    )) ?? []
  const snapshot = await snapshotChanges(options, files, lock, previous)
  signal.throwIfAborted()
  const replaced = await replaceFiles([
    ...snapshot,
    ...generated.map((file) => ({ ...file, isGenerated: true })),
    ...(entries === pending ? [] : [keyFileChange(keyFile, entries)]),
    etagsFile(options.cacheDir, options.source.name, [
      ...files,
      ...kept.flatMap(({ path }) => {
        const known = etags.get(path)
        return known ? { path, ...known } : []
      }),
    ]),
    // Last, so that an interrupted pull is detected as drift.
    ...(await fileChange(options.lockFile, lockText)),
  ])
  const isReplaced = ({ path }: { readonly path: string }): boolean => replaced.has(path)
  const emitted = generated.flatMap(({ path, text }) => (text === undefined ? [] : { path, text }))
  const removed = removedPaths(previous, lock).length
  return {
    languages: languages.length,
    modules: modules.length,
    files: files.length + kept.length,
    unchanged: files.filter((file) => file.unchanged).length + kept.length,
    written:
      snapshot.filter((change) => change.text !== undefined && isReplaced(change)).length +
      removed +
      (replaced.has(options.lockFile) ? 1 : 0),
    removed,
    ...(emitted.length === 0
      ? {}
      : {
          types: {
            files: emitted.length,
            written: emitted.filter(isReplaced).length,
            bytes: emitted.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
          },
        }),
    bytes: files.reduce((sum, file) => sum + Buffer.byteLength(file.content), 0),
    changed: changed.map(({ language, module, translations }) => ({
      language,
      module,
      translations,
    })),
    reshaped: shapeOf(previous) !== shapeOf(lock),
    lockText,
    problems: [...cacheProblems(options), ...problems],
  }
}

/** Separates the items that pass a test from the others. */
function partition<T>(items: readonly T[], test: (item: T) => boolean): readonly [T[], T[]] {
  const [passed, others]: [T[], T[]] = [[], []]
  for (const item of items) (test(item) ? passed : others).push(item)
  return [passed, others]
}

function cacheProblems({ shared }: PullOptions): readonly Problem[] {
  const failure = shared?.failure()
  if (failure === undefined) return []
  const reason = failure instanceof Error ? failure.message : String(failure)
  const message = `the shared cache is unavailable, so every file was fetched: ${reason}`
  return [{ severity: 'warning', code: 'CACHE_UNUSABLE', message }]
}

/**
 * A lock file with invalid content is rewritten. A lock file that cannot be read is an
 * error.
 */
function undefinedIfInvalid(error: unknown): undefined {
  if (error instanceof ServicekitError && error.code === 'SNAPSHOT_INVALID') return undefined
  throw error
}
