import { join } from 'node:path'
import { rm } from 'node:fs/promises'
import { ResponseShapeError, ServicekitError } from '@servicekit/client'
import pLimit from 'p-limit'
import { type Clock, requestBudget } from './budget.ts'
import { byCodePoint } from './names.ts'
import { normaliseFile, type Texts } from './normalise.ts'
import type { Problem } from './problem.ts'
import {
  type Lock,
  lockEntry,
  printLock,
  printTexts,
  readLock,
  type SnapshotPaths,
  snapshotPath,
  textsIfSame,
} from './snapshot.ts'
import type { Source, SourceListing } from './source.ts'
import { readOrUndefined, writeIfChanged } from './write.ts'

export interface PullOptions extends SnapshotPaths {
  readonly source: Source
  /** Folder for what need not be committed: the ETags of the last answers. */
  readonly cacheDir: string
  readonly languages: readonly string[] | undefined
  readonly defaultLanguage: string | undefined
  readonly concurrency: number
  readonly requestsPerMinute: number
  readonly clock: Clock
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: PullProgress) => void
}

export interface PullProgress {
  readonly done: number
  readonly total: number
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
}

/**
 * Brings the snapshot to what the source holds now. Everything is fetched before
 * anything is written, so that a failure leaves the last good files untouched.
 *
 * @throws RequestError, ResponseShapeError naming project, language and module.
 */
export async function pull(options: PullOptions): Promise<PullReport> {
  const controller = new AbortController()
  const signal = options.signal
    ? AbortSignal.any([options.signal, controller.signal])
    : controller.signal
  const listing = await options.source.list(signal)
  const languages = chosenLanguages(listing, options)
  const defaultLanguage = chosenDefault(languages, options)
  const modules = [...new Set(listing.modules)].sort(byCodePoint)
  const previous = await readLock(options.lockFile).catch(() => undefined)
  const etags = await readEtags(options)
  const problems: Problem[] = []

  const places = languages.flatMap(({ code: language }) =>
    modules.map((module) => ({ language, module, path: snapshotPath(language, module) })),
  )
  const limit = pLimit(options.concurrency)
  const budget = requestBudget(options.requestsPerMinute, options.clock)
  let done = 0
  options.onProgress?.({ done, total: places.length })
  const fetched = await Promise.all(
    places.map((place) =>
      limit(async () => {
        signal.throwIfAborted()
        await budget(signal)
        const expected = previous?.files[place.path]
        const kept = await lastGood(options, place.path, expected)
        const file = await fetchFile(
          options.source,
          place,
          kept,
          etags.get(place.path),
          signal,
          problems,
        )
        options.onProgress?.({ done: ++done, total: places.length })
        return file
      }),
    ),
  ).catch((error: unknown) => {
    controller.abort(error)
    throw error
  })

  const files = fetched.filter((file) => file !== undefined)
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
  return {
    languages: languages.length,
    modules: modules.length,
    files: files.length,
    unchanged: files.filter((file) => file.unchanged).length,
    written: await writeSnapshot(options, files, lock, previous),
    bytes: files.reduce((sum, file) => sum + Buffer.byteLength(file.content), 0),
    changed: changed.map(({ language, module, texts }) => ({ language, module, texts })),
    reshaped: shapeOf(previous) !== shapeOf(lock),
    problems,
  }
}

const shapeOf = (lock: Lock | undefined): string =>
  JSON.stringify([
    lock?.defaultLanguage,
    lock?.languages,
    lock?.modules,
    Object.keys(lock?.files ?? {}).sort(),
  ])

async function fetchFile(
  source: Source,
  place: { readonly language: string; readonly module: string; readonly path: string },
  kept: { readonly content: string; readonly texts: Texts; readonly hash: string } | undefined,
  known: { readonly etag: string; readonly hash: string } | undefined,
  signal: AbortSignal,
  problems: Problem[],
): Promise<Fetched | undefined> {
  // A 304 may only be believed where the local file is the one the ETag was sent for.
  const conditional = kept && known?.hash === kept.hash ? known.etag : undefined
  const answer = await source.read(place, {
    signal,
    ...(conditional === undefined ? {} : { etag: conditional }),
  })
  if (answer.status === 'unchanged' && kept) {
    return { ...place, ...kept, etag: conditional, unchanged: true }
  }
  if (answer.status !== 'ok') {
    if (kept && kept.texts.size > 0) throw lostFile(source, place, kept.texts.size)
    problems.push({
      severity: 'warning',
      code: 'EMPTY_FILE',
      language: place.language,
      module: place.module,
      message: `${source.name} answered with an empty body; taken as a module without texts`,
    })
    return undefined
  }
  const { texts, problems: found } = normaliseFile(answer.raw, place)
  problems.push(...found)
  return { ...place, texts, content: printTexts(texts), etag: answer.etag, unchanged: false }
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

/** The local file, where it is exactly what the lock says. */
async function lastGood(options: SnapshotPaths, path: string, expected: string | undefined) {
  if (expected === undefined) return undefined
  const content = await readOrUndefined(join(options.snapshotDir, path))
  const texts = content === undefined ? undefined : textsIfSame(content, expected)
  return texts && { content: content!, texts, hash: expected }
}

async function writeSnapshot(
  options: PullOptions,
  files: readonly Fetched[],
  lock: Lock,
  previous: Lock | undefined,
): Promise<number> {
  let written = 0
  for (const file of files) {
    if (file.unchanged) continue
    if (await writeIfChanged(join(options.snapshotDir, file.path), file.content)) written++
  }
  for (const path of Object.keys(previous?.files ?? {})) {
    if (path in lock.files) continue
    await rm(join(options.snapshotDir, path), { force: true })
    written++
  }
  // Last, so that an interrupted pull is seen as drift and not taken for good.
  if (await writeIfChanged(options.lockFile, printLock(lock))) written++
  await writeEtags(options, files, lock)
  return written
}

function chosenLanguages(listing: SourceListing, options: PullOptions) {
  const byCode = new Map(listing.languages.map((language) => [language.code, language]))
  for (const code of byCode.keys()) {
    if (!/^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/.test(code)) {
      throw new ResponseShapeError(`"${code}" is not a language code`, {
        facts: { source: options.source.name },
        help: 'Correct it on the platform, or name the languages to take in the option languages.',
      })
    }
  }
  const codes = options.languages ?? [...byCode.keys()]
  const chosen = codes.map((code) => byCode.get(code) ?? unknownLanguage(code, byCode, options))
  if (chosen.length > 0) return chosen
  throw new ServicekitError('The project has no languages', {
    code: 'CATALOG_INVALID',
    facts: { source: options.source.name },
    help: 'Add a language on the platform and publish.',
  })
}

function unknownLanguage(
  code: string,
  known: ReadonlyMap<string, unknown>,
  options: PullOptions,
): never {
  throw new ServicekitError(`The project has no language "${code}"`, {
    code: 'CATALOG_INVALID',
    facts: { source: options.source.name, languages: [...known.keys()].join(', ') },
    help: 'Correct the option languages.',
  })
}

function chosenDefault(languages: SourceListing['languages'], options: PullOptions): string {
  const wanted = options.defaultLanguage
  if (wanted === undefined)
    return (languages.find(({ isDefault }) => isDefault) ?? languages[0]!).code
  if (languages.some(({ code }) => code === wanted)) return wanted
  throw new ServicekitError(`The default language "${wanted}" is not among the languages`, {
    code: 'CATALOG_INVALID',
    facts: { languages: languages.map(({ code }) => code).join(', ') },
    help: 'Correct the option defaultLanguage.',
  })
}

interface KnownEtag {
  readonly etag: string
  readonly hash: string
}

const etagFile = (options: PullOptions): string => join(options.cacheDir, 'etags.json')

/** ETags are worth something only to the source that sent them. */
async function readEtags(options: PullOptions): Promise<ReadonlyMap<string, KnownEtag>> {
  const text = await readOrUndefined(etagFile(options))
  try {
    const saved = JSON.parse(text ?? '{}') as { source?: string; etags?: Record<string, KnownEtag> }
    return new Map(saved.source === options.source.name ? Object.entries(saved.etags ?? {}) : [])
  } catch {
    return new Map()
  }
}

async function writeEtags(
  options: PullOptions,
  files: readonly Fetched[],
  lock: Lock,
): Promise<void> {
  const etags = Object.fromEntries(
    files.flatMap(({ path, etag }) =>
      etag === undefined ? [] : [[path, { etag, hash: lock.files[path] }]],
    ),
  )
  await writeIfChanged(
    etagFile(options),
    `${JSON.stringify({ source: options.source.name, etags })}\n`,
  )
}
