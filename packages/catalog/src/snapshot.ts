import { hash } from 'node:crypto'
import { join } from 'node:path'
import { ServicekitError } from '@servicekit/client'
import type { Catalog, CatalogLanguage, CatalogModule } from './catalog.ts'
import { byCodePoint, fileNameOf } from './names.ts'
import type { Texts } from './normalise.ts'
import { readNow, readOrUndefined } from './write.ts'

/** Where a snapshot is kept. */
export interface SnapshotPaths {
  readonly snapshotDir: string
  readonly lockFile: string
}

/**
 * What is committed beside the texts: enough to see any change of them.
 *
 * ```json
 * {"version": 1, "defaultLanguage": "en-US", "languages": {"en-US": "English"},
 *  "modules": ["auth"], "files": {"en-US/auth.json": "78 sha256-…"}}
 * ```
 */
export interface Lock {
  readonly version: 1
  readonly defaultLanguage: string
  /** Readable name by code. */
  readonly languages: Readonly<Record<string, string>>
  readonly modules: readonly string[]
  /** Number of keys and hash of the content, by path below the snapshot's folder. */
  readonly files: Readonly<Record<string, string>>
}

/** A text file. */
export interface Place {
  readonly language: string
  readonly module: string
}

/** Path of a text file below the snapshot's folder: `de-DE/auth.json`. */
export function snapshotPath(language: string, module: string): string {
  return `${fileNameOf(language)}/${fileNameOf(module)}.json`
}

/**
 * Content of a text file: sorted, one key a line, so that one changed text is
 * one changed line.
 */
export function printTexts(texts: Texts): string {
  if (texts.size === 0) return '{}\n'
  const lines = [...texts].map(([key, text]) => `  ${JSON.stringify(key)}: ${JSON.stringify(text)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

/** Reads back what {@link printTexts} printed: any key, in the order of the lines. */
export function parseTexts(text: string): Texts {
  const raw = JSON.parse(text) as Record<string, string | null>
  const keys = Object.keys(raw)
  // Objects put keys such as "404" first, whatever their place was.
  if (!isSorted(keys)) keys.sort(byCodePoint)
  const texts = new Map<string, string | null>()
  for (const key of keys) texts.set(key, raw[key]!)
  return texts
}

function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index++) {
    if (byCodePoint(keys[index - 1]!, keys[index]!) > 0) return false
  }
  return true
}

/** `78 sha256-…`: the entry of a text file in the lock. */
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
 * @returns undefined where there is none.
 * @throws ServicekitError SNAPSHOT_INVALID where it is not a lock that this version reads.
 */
export async function readLock(lockFile: string): Promise<Lock | undefined> {
  const text = await readOrUndefined(lockFile)
  if (text === undefined) return undefined
  let lock: Partial<Lock> | null
  try {
    lock = JSON.parse(text) as Partial<Lock> | null
  } catch (cause) {
    throw new ServicekitError(`${lockFile} is not JSON`, {
      code: 'SNAPSHOT_INVALID',
      cause,
      help: 'A merge may have left its marks in it: run `servicekit pull` to write it anew.',
    })
  }
  if (!isLock(lock)) {
    throw new ServicekitError(`${lockFile} has a form that this version does not read`, {
      code: 'SNAPSHOT_INVALID',
      facts: { version: String(lock?.version) },
      help: 'Run `servicekit pull` to write it anew.',
    })
  }
  return lock
}

function isLock(lock: Partial<Lock> | null): lock is Lock {
  return (
    lock?.version === 1 &&
    typeof lock.defaultLanguage === 'string' &&
    Array.isArray(lock.modules) &&
    lock.modules.every((name) => typeof name === 'string') &&
    isRecordOfText(lock.languages) &&
    isRecordOfText(lock.files) &&
    // Files are read and removed by these paths: none may lead out of the folder.
    Object.keys(lock.files).every((path) => /^[\w%~-][\w.%~-]*\/[\w%~-][\w.%~-]*\.json$/.test(path))
  )
}

const isRecordOfText = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => typeof one === 'string')

/**
 * Reads the committed texts and checks each file against the lock. Opens no socket.
 *
 * @throws ServicekitError SNAPSHOT_MISSING without a lock file, SNAPSHOT_DRIFT where
 *   a file is gone or is not what the lock says; with `onDrift` that is called instead,
 *   and the texts are what the file says.
 */
export async function readSnapshot(
  paths: SnapshotPaths,
  onDrift?: (error: ServicekitError, place: Place) => void,
): Promise<Catalog> {
  const lock = await readLock(paths.lockFile)
  if (!lock) {
    throw new ServicekitError('There are no committed texts to build from', {
      code: 'SNAPSHOT_MISSING',
      facts: { lockFile: paths.lockFile },
      help: 'Run `servicekit pull` once and commit what it writes.',
    })
  }
  return catalogOf(lock, ({ language, module }, path) => {
    const expected = lock.files[path]
    if (expected === undefined) return undefined
    const file = join(paths.snapshotDir, path)
    // One after the other and at once: half the time of asking the thread pool, and
    // one file in memory instead of all.
    const content = readNow(file)
    return onDrift
      ? driftedTexts(file, content, expected, (error) => onDrift(error, { language, module }))
      : checkedTexts(file, content, expected)
  })
}

/** The catalog that a lock describes, with the texts of each file; undefined where it has none. */
export function catalogOf(
  { defaultLanguage, languages, modules }: Lock,
  textsOf: (place: Place, path: string) => Texts | undefined,
): Catalog {
  const codes = Object.keys(languages)
  return {
    defaultLanguage,
    languages: orderLanguages(
      Object.entries(languages).map(([code, name]) => ({ code, name })),
      defaultLanguage,
    ),
    modules: [...modules].sort(byCodePoint).map((module): CatalogModule => {
      const texts = new Map<string, Texts>()
      for (const language of codes) {
        const found = textsOf({ language, module }, snapshotPath(language, module))
        if (found) texts.set(language, found)
      }
      return { name: module, texts }
    }),
  }
}

/** What a file says, whatever the lock says of it. */
function driftedTexts(
  file: string,
  content: string | undefined,
  expected: string,
  onDrift: (error: ServicekitError) => void,
): Texts {
  try {
    return checkedTexts(file, content, expected)
  } catch (error) {
    if (!(error instanceof ServicekitError)) throw error
    onDrift(error)
  }
  try {
    return content === undefined ? new Map() : parseTexts(content)
  } catch {
    return new Map()
  }
}

/** The default language first, the others in code-point order. */
function orderLanguages(
  languages: readonly CatalogLanguage[],
  defaultLanguage: string,
): readonly CatalogLanguage[] {
  const rank = (code: string): number => (code === defaultLanguage ? 0 : 1)
  return [...languages].sort((a, b) => rank(a.code) - rank(b.code) || byCodePoint(a.code, b.code))
}

function checkedTexts(file: string, content: string | undefined, expected: string): Texts {
  const found = content === undefined ? undefined : textsIfSame(content, expected)
  if (found) return found
  throw new ServicekitError(
    content === undefined
      ? `${file} is in the lock file and not in the folder`
      : `${file} is not what the lock file says`,
    {
      code: 'SNAPSHOT_DRIFT',
      facts: { file, expected },
      help: 'Restore it from version control, or run `servicekit pull` to take the current texts.',
    },
  )
}

/** A checkout on Windows may have turned LF into CRLF; what it says is the same. */
export const withoutCarriageReturns = (content: string): string =>
  content.includes('\r\n') ? content.replaceAll('\r\n', '\n') : content

/** The texts of a file whose content is exactly what the lock says; else undefined. */
export function textsIfSame(content: string, expected: string): Texts | undefined {
  const text = withoutCarriageReturns(content)
  if (lockEntry(text, Number.parseInt(expected, 10)) !== expected) return undefined
  return parseTexts(text)
}
