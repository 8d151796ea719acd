import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { ResponseShapeError, ServicekitError } from '@servicekit/client'
import pLimit from 'p-limit'
import { type Clock, requestBudget } from './budget.ts'
import type { Catalog } from './catalog.ts'
import { choose } from './choose.ts'
import { etagsFile, type KnownEtag, readEtags } from './etags.ts'
import type { EmittedFile } from './emit/declarations.ts'
import { normaliseFile, type Texts } from './normalise.ts'
import type { Problem } from './problem.ts'
import { replaceFiles } from './replace-files.ts'
import { goneFrom, shapeOf, snapshotChanges, textChange } from './snapshot-changes.ts'
import {
  catalogOf,
  type Lock,
  lockEntry,
  printLock,
  printTexts,
  readLock,
  type SnapshotPaths,
  snapshotPath,
  textsIfSame,
  withoutCarriageReturns,
} from './snapshot.ts'
import type { SharedCache } from './shared-cache.ts'
import type { Source } from './source.ts'
import { readOrUndefined, type WriteReport } from './write.ts'

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
   * Id of the module that changed. Files of other modules are not fetched if they match
   * the lock. If the source does not know the id, or has no ids, everything is fetched.
   */
  readonly moduleId?: string
  /**
   * Checks the fetched catalog before anything is written, and returns generated files to
   * write with it. If it throws, the pull fails and no file is changed.
   *
   * @param changed Names of the modules with changed files.
   */
  readonly emit?: (catalog: Catalog, changed: ReadonlySet<string>) => readonly EmittedFile[]
}

/** Progress of a pull: first the total number of files, then each completed file. */
export interface PullProgress {
  readonly done: number
  readonly total: number
  /** Set while requests pause for a rate limit: duration in milliseconds. */
  readonly pauseMs?: number
  /** File that was just completed; undefined at the start. */
  readonly file?: {
    readonly language: string
    readonly module: string
    readonly state: 'fetched' | 'unchanged' | 'empty'
  }
}

/** Snapshot file whose translations changed. */
export interface ChangedFile {
  readonly language: string
  readonly module: string
  readonly texts: Texts
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
  readonly bytes: number
  readonly changed: readonly ChangedFile[]
  /**
   * `true` if languages or modules were added or removed. The catalog must then be read
   * again.
   */
  readonly reshaped: boolean
  readonly problems: readonly Problem[]
}

interface Fetched {
  readonly language: string
  readonly module: string
  readonly path: string
  readonly texts: Texts
  readonly content: string
  readonly etag: string | undefined
  readonly unchanged: boolean
  /** `true` if the content came from the shared cache, so the local file may differ. */
  readonly isElsewhere?: boolean
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
  const { languages, defaultLanguage, modules } = choose(listing, {
    ...options,
    sourceName: options.source.name,
  })
  const previous = await readLock(options.lockFile).catch(undefinedIfInvalid)
  const etags = await readEtags(options.cacheDir, options.source.name)

  const places = languages.flatMap(({ code: language }) =>
    modules.map((module) => ({ language, module, path: snapshotPath(language, module) })),
  )
  const only = options.moduleId && listing.moduleIds?.get(options.moduleId)
  const limit = pLimit(options.concurrency)
  const budget = requestBudget(options.requestsPerMinute, options.clock)
  let done = 0
  options.onProgress?.({ done, total: places.length })
  const fetched = await Promise.all(
    places.map((place) =>
      limit(async () => {
        signal.throwIfAborted()
        const expected = previous?.files[place.path]
        const known = etags.get(place.path)
        const kept = await lastGood(options, place.path, expected)
        if (only && kept && place.module !== only) {
          options.onProgress?.({ done: ++done, total: places.length })
          const etag = known?.hash === kept.hash ? known.etag : undefined
          return { file: { ...place, ...kept, etag, unchanged: true }, problems: [] }
        }
        await budget(signal)
        // A local file with a matching ETag does not need the shared cache.
        const other =
          kept && known?.hash === kept.hash ? undefined : await fromOthers(options, place)
        const result = await fetchFile(options.source, place, {
          kept: other?.kept ?? kept,
          keysBefore: Number.parseInt(expected ?? '0', 10),
          known: other?.known ?? known,
          signal,
        }).then((result) =>
          other && result.file
            ? { ...result, file: { ...result.file, isElsewhere: true } }
            : result,
        )
        await share(options, result.file)
        const { language, module } = place
        const state = result.file ? (result.file.unchanged ? 'unchanged' : 'fetched') : 'empty'
        options.onProgress?.({
          done: ++done,
          total: places.length,
          file: { language, module, state },
        })
        return result
      }),
    ),
  ).catch((error: unknown) => {
    controller.abort(error)
    throw error
  })

  const files = fetched.flatMap(({ file }) => file ?? [])
  const lock: Lock = {
    version: 1,
    defaultLanguage,
    languages: Object.fromEntries(languages.map(({ code, name }) => [code, name])),
    modules,
    files: Object.fromEntries(
      files.map((file) => [file.path, lockEntry(file.content, file.texts.size)]),
    ),
  }
  const changed = files.filter((file) => previous?.files[file.path] !== lock.files[file.path])
  const texts = new Map(files.map((file) => [file.path, file.texts]))
  const generated =
    options.emit?.(
      catalogOf(lock, (_place, path) => texts.get(path)),
      new Set(changed.map(({ module }) => module)),
    ) ?? []
  const snapshot = await snapshotChanges(options, files, lock, previous)
  signal.throwIfAborted()
  const replaced = await replaceFiles([
    ...snapshot,
    ...generated.map((file) => ({ ...file, isGenerated: true })),
    etagsFile(
      options.cacheDir,
      options.source.name,
      files.map(({ path, etag }) => ({ path, etag, hash: lock.files[path]! })),
    ),
    // Last, so that an interrupted pull is detected as drift.
    ...(await textChange(options.lockFile, printLock(lock))),
  ])
  const isReplaced = ({ path }: { readonly path: string }): boolean => replaced.has(path)
  const removed = goneFrom(previous, lock).length
  return {
    languages: languages.length,
    modules: modules.length,
    files: files.length,
    unchanged: files.filter((file) => file.unchanged).length,
    written:
      snapshot.filter((change) => change.text !== undefined && isReplaced(change)).length +
      removed +
      (replaced.has(options.lockFile) ? 1 : 0),
    removed,
    ...(generated.length === 0
      ? {}
      : {
          types: {
            files: generated.length,
            written: generated.filter(isReplaced).length,
            bytes: generated.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
          },
        }),
    bytes: files.reduce((sum, file) => sum + Buffer.byteLength(file.content), 0),
    changed: changed.map(({ language, module, texts }) => ({ language, module, texts })),
    reshaped: shapeOf(previous) !== shapeOf(lock),
    problems: [...cacheProblems(options), ...fetched.flatMap(({ problems }) => problems)],
  }
}

/** Returns the file from the shared cache if its content matches its hash. */
async function fromOthers(
  { shared, source }: PullOptions,
  { path }: { readonly path: string },
): Promise<{ readonly kept: Kept; readonly known: KnownEtag } | undefined> {
  const known = await shared?.answer(source.name, path)
  const content = known && (await shared?.content(known.hash))
  const texts = content === undefined ? undefined : textsIfSame(content, known!.hash)
  return texts && { kept: { content: content!, texts, hash: known!.hash }, known: known! }
}

/** Stores a fetched file and its ETag in the shared cache. */
async function share({ shared, source }: PullOptions, file: Fetched | undefined): Promise<void> {
  if (!shared || !file || file.unchanged || file.etag === undefined) return
  const { path, etag, content, texts } = file
  const hash = lockEntry(content, texts.size)
  await shared.save({ hash, content }, { source: source.name, path, etag })
}

function cacheProblems({ shared }: PullOptions): readonly Problem[] {
  const failure = shared?.failure()
  if (failure === undefined) return []
  const reason = failure instanceof Error ? failure.message : String(failure)
  const message = `the shared cache could not be used, and all was fetched: ${reason}`
  return [{ severity: 'warning', code: 'CACHE_UNUSABLE', message }]
}

async function fetchFile(
  source: Source,
  place: { readonly language: string; readonly module: string; readonly path: string },
  {
    kept,
    keysBefore,
    known,
    signal,
  }: {
    readonly kept: Kept | undefined
    /** Number of keys in the lock, even if the local file is missing. */
    readonly keysBefore: number
    readonly known: KnownEtag | undefined
    readonly signal: AbortSignal
  },
): Promise<{ readonly file?: Fetched; readonly problems: readonly Problem[] }> {
  // Send the ETag only if the local file is the one that it belongs to. Otherwise a 304
  // is meaningless.
  const conditional = kept && known?.hash === kept.hash ? known.etag : undefined
  const answer = await source.read(place, {
    signal,
    ...(conditional === undefined ? {} : { etag: conditional }),
  })
  if (answer.status === 'unchanged') {
    if (kept && conditional !== undefined) {
      return { file: { ...place, ...kept, etag: conditional, unchanged: true }, problems: [] }
    }
    throw new ResponseShapeError(
      `The texts of module "${place.module}" in ${place.language} are said to be unchanged`,
      {
        details: { source: source.name, language: place.language, module: place.module },
        help: 'Nobody asked whether they are: a proxy may answer from a cache that it must not use.',
      },
    )
  }
  if (answer.status === 'empty') {
    if (keysBefore > 0) throw lostFile(source, place, keysBefore)
    const message = `${source.name} answered with an empty body; taken as a module without texts`
    const { language, module } = place
    return { problems: [{ severity: 'warning', code: 'EMPTY_FILE', language, module, message }] }
  }
  const { texts, problems } = normaliseFile(answer.raw, place)
  const content = printTexts(texts)
  return { file: { ...place, texts, content, etag: answer.etag, unchanged: false }, problems }
}

function lostFile(
  source: Source,
  place: { readonly language: string; readonly module: string },
  keys: number,
): ResponseShapeError {
  return new ResponseShapeError(
    `The texts of module "${place.module}" in ${place.language} came back empty`,
    {
      details: {
        source: source.name,
        language: place.language,
        module: place.module,
        keysBefore: keys,
      },
      help:
        'An instance answers so for a module or language it does not know. If it was removed on ' +
        'purpose, leave it out by the options modules or languages; the local texts are untouched.',
    },
  )
}

interface Kept {
  readonly content: string
  readonly texts: Texts
  readonly hash: string
}

/** Returns the local file if it matches the lock exactly. */
async function lastGood(
  options: SnapshotPaths,
  path: string,
  expected: string | undefined,
): Promise<Kept | undefined> {
  if (expected === undefined) return undefined
  const content = await readOrUndefined(join(options.snapshotDir, path))
  const texts = content === undefined ? undefined : textsIfSame(content, expected)
  return texts && { content: withoutCarriageReturns(content!), texts, hash: expected }
}

/**
 * A lock file with invalid content is rewritten. A lock file that cannot be read is an
 * error.
 */
function undefinedIfInvalid(error: unknown): undefined {
  if (error instanceof ServicekitError && error.code === 'SNAPSHOT_INVALID') return undefined
  throw error
}
