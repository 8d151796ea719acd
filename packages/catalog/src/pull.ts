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
  /** Folder for what need not be committed: the ETags of the last answers. */
  readonly cacheDir: string
  readonly languages: readonly string[] | undefined
  readonly defaultLanguage: string | undefined
  readonly concurrency: number
  readonly requestsPerMinute: number
  readonly clock: Clock
  /** Files that other machines have fetched. */
  readonly shared?: SharedCache
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: PullProgress) => void
  /**
   * Id of the one module that changed: files of others are taken as they are,
   * where they are what the lock says. An id that the source does not know, and
   * one of a source without ids, asks for all.
   */
  readonly moduleId?: string
  /**
   * Checks what was fetched before anything is written, and returns the generated
   * files that are written with it. An exception ends the pull and changes no file.
   *
   * @param changed names of the modules of which a file changed.
   */
  readonly emit?: (catalog: Catalog, changed: ReadonlySet<string>) => readonly EmittedFile[]
}

/** One step of a pull: the first says how many files there are, each after it which came. */
export interface PullProgress {
  readonly done: number
  readonly total: number
  /** Present when requests pause for so many milliseconds, as a rate limit wants it. */
  readonly pauseMs?: number
  /** The file that has just come; undefined at the start. */
  readonly file?: {
    readonly language: string
    readonly module: string
    readonly state: 'fetched' | 'unchanged' | 'empty'
  }
}

/** A file of the snapshot whose texts are not what they were. */
export interface ChangedFile {
  readonly language: string
  readonly module: string
  readonly texts: Texts
}

export interface PullReport {
  readonly languages: number
  readonly modules: number
  readonly files: number
  /** Files that the source said are unchanged (304). */
  readonly unchanged: number
  /** Files written or removed, the lock file included. */
  readonly written: number
  /** Those of them that were removed: files of languages and modules that are not asked for any more. */
  readonly removed: number
  /** The declarations, where they were asked for. */
  readonly types?: WriteReport
  readonly bytes: number
  readonly changed: readonly ChangedFile[]
  /** Whether languages or modules came or went; the catalog has to be read anew then. */
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
  /** Whether the content came from another machine, so that the local file may not hold it. */
  readonly isElsewhere?: boolean
}

/**
 * Brings the snapshot to what the source holds now. Everything is fetched and checked
 * before anything is written, and all files are replaced together, so that a failure
 * leaves the last good files untouched.
 *
 * @throws RequestError, ResponseShapeError naming project, language and module;
 *   ServicekitError EMIT_FAILED where a file cannot be written.
 */
export async function pull(options: PullOptions): Promise<PullReport> {
  const controller = new AbortController()
  const signal = options.signal
    ? AbortSignal.any([options.signal, controller.signal])
    : controller.signal
  // As many wait for it as requests are under way; Node takes more than ten for a leak.
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
        // What is here and was answered for needs no other machine's help.
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
    // Last, so that an interrupted pull is seen as drift and not taken for good.
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

/** What the shared cache holds of a file, where its content is what its hash says. */
async function fromOthers(
  { shared, source }: PullOptions,
  { path }: { readonly path: string },
): Promise<{ readonly kept: Kept; readonly known: KnownEtag } | undefined> {
  const known = await shared?.answer(source.name, path)
  const content = known && (await shared?.content(known.hash))
  const texts = content === undefined ? undefined : textsIfSame(content, known!.hash)
  return texts && { kept: { content: content!, texts, hash: known!.hash }, known: known! }
}

/** Gives other machines what came, and the ETag that they can ask with. */
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
    /** Keys that the lock knows, whatever has become of the file. */
    readonly keysBefore: number
    readonly known: KnownEtag | undefined
    readonly signal: AbortSignal
  },
): Promise<{ readonly file?: Fetched; readonly problems: readonly Problem[] }> {
  // A 304 may only be believed where the local file is the one the ETag was sent for.
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
        facts: { source: source.name, language: place.language, module: place.module },
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
      facts: {
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

/** The local file, where it is exactly what the lock says. */
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

/** A lock that cannot be read is written anew; one that may not be read is not. */
function undefinedIfInvalid(error: unknown): undefined {
  if (error instanceof ServicekitError && error.code === 'SNAPSHOT_INVALID') return undefined
  throw error
}
