import { snapshotPath } from '../model/snapshot-text.ts'
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { ServicekitError } from '@servicekit/client'
import { pullCommand } from '../config/ci.ts'
import { keyFileOf, readKeyFile } from './key-file.ts'
import { type KeyEntries } from '../model/key-draft.ts'
import type { Catalog, CatalogLanguage, CatalogModule } from '../model/catalog.ts'
import { byCodePoint, isObject, parseJson, reasonOf } from '@servicekit/core'
import { decodeUtf8 } from '@servicekit/core/node'
import { type FileId, normaliseFile, type Translations } from '../model/normalise.ts'
import { listingProblem } from '../sources/select-listing.ts'
import { readBytesInside, readText } from '../files/write.ts'

/** Paths of a snapshot. */
export interface SnapshotPaths {
  readonly snapshotDir: string
  readonly lockFile: string
}

/**
 * Content of the lock file, which is committed with the translations and detects any
 * change of them.
 *
 * ```json
 * {"version": 1, "defaultLanguage": "en-US", "languages": {"en-US": "English"},
 *  "modules": ["auth"], "files": {"en-US/auth.json": "78 sha256-…"}}
 * ```
 */
export interface Lock {
  readonly version: 1
  readonly defaultLanguage: string
  /** Display name by language code. */
  readonly languages: Readonly<Record<string, string>>
  readonly modules: readonly string[]
  /** Number of keys and content hash, by path relative to the snapshot folder. */
  readonly files: Readonly<Record<string, string>>
}

/** Called for a snapshot file that is missing, invalid or does not match the lock. */
export type OnDrift = (error: ServicekitError, id: FileId) => void

/**
 * Parses the output of {@link printTranslations}, with the same checks as a file of the service.
 * Keys keep the order of the lines.
 *
 * @param file Path for errors.
 * @throws ServicekitError SNAPSHOT_INVALID if it is not an object of keys and texts.
 */
export function parseTranslations(text: string, file: string): Translations {
  const raw = parseJson(text)
  if (raw === undefined) throw invalidFile(file, 'it is not valid JSON')
  if (!isObject(raw)) throw invalidFile(file, 'it is not an object of keys and translations')
  const { translations, problems } = normaliseFile(raw, { language: '', module: '' })
  const [problem] = problems
  if (problem) {
    const isKey = problem.code === 'INVALID_KEY'
    const key = JSON.stringify(problem.key)
    throw invalidFile(file, isKey ? 'a key is empty' : `the value of the key ${key} is not a text`)
  }
  return translations
}

/** Returns the error for a committed file that cannot be used. */
const invalidFile = (file: string, reason: string): ServicekitError =>
  new ServicekitError(`Cannot read ${file}: ${reason}`, {
    code: 'SNAPSHOT_INVALID',
    details: { file },
    help: `It may contain merge conflict markers. Restore it from version control, or run ${pullCommand()} to write it again.`,
  })

/** Returns the lock entry of a translation file: `78 sha256-…`. */
export function lockEntry(content: string, keys: number): string {
  return `${keys} sha256-${hash('sha256', content, 'base64url')}`
}

export function printLock(lock: Lock): string {
  return `${JSON.stringify(
    {
      version: lock.version,
      defaultLanguage: lock.defaultLanguage,
      languages: sorted(lock.languages),
      modules: [...lock.modules].sort(byCodePoint),
      files: sorted(lock.files),
    },
    null,
    2,
  )}\n`
}

const sorted = (record: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => byCodePoint(a, b)))

/**
 * Reads the lock file.
 *
 * @returns undefined if it does not exist.
 * @throws ServicekitError SNAPSHOT_INVALID if it is not a supported lock file.
 */
export async function readLock(lockFile: string): Promise<Lock | undefined> {
  const text = await readText(lockFile)
  return text === undefined ? undefined : parseLock(text, lockFile)
}

/**
 * Parses a lock file. Its names follow the rules for those of the service.
 *
 * @param file Path for errors.
 * @throws ServicekitError SNAPSHOT_INVALID
 */
export function parseLock(text: string, file: string): Lock {
  const lock = parseJson(text)
  if (lock === undefined) throw invalidFile(file, 'it is not valid JSON')
  if (!isObject(lock) || lock['version'] !== 1) {
    throw new ServicekitError(`${file} has an unsupported format`, {
      code: 'SNAPSHOT_INVALID',
      details: { version: isObject(lock) ? String(lock['version']) : 'none' },
      help: `Run ${pullCommand()} to write it again.`,
    })
  }
  const { defaultLanguage, languages, modules, files } = lock
  if (
    typeof defaultLanguage !== 'string' ||
    !isStringRecord(languages) ||
    !Array.isArray(modules) ||
    !modules.every((name) => typeof name === 'string') ||
    !isStringRecord(files)
  ) {
    throw invalidFile(file, 'a property is missing or has a wrong type')
  }
  const codes = Object.keys(languages)
  const problem = listingProblem(codes, defaultLanguage, modules)
  if (problem !== undefined) throw invalidFile(file, problem)
  // Files are read, written and removed by these paths.
  const paths = new Set(
    codes.flatMap((code) => modules.map((module: string) => snapshotPath(code, module))),
  )
  const other = Object.keys(files).find((path) => !paths.has(path))
  if (other !== undefined) {
    const name = JSON.stringify(other)
    throw invalidFile(file, `the file ${name} belongs to none of its languages and modules`)
  }
  return { version: 1, defaultLanguage, languages, modules, files }
}

const isStringRecord = (value: unknown): value is Readonly<Record<string, string>> =>
  isObject(value) && Object.values(value).every((one) => typeof one === 'string')

/** Returns the error for a project without a lock file. */
export const missingSnapshot = (lockFile: string): ServicekitError =>
  new ServicekitError('No committed translations found', {
    code: 'SNAPSHOT_MISSING',
    details: { lockFile },
    help: `Run ${pullCommand()} and commit the files that it writes.`,
  })

/**
 * Reads the snapshot and checks each file against the lock. Opens no network connection.
 *
 * @param onDrift Called for each file that is missing or does not match the lock, instead
 * of throwing. The content of the file is then used.
 * @throws ServicekitError SNAPSHOT_MISSING without a lock file, SNAPSHOT_DRIFT if a file
 * is missing or does not match the lock, SNAPSHOT_INVALID if a file is not one of a snapshot,
 * READ_FAILED if it is a link out of the folder.
 */
export async function readSnapshot(paths: SnapshotPaths, onDrift?: OnDrift): Promise<Catalog> {
  const lock = await readLock(paths.lockFile)
  if (!lock) throw missingSnapshot(paths.lockFile)
  const details = await readKeyFile(keyFileOf(paths.lockFile))
  const translationsOf = ({ language, module }: FileId, path: string) => {
    const expected = lock.files[path]
    if (expected === undefined) return undefined
    // Sequential and synchronous: takes half the time of the thread pool, and only one
    // file is in memory at a time.
    if (!onDrift) return readLockedFile(paths.snapshotDir, path, [expected])
    return readDrifted(paths.snapshotDir, path, expected, (error) =>
      onDrift(error, { language, module }),
    )
  }
  return catalogOf(lock, translationsOf, details)
}

/**
 * Builds the catalog of these languages and modules.
 *
 * @param translationsOf Returns the translations of a file; undefined if there are none.
 * @param details Entries of the key file.
 */
export function catalogOf(
  { defaultLanguage, languages, modules }: Pick<Lock, 'defaultLanguage' | 'languages' | 'modules'>,
  translationsOf: (id: FileId, path: string) => Translations | undefined,
  details?: KeyEntries,
): Catalog {
  const codes = Object.keys(languages)
  return {
    defaultLanguage,
    languages: orderLanguages(
      Object.entries(languages).map(([code, name]) => ({ code, name })),
      defaultLanguage,
    ),
    modules: [...modules].sort(byCodePoint).map((module): CatalogModule => {
      const translations = new Map<string, Translations>()
      for (const language of codes) {
        const found = translationsOf({ language, module }, snapshotPath(language, module))
        if (found) translations.set(language, found)
      }
      return { name: module, translations }
    }),
    ...(details?.size ? { details } : {}),
  }
}

/** Returns the translations of a file even if it does not match the lock. */
function readDrifted(
  snapshotDir: string,
  path: string,
  expected: string,
  onDrift: (error: ServicekitError) => void,
): Translations {
  const file = join(snapshotDir, path)
  let content: string | undefined
  try {
    content = readSnapshotText(snapshotDir, path)
    return checkContent(file, content, [expected])
  } catch (error) {
    if (!(error instanceof ServicekitError) || error.code === 'READ_FAILED') throw error
    onDrift(error)
  }
  try {
    return content === undefined ? new Map() : parseTranslations(content, file)
  } catch {
    return new Map()
  }
}

/** Sorts the default language first, the others in code-point order. */
function orderLanguages(
  languages: readonly CatalogLanguage[],
  defaultLanguage: string,
): readonly CatalogLanguage[] {
  const rank = (code: string): number => (code === defaultLanguage ? 0 : 1)
  return [...languages].sort((a, b) => rank(a.code) - rank(b.code) || byCodePoint(a.code, b.code))
}

/**
 * Reads a file of the snapshot that must be the one of the lock.
 *
 * @param expected Lock entries that the file may have.
 * @throws ServicekitError SNAPSHOT_DRIFT, SNAPSHOT_INVALID; READ_FAILED for a link out of the folder.
 */
export function readLockedFile(
  snapshotDir: string,
  path: string,
  expected: readonly string[],
): Translations {
  return checkContent(join(snapshotDir, path), readSnapshotText(snapshotDir, path), expected)
}

/**
 * Reads a translation file of the snapshot. Returns undefined if it does not exist.
 *
 * @throws ServicekitError SNAPSHOT_INVALID if it is not UTF-8, READ_FAILED for a link out of the
 * folder.
 */
export function readSnapshotText(snapshotDir: string, path: string): string | undefined {
  const bytes = readBytesInside(snapshotDir, path)
  try {
    return bytes && decodeUtf8(bytes)
  } catch (error) {
    throw invalidFile(join(snapshotDir, path), reasonOf(error))
  }
}

function checkContent(
  file: string,
  content: string | undefined,
  expected: readonly string[],
): Translations {
  for (const entry of content === undefined ? [] : expected) {
    const found = translationsIfSame(content!, entry, file)
    if (found) return found
  }
  throw new ServicekitError(
    content === undefined
      ? `${file} is missing, but listed in the lock file`
      : `${file} does not match the lock file`,
    {
      code: 'SNAPSHOT_DRIFT',
      details: { file, expected: expected.join(' or ') },
      help: `Restore it from version control, or run ${pullCommand()} to fetch the current translations.`,
    },
  )
}

/** Reverts CRLF line endings, which a checkout on Windows may introduce. */
export const withoutCarriageReturns = (content: string): string =>
  content.includes('\r\n') ? content.replaceAll('\r\n', '\n') : content

/**
 * Returns the translations of a file if its content matches the lock; otherwise
 * undefined.
 *
 * @param file Path for errors.
 * @throws ServicekitError SNAPSHOT_INVALID if the content matches, but is not one of a translation file.
 */
export function translationsIfSame(
  content: string,
  expected: string,
  file: string,
): Translations | undefined {
  const text = withoutCarriageReturns(content)
  const keys = Number.parseInt(expected, 10)
  if (lockEntry(text, keys) !== expected) return undefined
  const translations = parseTranslations(text, file)
  return translations.size === keys ? translations : undefined
}
