import { hash } from 'node:crypto'
import { join } from 'node:path'
import { ServicekitError } from '@servicekit/client'
import { pullCommand } from './ci.ts'
import { keyFileOf, readKeyFile } from './keys/key-file.ts'
import type { Catalog, CatalogLanguage, CatalogModule } from './catalog.ts'
import { byCodePoint } from '@servicekit/core'
import { fileNameOf } from './names.ts'
import type { FileId, Translations } from './normalise.ts'
import { readTextSync, readText } from './write.ts'

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

/** Called for a snapshot file that is missing or does not match the lock. */
export type OnDrift = (error: ServicekitError, id: FileId) => void

/**
 * Returns the path of a translation file relative to the snapshot folder:
 * `de-DE/auth.json`.
 */
export function snapshotPath(language: string, module: string): string {
  return `${fileNameOf(language)}/${fileNameOf(module)}.json`
}

/**
 * Formats a translation file: sorted, one key per line, so that a changed translation is
 * one changed line.
 */
export function printTranslations(translations: Translations): string {
  if (translations.size === 0) return '{}\n'
  const lines = [...translations].map(
    ([key, text]) => `  ${JSON.stringify(key)}: ${JSON.stringify(text)}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}

/** Returns the one-based line of each key in the output of {@link printTranslations}. */
export const linesOfKeys = (translations: Translations): ReadonlyMap<string, number> =>
  new Map([...translations.keys()].map((key, index) => [key, index + 2]))

/** Parses the output of {@link printTranslations}. Keys keep the order of the lines. */
export function parseTranslations(text: string): Translations {
  const raw = JSON.parse(text) as Record<string, string | null>
  // JavaScript objects move keys such as "404" to the front. Without them, the keys are sorted.
  const keys = Object.keys(raw)
  if (!isSorted(keys)) keys.sort(byCodePoint)
  return new Map(keys.map((key) => [key, raw[key]!]))
}

const isSorted = (keys: readonly string[]): boolean =>
  keys.every((key, index) => index === 0 || byCodePoint(keys[index - 1]!, key) <= 0)

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
  if (text === undefined) return undefined
  let lock: Partial<Lock> | null
  try {
    lock = JSON.parse(text) as Partial<Lock> | null
  } catch (cause) {
    throw new ServicekitError(`Cannot parse ${lockFile}: it is not valid JSON`, {
      code: 'SNAPSHOT_INVALID',
      cause,
      help: `It may contain merge conflict markers. Run ${pullCommand()} to write it again.`,
    })
  }
  if (!isLock(lock)) {
    throw new ServicekitError(`${lockFile} has an unsupported format`, {
      code: 'SNAPSHOT_INVALID',
      details: { version: String(lock?.version) },
      help: `Run ${pullCommand()} to write it again.`,
    })
  }
  return lock
}

export function isLock(lock: Partial<Lock> | null | undefined): lock is Lock {
  return (
    lock?.version === 1 &&
    typeof lock.defaultLanguage === 'string' &&
    Array.isArray(lock.modules) &&
    lock.modules.every((name) => typeof name === 'string') &&
    isStringRecord(lock.languages) &&
    isStringRecord(lock.files) &&
    // Files are read and removed by these paths, so they must not leave the folder.
    Object.keys(lock.files).every((path) => /^[\w%~-][\w.%~-]*\/[\w%~-][\w.%~-]*\.json$/.test(path))
  )
}

const isStringRecord = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => typeof one === 'string')

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
 * is missing or does not match the lock.
 */
export async function readSnapshot(paths: SnapshotPaths, onDrift?: OnDrift): Promise<Catalog> {
  const lock = await readLock(paths.lockFile)
  if (!lock) throw missingSnapshot(paths.lockFile)
  const details = await readKeyFile(keyFileOf(paths.lockFile))
  const catalog = catalogOf(lock, ({ language, module }, path) => {
    const expected = lock.files[path]
    if (expected === undefined) return undefined
    const file = join(paths.snapshotDir, path)
    // Sequential and synchronous: takes half the time of the thread pool, and only one
    // file is in memory at a time.
    const content = readTextSync(file)
    return onDrift
      ? readDrifted(file, content, expected, (error) => onDrift(error, { language, module }))
      : readChecked(file, content, expected)
  })
  return details.size === 0 ? catalog : { ...catalog, details }
}

/**
 * Builds the catalog described by a lock. `translationsOf` returns the translations of a file;
 * undefined if there are none.
 */
export function catalogOf(
  { defaultLanguage, languages, modules }: Lock,
  translationsOf: (id: FileId, path: string) => Translations | undefined,
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
  }
}

/** Returns the translations of a file even if it does not match the lock. */
function readDrifted(
  file: string,
  content: string | undefined,
  expected: string,
  onDrift: (error: ServicekitError) => void,
): Translations {
  try {
    return readChecked(file, content, expected)
  } catch (error) {
    if (!(error instanceof ServicekitError)) throw error
    onDrift(error)
  }
  try {
    return content === undefined ? new Map() : parseTranslations(content)
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

function readChecked(file: string, content: string | undefined, expected: string): Translations {
  const found = content === undefined ? undefined : translationsIfSame(content, expected)
  if (found) return found
  throw new ServicekitError(
    content === undefined
      ? `${file} is missing, but listed in the lock file`
      : `${file} does not match the lock file`,
    {
      code: 'SNAPSHOT_DRIFT',
      details: { file, expected },
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
 */
export function translationsIfSame(content: string, expected: string): Translations | undefined {
  const text = withoutCarriageReturns(content)
  if (lockEntry(text, Number.parseInt(expected, 10)) !== expected) return undefined
  return parseTranslations(text)
}
