import { setMaxListeners } from 'node:events'
import pLimit from 'p-limit'
import type { Catalog } from '../model/catalog.ts'
import { type FileId, normaliseFile, type Translations } from '../model/normalise.ts'
import type { Problem } from '../model/problem.ts'
import type { PullProgress, Source } from '../sources/source.ts'
import { type Clock, createRateLimiter } from '../sources/rate-limiter.ts'
import { selectListing } from '../sources/select-listing.ts'
import { catalogOf } from './snapshot.ts'
import { snapshotPath } from '../model/snapshot-text.ts'

export interface ReaderOptions {
  readonly source: Source
  readonly languages: readonly string[] | undefined
  readonly defaultLanguage: string | undefined
  readonly concurrency: number
  readonly requestsPerMinute: number
  readonly clock: Clock
  readonly onProgress?: (progress: PullProgress) => void
}

export interface ReadOptions {
  /** Names of the modules to read; those that the source does not have are omitted. */
  readonly modules: readonly string[]
  /** Id of the only module that changed since the last call, as in an event. */
  readonly moduleId?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Translations that were read, and the problems in their files. */
export interface ReadCatalog {
  readonly catalog: Catalog
  /** `false` if the source reported every file as unchanged since the last read. */
  readonly isChanged: boolean
  readonly problems: readonly Problem[]
}

/** Reads translations into memory. Unchanged files are not sent again by the source. */
export interface CatalogReader {
  /** @throws RequestError, ResponseShapeError, ConfigError */
  readonly read: (options: ReadOptions) => Promise<ReadCatalog>
}

interface KnownFile {
  readonly etag: string | undefined
  readonly translations: Translations
  readonly problems: readonly Problem[]
}

/** Creates a reader of a source. It writes no files, unlike `pull`. */
export function createCatalogReader(options: ReaderOptions): CatalogReader {
  const { source, clock, onProgress } = options
  const known = new Map<string, KnownFile>()
  let lastShape = ''
  let hasChanged = false
  const limit = pLimit(options.concurrency)
  const rateLimit = createRateLimiter(options.requestsPerMinute, clock)

  const readFile = async (id: FileId, signal: AbortSignal): Promise<boolean> => {
    const path = snapshotPath(id.language, id.module)
    const before = known.get(path)
    const etag = before?.etag
    await rateLimit(signal)
    const response = await source.read(id, { signal, ...(etag === undefined ? {} : { etag }) })
    if (response.status === 'unchanged') return false
    // The service responds like this for a file that does not exist.
    if (response.status === 'empty') {
      known.set(path, { etag: undefined, translations: new Map(), problems: [] })
      return before !== undefined && before.translations.size > 0
    }
    known.set(path, { etag: response.etag, ...normaliseFile(response.raw, id) })
    return true
  }

  return {
    async read({ modules: wanted, moduleId, signal: given }) {
      const controller = new AbortController()
      const signal = given ? AbortSignal.any([given, controller.signal]) : controller.signal
      // Every concurrent request adds a listener. Node warns about a leak above ten.
      setMaxListeners(0, signal)
      const listing = await source.list(signal)
      const listed = new Set(listing.modules)
      const selected = selectListing(
        { ...listing, modules: wanted.filter((name) => listed.has(name)) },
        { ...options, sourceName: source.name },
      )
      const { languages, defaultLanguage, modules } = selected
      const only = moduleId === undefined ? undefined : listing.moduleIds?.get(moduleId)
      const files = languages.flatMap(({ code: language }) =>
        modules.map((module) => ({ language, module })),
      )
      const total = files.length
      let done = 0
      const shape = JSON.stringify([languages, defaultLanguage, modules])
      // Kept if a read fails, whose first files are known then.
      hasChanged ||= shape !== lastShape
      lastShape = shape
      onProgress?.({ done, total })
      await Promise.all(
        files.map((id) =>
          limit(async () => {
            signal.throwIfAborted()
            const isKnown = known.has(snapshotPath(id.language, id.module))
            if (only === undefined || id.module === only || !isKnown) {
              if (await readFile(id, signal)) hasChanged = true
            }
            onProgress?.({ done: ++done, total })
          }),
        ),
      ).catch((error: unknown) => {
        controller.abort(error)
        throw error
      })
      const isChanged = hasChanged
      hasChanged = false
      const names = Object.fromEntries(languages.map(({ code, name }) => [code, name]))
      return {
        catalog: catalogOf(
          { defaultLanguage, languages: names, modules },
          (_, path) => known.get(path)?.translations,
        ),
        isChanged,
        problems: files.flatMap(
          ({ language, module }) => known.get(snapshotPath(language, module))?.problems ?? [],
        ),
      }
    },
  }
}
