import { ResponseShapeError, ServicekitError } from '@servicekit/client'
import type { KnownEtag } from './etags.ts'
import { type FileId, normaliseFile, type Translations } from '../model/normalise.ts'
import type { Problem } from '../model/problem.ts'
import type { SharedCache } from './shared-cache.ts'
import {
  lockEntry,
  readSnapshotText,
  translationsIfSame,
  withoutCarriageReturns,
} from './snapshot.ts'
import { printTranslations } from '../model/snapshot-text.ts'
import type { Source } from '../sources/source.ts'

/** Translation file with its path relative to the snapshot folder. */
export interface SnapshotFile extends FileId {
  readonly path: string
}

/** File with its content, from the source or from a cache. */
export interface FetchedFile extends SnapshotFile {
  readonly translations: Translations
  readonly content: string
  /** Lock entry of the content. */
  readonly hash: string
  readonly etag: string | undefined
  /** `true` if the source reported the file as unchanged (304). */
  readonly unchanged: boolean
  /** `true` if the content came from the shared cache, so the local file may differ. */
  readonly isFromSharedCache?: boolean
}

interface FetchOptions {
  readonly source: Source
  readonly snapshotDir: string
  readonly shared?: SharedCache
  /** Lock entry of the file; undefined for a new file. */
  readonly expected: string | undefined
  /** Last response of the source for the file. */
  readonly etag: KnownEtag | undefined
  /** Number of keys of the module that the source does not serve yet. */
  readonly pendingKeys: number
  /** Resolves when the rate limit allows a request. */
  readonly rateLimit: (signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

/** Fetched file, or none if the source has no such file. */
export interface FetchResult {
  readonly file?: FetchedFile
  readonly problems: readonly Problem[]
}

/** Content that matches its lock entry. */
interface CachedFile {
  readonly content: string
  readonly translations: Translations
  readonly hash: string
}

/**
 * Fetches a translation file. Sends the ETag of the last response if the local file, or the
 * one in the shared cache, is the file of that response.
 *
 * @throws ResponseShapeError if a file that had keys is empty now.
 */
export async function fetchFile(id: SnapshotFile, options: FetchOptions): Promise<FetchResult> {
  const { source, shared, expected, signal } = options
  const local = readLocal(id, options)
  await options.rateLimit(signal)
  // A local file with a matching ETag does not need the shared cache.
  const other =
    local && options.etag?.hash === local.hash
      ? undefined
      : await readShared(shared, source.name, id.path)
  const cached = other?.file ?? local
  const known = other?.etag ?? options.etag
  // With the ETag of another file, a 304 would be meaningless.
  const etag = cached && known?.hash === cached.hash ? known.etag : undefined
  const isFromSharedCache = other !== undefined
  const response = await source.read(id, { signal, ...(etag === undefined ? {} : { etag }) })
  if (response.status === 'unchanged') {
    if (!cached || etag === undefined) throw unexpectedUnchanged(source, id)
    return { file: { ...id, ...cached, etag, unchanged: true, isFromSharedCache }, problems: [] }
  }
  if (response.status === 'empty') {
    // The lock has the number of keys even if the local file is missing.
    const keysBefore = Number.parseInt(expected ?? '0', 10)
    if (keysBefore > options.pendingKeys) throw lostFile(source, id, keysBefore)
    const message = `${source.name} returned an empty body, which counts as a module without keys`
    const { language, module } = id
    return { problems: [{ severity: 'warning', code: 'EMPTY_FILE', language, module, message }] }
  }
  const { translations, problems } = normaliseFile(response.raw, id)
  const content = printTranslations(translations)
  const hash = lockEntry(content, translations.size)
  if (shared && response.etag !== undefined) {
    const from = { source: source.name, path: id.path, etag: response.etag }
    await shared.save({ hash, content }, from)
  }
  const file = { ...id, translations, content, hash, etag: response.etag, unchanged: false }
  return { file: { ...file, isFromSharedCache }, problems }
}

/** Returns the local file if it matches the lock exactly. */
function readLocal(
  { path }: SnapshotFile,
  { snapshotDir, expected }: Pick<FetchOptions, 'snapshotDir' | 'expected'>,
): CachedFile | undefined {
  if (expected === undefined) return undefined
  return cachedFile(() => readSnapshotText(snapshotDir, path), expected, path)
}

/** Returns a file if its content is valid and matches its hash. */
function cachedFile(
  read: () => string | undefined,
  hash: string,
  path: string,
): CachedFile | undefined {
  try {
    const content = read()
    if (content === undefined) return undefined
    const translations = translationsIfSame(content, hash, path)
    return translations && { content: withoutCarriageReturns(content), translations, hash }
  } catch (error) {
    // The file is fetched again.
    if (error instanceof ServicekitError && error.code === 'SNAPSHOT_INVALID') return undefined
    throw error
  }
}

/** Returns the file from the shared cache if its content matches its hash. */
async function readShared(
  shared: SharedCache | undefined,
  source: string,
  path: string,
): Promise<{ readonly file: CachedFile; readonly etag: KnownEtag } | undefined> {
  const etag = await shared?.etag(source, path)
  const content = etag && (await shared?.content(etag.hash))
  const file = etag && cachedFile(() => content, etag.hash, path)
  return file && { file, etag: etag! }
}

const unexpectedUnchanged = (source: Source, { language, module }: FileId): ResponseShapeError =>
  new ResponseShapeError(`Unexpected 304 for module "${module}" in ${language}`, {
    details: { source: source.name, language, module },
    help: 'The request had no ETag. A proxy may respond from a cache that it must not use.',
  })

const lostFile = (
  source: Source,
  { language, module }: FileId,
  keysBefore: number,
): ResponseShapeError =>
  new ResponseShapeError(`Module "${module}" in ${language} is empty`, {
    details: { source: source.name, language, module, keysBefore },
    help:
      'The service responds like this for a module or language that does not exist. If it was ' +
      'removed on purpose, exclude it with the option modules or languages. The local ' +
      'translations are unchanged.',
  })
